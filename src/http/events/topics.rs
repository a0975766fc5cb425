//! Reading `?topics=`.

use conveyor_model::error::Invalid;
use conveyor_model::event::Topic;

/// The most topics of one stream.
const MOST: usize = 50;

/// The topics of a query string; everything that is not about one thing when none is named. A comma
/// separates topics, but one that is part of a queue's name may be written as `%2C`.
pub(crate) fn read(query: &str) -> Result<Vec<Topic>, Invalid> {
    let mut topics = Vec::new();
    let mut invalid = Invalid::none();
    for pair in query.split('&') {
        let Some(list) = pair.strip_prefix("topics=") else {
            if !pair.is_empty() && pair != "topics" {
                let name = pair.split('=').next().unwrap_or(pair);
                invalid.add(
                    format!("/{name}"),
                    "is not a known query parameter; known is topics",
                );
            }
            continue;
        };
        for part in list.split(',').filter(|part| !part.is_empty()) {
            match one_or_more(&decoded(part)) {
                Ok(more) => topics.extend(more),
                Err(fault) => invalid.add("/topics", fault),
            }
        }
    }
    if topics.len() > MOST {
        invalid.add(
            "/topics",
            format!("holds {} topics, at most {MOST} are allowed", topics.len()),
        );
    }
    if topics.is_empty() {
        topics = vec![
            Topic::Counts,
            Topic::Jobs,
            Topic::Queues,
            Topic::Schedules,
            Topic::Workers,
            Topic::Operations,
        ];
    }
    invalid.or(|| topics)
}

/// A browser may have escaped the commas of the whole list: it is one if each of its parts is a topic.
fn one_or_more(text: &str) -> Result<Vec<Topic>, String> {
    let parts: Result<Vec<Topic>, String> = text.split(',').map(str::parse).collect();
    parts.or_else(|_| Ok(vec![text.parse()?]))
}

fn decoded(part: &str) -> String {
    // `form_urlencoded` decodes pairs; this is the value of one.
    let pair = format!("t={part}");
    url::form_urlencoded::parse(pair.as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(query: &str) -> Vec<Topic> {
        read(query).unwrap()
    }

    #[test]
    fn a_list_is_read_whether_its_commas_are_escaped_or_not() {
        let both = vec![Topic::Counts, Topic::Job(7.try_into().unwrap())];
        assert_eq!(names("topics=counts,job:7"), both);
        assert_eq!(names("topics=counts%2Cjob%3A7"), both);
        assert_eq!(names("topics=counts&topics=job:7"), both);
        assert_eq!(names("topics=queue:a%2Cb"), ["queue:a,b".parse().unwrap()]);
        assert_eq!(names("").len(), 6);
    }

    #[test]
    fn what_is_no_topic_is_named() {
        assert_eq!(
            read("topics=counts,all").unwrap_err().errors[0].pointer,
            "/topics"
        );
        assert_eq!(
            read("topic=counts").unwrap_err().errors[0].pointer,
            "/topic"
        );
        let many = format!("topics={}", "counts,".repeat(51));
        assert!(read(&many).is_err());
    }
}
