//! Just enough of HTML to see what a browser would see. It reads what this server writes, not what
//! anybody might.

/// A piece of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Open(Tag),
    Close(String),
    Text(String),
}

/// The start of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
}

impl Tag {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    fn own(&self, name: &str) -> String {
        self.get(name).unwrap_or_default().to_owned()
    }
}

/// Elements whose text holds no elements.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];
/// Elements without an end.
const VOID: [&str; 8] = ["br", "hr", "img", "input", "link", "meta", "col", "wbr"];

/// Takes a document apart.
pub(super) fn read(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("<!--") {
            rest = after.split_once("-->").expect("a comment ends").1;
        } else if let Some(after) = rest.strip_prefix("</") {
            let (name, after) = after.split_once('>').expect("a tag ends");
            pieces.push(Piece::Close(name.to_owned()));
            rest = after;
        } else if rest.starts_with('<') {
            let (tag, after) = tag(&rest[1..]);
            rest = after;
            let raw = RAW.contains(&tag.name.as_str());
            let name = tag.name.clone();
            pieces.push(Piece::Open(tag));
            if raw {
                let end = rest.find(&format!("</{name}")).expect("an element ends");
                pieces.push(Piece::Text(decoded(&rest[..end])));
                rest = &rest[end..];
            }
        } else {
            let end = rest.find('<').unwrap_or(rest.len());
            pieces.push(Piece::Text(decoded(&rest[..end])));
            rest = &rest[end..];
        }
    }
    pieces
}

/// The tag whose name begins `text`, and what follows it.
fn tag(text: &str) -> (Tag, &str) {
    let end = text
        .find(|c: char| c.is_whitespace() || c == '>' || c == '/')
        .expect("a tag ends");
    let mut tag = Tag {
        name: text[..end].to_ascii_lowercase(),
        attributes: Vec::new(),
    };
    let mut rest = &text[end..];
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if let Some(after) = rest.strip_prefix('>') {
            return (tag, after);
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || c == '>' || c == '=')
            .expect("an attribute ends");
        let name = rest[..end].to_ascii_lowercase();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix("=\"") {
            let (raw, after) = after.split_once('"').expect("a value ends");
            value = decoded(raw);
            rest = after;
        } else {
            assert!(!rest.starts_with('='), "a value without quotes: {rest:.80}");
        }
        tag.attributes.push((name, value));
    }
}

fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let known = [
            ("amp;", '&'),
            ("lt;", '<'),
            ("gt;", '>'),
            ("quot;", '"'),
            ("#39;", '\''),
            ("#x27;", '\''),
            ("nbsp;", '\u{a0}'),
        ];
        if let Some((name, c)) = known.iter().find(|(name, _)| after.starts_with(name)) {
            out.push(*c);
            rest = &after[name.len()..];
        } else {
            out.push('&');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// Texts outside of some elements, each with what is inside the same element joined.
pub(super) fn texts(pieces: &[Piece], without: &[&str]) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut texts = vec![String::new()];
    for piece in pieces {
        match piece {
            Piece::Open(tag) if VOID.contains(&tag.name.as_str()) => {}
            Piece::Open(tag) => {
                open.push(&tag.name);
                texts.push(String::new());
            }
            Piece::Close(name) => {
                if let Some(place) = open.iter().rposition(|own| own == name) {
                    open.truncate(place);
                }
                texts.push(String::new());
            }
            Piece::Text(text) => {
                if !open.iter().any(|own| without.contains(own))
                    && let Some(last) = texts.last_mut()
                {
                    last.push_str(text);
                }
            }
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    texts
}

/// What is written inside each element of a name.
pub(super) fn inside(pieces: &[Piece], name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut now: Option<String> = None;
    for piece in pieces {
        match (piece, &mut now) {
            (Piece::Open(tag), None) if tag.name == name => now = Some(String::new()),
            (Piece::Close(own), Some(_)) if own == name => found.extend(now.take()),
            (Piece::Text(text), Some(now)) => now.push_str(text),
            _ => {}
        }
    }
    found
}

/// A form with what it would send.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) action: String,
    pub(super) fields: Vec<(String, String)>,
}

impl Form {
    /// Types into a field.
    pub(super) fn set(mut self, name: &str, value: &str) -> Form {
        self.fields.retain(|(own, _)| own != name);
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn value(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(own, _)| own == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Every form that is posted.
pub(super) fn forms(pieces: &[Piece]) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    let mut open = false;
    let mut select: Option<(String, Option<String>)> = None;
    let mut area: Option<String> = None;
    for piece in pieces {
        match piece {
            Piece::Open(tag) if tag.name == "form" => {
                assert!(!open, "a form within a form");
                open = true;
                let action = tag.own("action");
                forms.push(Form {
                    action: if tag.get("method") == Some("post") {
                        action
                    } else {
                        String::new()
                    },
                    fields: Vec::new(),
                });
            }
            Piece::Close(name) if name == "form" => open = false,
            _ if !open => {}
            Piece::Open(tag) if tag.name == "input" => {
                let sort = tag.get("type").unwrap_or("text");
                let off = matches!(sort, "checkbox" | "radio") && tag.get("checked").is_none();
                if !off {
                    put(&mut forms, tag.own("name"), tag.own("value"));
                }
            }
            Piece::Open(tag) if tag.name == "select" => select = Some((tag.own("name"), None)),
            Piece::Open(tag) if tag.name == "option" => {
                if let Some((_, chosen)) = &mut select
                    && (chosen.is_none() || tag.get("selected").is_some())
                {
                    *chosen = Some(tag.own("value"));
                }
            }
            Piece::Close(name) if name == "select" => {
                if let Some((name, value)) = select.take() {
                    put(&mut forms, name, value.unwrap_or_default());
                }
            }
            Piece::Open(tag) if tag.name == "textarea" => area = Some(tag.own("name")),
            Piece::Text(text) => {
                if let Some(name) = area.take() {
                    // A browser takes off the line end that follows the tag.
                    let text = text.strip_prefix('\n').unwrap_or(text);
                    put(&mut forms, name, text.to_owned());
                }
            }
            Piece::Open(_) | Piece::Close(_) => {}
        }
    }
    forms.retain(|form| !form.action.is_empty());
    forms
}

fn put(forms: &mut [Form], name: String, value: String) {
    if let Some(form) = forms.last_mut()
        && !name.is_empty()
    {
        form.fields.push((name, value));
    }
}
