//! Twenty questions, each with four options.

use agon_proto::dialect::q21::{OPTIONS, QUESTIONS, QuestionRow};

use super::super::value::Found;

/// Exactly twenty: too many are cut, too few are no set of questions.
pub(super) fn read(
    dict: &Found<'_>,
    remarks: &mut Vec<String>,
) -> Result<Vec<QuestionRow>, String> {
    let mut entries = dict.key(&["questions"]).list()?;
    if entries.len() < QUESTIONS {
        let count = entries.len();
        return Err(format!("\"questions\" must have {QUESTIONS} entries, but it has {count}"));
    }
    if entries.len() > QUESTIONS {
        let count = entries.len();
        remarks.push(format!("\"questions\" has {count} entries: the first {QUESTIONS} are sent"));
        entries.truncate(QUESTIONS);
    }
    let numbered = entries.iter().any(|entry| !number(entry).is_missing());
    if !numbered {
        remarks
            .push("no question has a \"question_number\": they are numbered as they come".into());
    }
    let mut questions = Vec::with_capacity(QUESTIONS);
    for (entry, place) in entries.iter().zip(1..) {
        let number = if numbered { placed(entry)? } else { place };
        let text = entry.dict()?.key(&["question_text", "text"]).filled()?;
        questions.push(QuestionRow { number, text, options: options(entry)? });
    }
    questions.sort_by_key(|question| question.number);
    match questions.windows(2).find(|pair| pair[0].number == pair[1].number) {
        Some(pair) => Err(format!(
            "the \"question_number\" {} stands there twice: number them from 1 to {QUESTIONS}",
            pair[0].number
        )),
        None => Ok(questions),
    }
}

fn number<'a>(entry: &Found<'a>) -> Found<'a> {
    entry.key(&["question_number", "number"])
}

fn placed(entry: &Found<'_>) -> Result<u32, String> {
    let found = number(entry);
    let number = found.count()?;
    if number as usize > QUESTIONS {
        return Err(found.complain(&format!("must be between 1 and {QUESTIONS}")));
    }
    Ok(number)
}

/// A dict with the keys A to D, or a list of four.
fn options(entry: &Found<'_>) -> Result<[Box<str>; 4], String> {
    let found = entry.key(&["options", "choices"]);
    if let Ok(listed) = found.list() {
        let listed: [Found<'_>; 4] = listed
            .try_into()
            .map_err(|_| found.complain("must be a dict with the keys A, B, C and D"))?;
        let [a, b, c, d] = listed.map(|option| option.filled());
        return Ok([a?, b?, c?, d?]);
    }
    let dict = found.dict()?;
    let [a, b, c, d] = OPTIONS.map(|key| {
        let (upper, lower) = (key.to_string(), key.to_lowercase().to_string());
        dict.key(&[&upper, &lower]).filled()
    });
    Ok([a?, b?, c?, d?])
}
