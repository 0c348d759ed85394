//! Values that a program returned: looked at one by one, so that a complaint can name the key and
//! what was found there.

use std::cell::RefCell;

use serde_json::Value;

/// How much of a value is repeated in a complaint.
const SHOWN_MAX: usize = 60;

/// What authors are told of what their programs returned.
pub(super) type Remarks = RefCell<Vec<String>>;

/// A value and where it was found, such as `questions[3].question_text`.
#[derive(Clone)]
pub(super) struct Found<'a> {
    path: String,
    /// `None` if the key is not there, or `None` stands there: authors mean the same by both.
    pub(super) value: Option<&'a Value>,
    /// What the author should know.
    remarks: &'a Remarks,
}

impl<'a> Found<'a> {
    pub(super) fn returned(method: &str, value: &'a Value, remarks: &'a Remarks) -> Self {
        Self { path: format!("what {method} returned"), value: present(Some(value)), remarks }
    }

    /// Tells the author something about it that is no reason to refuse it.
    pub(super) fn remark(&self, text: impl Into<String>) {
        self.remarks.borrow_mut().push(text.into());
    }

    /// The value under the first of these keys that is there.
    pub(super) fn key(&self, keys: &[&str]) -> Self {
        let dict = self.value.and_then(Value::as_object);
        let value = keys.iter().find_map(|key| present(dict.and_then(|dict| dict.get(*key))));
        let name = keys.first().copied().unwrap_or_default();
        let path = if self.path.starts_with("what ") {
            format!("\"{name}\"")
        } else {
            format!("{}[\"{name}\"]", self.path)
        };
        Self { path, value, ..*self }
    }

    pub(super) fn is_missing(&self) -> bool {
        self.value.is_none()
    }

    /// The entries of a list.
    pub(super) fn list(&self) -> Result<Vec<Self>, String> {
        let entries = self.value.and_then(Value::as_array);
        let entries = entries.ok_or_else(|| self.complain("must be a list"))?;
        let found = |(index, value)| Self {
            path: format!("{}[{index}]", self.path),
            value: present(Some(value)),
            ..*self
        };
        Ok(entries.iter().enumerate().map(found).collect())
    }

    /// Complains unless it is a dict.
    pub(super) fn dict(&self) -> Result<&Self, String> {
        let is_dict = self.value.is_some_and(Value::is_object);
        if is_dict { Ok(self) } else { Err(self.complain("must be a dict")) }
    }

    /// A text, without blanks around it; numbers are written out.
    pub(super) fn text(&self) -> Result<Box<str>, String> {
        match self.value {
            Some(Value::String(text)) => Ok(text.trim().into()),
            Some(Value::Number(number)) => Ok(number.to_string().into()),
            Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => {
                Err(self.complain("must be a str"))
            }
        }
    }

    /// A text with something in it.
    pub(super) fn filled(&self) -> Result<Box<str>, String> {
        let text = self.text()?;
        if text.is_empty() { Err(self.complain("must not be empty")) } else { Ok(text) }
    }

    /// A text, or nothing if the key is not there.
    pub(super) fn optional_text(&self) -> Result<Option<Box<str>>, String> {
        if self.is_missing() { Ok(None) } else { self.text().map(Some) }
    }

    /// A number; a text that says one will do.
    pub(super) fn number(&self) -> Result<f64, String> {
        let number = match self.value {
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => None,
        };
        number.filter(|number| number.is_finite()).ok_or_else(|| self.complain("must be a number"))
    }

    /// A whole number that counts something, from 1.
    pub(super) fn count(&self) -> Result<u32, String> {
        let number = self.number().map_err(|_| self.complain("must be an int"))?;
        if number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&number) {
            Ok(number as u32)
        } else {
            Err(self.complain("must be an int of 1 or more"))
        }
    }

    /// What is wrong with it.
    pub(super) fn complain(&self, rule: &str) -> String {
        format!("{} {rule}, but {}", self.path, self.found())
    }

    /// What was found there.
    fn found(&self) -> String {
        let Some(value) = self.value else { return "it is missing or None".into() };
        let kind = match value {
            Value::Null => "None",
            Value::Bool(_) => "a bool",
            Value::Number(_) => "a number",
            Value::String(_) => "a str",
            Value::Array(_) => "a list",
            Value::Object(_) => "a dict",
        };
        let mut shown: String = value.to_string().chars().take(SHOWN_MAX).collect();
        if shown.chars().count() == SHOWN_MAX {
            shown.push('…');
        }
        format!("it is {kind}: {shown}")
    }
}

fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}
