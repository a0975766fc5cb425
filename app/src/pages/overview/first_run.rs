//! What the overview shows before the first job.

use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::{use_lang, with_visit};
use crate::i18n::{frame, overview as text};
use crate::parts::copy::CopyButton;
use crate::parts::{Icon, Panel, Sign};
use crate::paths;

/// Three steps to the first job.
#[component]
pub(super) fn FirstRun() -> impl IntoView {
    let lang = use_lang();
    let origin = with_visit(|visit| visit.origin.clone());
    let command = format!(
        "curl {origin}/api/v1/jobs \\\n  -H \"Authorization: Bearer $API_TOKEN\" \\\n  \
         -H 'Content-Type: application/json' \\\n  -d '{{\"kind\": \"email.send\", \"payload\": \
         {{\"to\": \"you@example.org\", \"subject\": \"Hello\", \"text\": \"It works.\"}}}}'"
    );
    let copied = command.clone();
    view! {
        <Panel title=text::first_title(lang) note=text::first_text(lang)>
            <ol class="steps">
                <li>
                    <p>{text::step_token(lang)}</p>
                    <pre class="code">"export API_TOKEN=…"</pre>
                </li>
                <li>
                    <p>{text::step_curl(lang)}</p>
                    <div class="copied">
                        <pre class="code">{command}</pre>
                        <CopyButton
                            text=Signal::derive(move || copied.clone())
                            label=text::copy_command(lang)
                        />
                    </div>
                </li>
                <li>
                    <p>{text::step_form(lang)}</p>
                    <A href=paths::NEW_JOB attr:class="button primary">
                        <Icon sign=Sign::Plus/>
                        <span>{frame::enqueue_long(lang)}</span>
                    </A>
                </li>
            </ol>
        </Panel>
    }
    .into_any()
}
