//! Payload and result: set out for the eye, copied exactly.

use conveyor_model::job::Job;
use leptos::prelude::*;

use crate::context::{use_lang, with_visit};
use crate::i18n::job as text;
use crate::parts::copy::CopyButton;
use crate::parts::pretty::pretty;

/// A panel with a JSON text.
#[component]
pub(super) fn JsonPanel(
    #[prop(into)] title: String,
    #[prop(into)] copy: String,
    json: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let lang = use_lang();
    let set = pretty(&json);
    let differs = set != json;
    let size = text::bytes(lang, u64::try_from(json.len()).unwrap_or(0));
    view! {
        <section class="panel json">
            <div class="panel-head">
                <h2>{title}</h2>
                <span class="quiet">{size}</span>
                <CopyButton text=json.clone() label=copy/>
            </div>
            <pre class="code" tabindex="0">
                {set}
            </pre>
            {differs
                .then(|| {
                    view! {
                        <details>
                            <summary>{text::exact(lang)}</summary>
                            <pre class="code" tabindex="0">
                                {json}
                            </pre>
                        </details>
                    }
                })}
            {children.map(|children| children())}
        </section>
    }
}

/// The payload, and the request that enqueues the same again.
#[component]
pub(super) fn PayloadPanel(job: Job) -> impl IntoView {
    let lang = use_lang();
    let payload = job.payload.as_str().to_owned();
    let command = with_visit(|visit| curl(&visit.origin, &job));
    view! {
        <JsonPanel title=text::payload(lang) copy=text::copy_payload(lang) json=payload>
            <details>
                <summary>{text::as_curl(lang)}</summary>
                <p class="quiet curl-note">
                    {text::curl_text(lang)} <CopyButton text=command.clone() label=text::copy_curl(lang)/>
                </p>
                <pre class="code" tabindex="0">
                    {command}
                </pre>
            </details>
        </JsonPanel>
    }
}

/// The shell command that enqueues the same job.
fn curl(origin: &str, job: &Job) -> String {
    let row = &job.row;
    let text = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let mut body = format!("{{\"kind\":{}", text(row.kind.as_str()));
    body.push_str(&format!(",\"queue\":{}", text(row.queue.as_str())));
    if row.priority != conveyor_model::name::Priority::DEFAULT {
        body.push_str(&format!(",\"priority\":{}", row.priority));
    }
    body.push_str(&format!(",\"payload\":{}}}", job.payload));
    format!(
        "curl {origin}/api/v1/jobs \\\n  -H \"Authorization: Bearer $API_TOKEN\" \\\n  -H 'Content-Type: application/json' \\\n  -d {}",
        quoted(&body)
    )
}

/// One word for a shell, whatever is in it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_does_not_end_the_word() {
        assert_eq!(quoted("a'b $x"), r"'a'\''b $x'");
    }
}
