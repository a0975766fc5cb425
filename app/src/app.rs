//! The document around the app, and which page stands at which address.

use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::{MetaTags, provide_meta_context};
use leptos_router::components::{ParentRoute, Route, Router, Routes};
use leptos_router::{SsrMode, path};

use crate::context::{Visit, provide_visit};
use crate::live::provide_live;
use crate::pages::{
    dead::Dead,
    enqueue::EnqueuePage,
    help::Help,
    job::JobPage,
    jobs::Jobs,
    login::Login,
    missing::Missing,
    overview::Overview,
    queues::Queues,
    schedule::Schedule,
    schedule_form::{EditSchedule, NewSchedule},
    schedules::Schedules,
    workers::Workers,
};
use crate::parts::focus::Focused;
use crate::parts::layout::Layout;
use crate::parts::notice::provide_notices;

/// The whole document. Only the server makes it.
pub fn shell() -> impl IntoView {
    let Visit { prefs, refresh, .. } = use_context::<Visit>().unwrap_or_default();
    let (script, wasm) = ("/pkg/conveyor.js", "/pkg/conveyor.wasm");
    // The loader that Leptos offers names no nonce for the module it announces, which the strict
    // policy then refuses.
    let start = format!(
        "import({script:?}).then(m => m.default({{module_or_path: {wasm:?}}}).then(() => m.hydrate()))"
    );
    view! {
        <!DOCTYPE html>
        <html
            lang=prefs.lang.tag()
            data-theme=prefs.theme.as_str()
            data-zone=prefs.zone.as_str()
        >
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"/>
                <meta name="color-scheme" content="light dark"/>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
                <link rel="stylesheet" href="/pkg/conveyor.css"/>
                <link rel="modulepreload" href=script nonce=use_nonce()/>
                <link rel="preload" href=wasm r#as="fetch" r#type="application/wasm" crossorigin=""/>
                <script type="module" nonce=use_nonce()>
                    {start}
                </script>
                {refresh
                    .map(|seconds| {
                        view! {
                            <noscript>
                                <meta http-equiv="refresh" content=seconds.to_string()/>
                            </noscript>
                        }
                    })}
                <MetaTags/>
            </head>
            <body>
                <App/>
            </body>
        </html>
    }
}

/// The app: the same tree on the server and in the browser.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let visit = provide_visit();
    provide_live(&visit);
    provide_notices();
    provide_context(Focused::new());
    Effect::new(|_| {
        if let Some(html) = document().document_element() {
            let _ = html.set_attribute("data-ready", "");
        }
    });
    view! {
        <Router>
            <Routes fallback=Missing>
                <Route path=path!("/login") view=Login ssr=SsrMode::Async/>
                <ParentRoute path=path!("") view=Layout ssr=SsrMode::Async>
                    <Route path=path!("/") view=Overview/>
                    <Route path=path!("/queues") view=Queues/>
                    <Route path=path!("/schedules") view=Schedules/>
                    <Route path=path!("/schedules/new") view=NewSchedule/>
                    <Route path=path!("/schedules/:name") view=Schedule/>
                    <Route path=path!("/schedules/:name/edit") view=EditSchedule/>
                    <Route path=path!("/workers") view=Workers/>
                    <Route path=path!("/dead") view=Dead/>
                    <Route path=path!("/jobs") view=Jobs/>
                    <Route path=path!("/jobs/new") view=EnqueuePage/>
                    <Route path=path!("/jobs/:id") view=JobPage/>
                    <Route path=path!("/help") view=Help/>
                    <Route path=path!("/*any") view=Missing/>
                </ParentRoute>
            </Routes>
        </Router>
    }
    .into_any()
}
