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

struct Inner<T> {
    /// As it came; `None` if it was made here.
    text: Option<Box<RawValue>>,
    entries: OnceLock<Box<[T]>>,
}

impl<T> Listed<T> {
    /// The entries. A list that came with an entry that cannot be read is as good as none.
    pub fn entries(&self) -> &[T]
    where
        T: DeserializeOwned,
    {
        self.0.entries.get_or_init(|| {
            let text = self.0.text.as_ref().map_or("[]", |text| text.get());
            serde_json::from_str::<Vec<T>>(text).unwrap_or_default().into()
        })
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
        Self(Arc::new(Inner { text: None, entries: OnceLock::from(entries.into_boxed_slice()) }))
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

impl<T: Serialize> Serialize for Listed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (&self.0.text, self.0.entries.get()) {
            (Some(text), _) => text.serialize(serializer),
            (None, Some(entries)) => entries.serialize(serializer),
            (None, None) => serializer.collect_seq(std::iter::empty::<T>()),
        }
    }
}

impl<'de, T> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        if !text.get().starts_with('[') {
            return Err(D::Error::invalid_type(Unexpected::Other("something else"), &"a list"));
        }
        Ok(Self(Arc::new(Inner { text: Some(text), entries: OnceLock::new() })))
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
