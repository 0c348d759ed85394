//! A list that is read when somebody looks at it.
//!
//! Announcements and tables go to everybody after every round, and most who get them never look.
//! So the door checks that there is a list, and leaves its entries for whoever wants them.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::de::{DeserializeOwned, Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A list of the wire. Cheap to clone.
#[derive(Clone)]
pub struct Listed<T>(Arc<Inner<T>>);

enum Inner<T> {
    /// It did not come, it was made here.
    Ours(Box<[T]>),
    /// As it came, and its entries as soon as somebody has looked.
    Came(Text, OnceLock<Box<[T]>>),
}

/// A list as it came.
enum Text {
    /// JSON.
    Read(Box<RawValue>),
    /// Whatever stood there. It begins as a list does, and nobody has looked further.
    Unread(Box<str>),
}

impl Text {
    fn as_str(&self) -> &str {
        match self {
            Self::Read(text) => text.get(),
            Self::Unread(text) => text,
        }
    }
}

impl<T> Listed<T> {
    /// A list that begins with `text`, which nobody has looked at yet.
    pub(crate) fn unread(text: &str) -> Self {
        Self::came(Text::Unread(text.into()))
    }

    fn came(text: Text) -> Self {
        Self(Arc::new(Inner::Came(text, OnceLock::new())))
    }

    /// The entries. A list that came with an entry that cannot be read is as good as none.
    pub fn entries(&self) -> &[T]
    where
        T: DeserializeOwned,
    {
        match &*self.0 {
            Inner::Ours(entries) => entries,
            Inner::Came(text, entries) => entries.get_or_init(|| {
                // What follows the list is not ours to judge here: it was set aside along with it.
                let mut reader = serde_json::Deserializer::from_str(text.as_str());
                Vec::<T>::deserialize(&mut reader).unwrap_or_default().into()
            }),
        }
    }

    /// Its size in bytes: of the text it came as, or `each` for every entry that was made here.
    pub fn size(&self, each: usize) -> usize {
        match &*self.0 {
            Inner::Ours(entries) => entries.len() * each,
            Inner::Came(text, _) => text.as_str().len(),
        }
    }

    /// Whether this may stand in it, judged by the text it came as. One that was made here may.
    pub fn may_contain(&self, part: &str) -> bool {
        match &*self.0 {
            Inner::Ours(_) => true,
            Inner::Came(text, _) => text.as_str().contains(part),
        }
    }

    /// Whether it has no entry. Does not read a list that came as text.
    pub fn is_empty(&self) -> bool {
        match &*self.0 {
            Inner::Ours(entries) => entries.is_empty(),
            Inner::Came(text, _) => {
                text.as_str().bytes().skip(1).all(|byte| b" \t\r\n]".contains(&byte))
            }
        }
    }
}

impl<T: DeserializeOwned> Deref for Listed<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.entries()
    }
}

impl<T> From<Vec<T>> for Listed<T> {
    fn from(entries: Vec<T>) -> Self {
        Self(Arc::new(Inner::Ours(entries.into())))
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: DeserializeOwned + fmt::Debug> fmt::Debug for Listed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries().fmt(f)
    }
}

impl<T: DeserializeOwned + PartialEq> PartialEq for Listed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries()
    }
}

impl<T: DeserializeOwned + Eq> Eq for Listed<T> {}

impl<T: Serialize + DeserializeOwned> Serialize for Listed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &*self.0 {
            Inner::Came(Text::Read(text), _) => text.serialize(serializer),
            Inner::Came(Text::Unread(_), _) | Inner::Ours(_) => {
                serializer.collect_seq(self.entries())
            }
        }
    }
}

impl<'de, T> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        if !text.get().starts_with('[') {
            return Err(D::Error::invalid_type(Unexpected::Other("something else"), &"a list"));
        }
        Ok(Self::came(Text::Read(text)))
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Listed<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Array_of_{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<T>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests;
