//! A JSON object with one entry for each of a match's two players, such as `choices`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::PlayerId;

/// At most two entries, in order. Lives on the stack: a match has two players, not a map of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerPlayer<T>([Option<(PlayerId, T)>; 2]);

impl<T: Copy> PerPlayer<T> {
    /// No entries.
    pub const fn empty() -> Self {
        Self([None, None])
    }

    /// One entry for each.
    pub const fn both(a: (PlayerId, T), b: (PlayerId, T)) -> Self {
        Self([Some(a), Some(b)])
    }

    /// The entries that there are.
    pub fn of(entries: [Option<(PlayerId, T)>; 2]) -> Self {
        Self(entries)
    }

    /// The entry of that player.
    pub fn get(&self, player: PlayerId) -> Option<T> {
        self.iter().find(|(id, _)| *id == player).map(|(_, value)| value)
    }

    /// The entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = (PlayerId, T)> + '_ {
        // Not flattened: that is made for longer lists than two, and this is asked in every match.
        self.0.iter().filter_map(|entry| *entry)
    }

    /// Whether there is no entry at all.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

impl<T: Copy> Default for PerPlayer<T> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<T: Serialize + Copy> Serialize for PerPlayer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.iter().count()))?;
        for (player, value) in self.iter() {
            map.serialize_entry(&player, &value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de> + Copy> Deserialize<'de> for PerPlayer<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Copy> Visitor<'de> for Entries<T> {
            type Value = PerPlayer<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with at most two player ids")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PerPlayer<T>, A::Error> {
                let mut entries = [None, None];
                let mut count = 0;
                while let Some(entry) = map.next_entry()? {
                    let slot = entries.get_mut(count);
                    *slot.ok_or_else(|| de::Error::invalid_length(count + 1, &self))? = Some(entry);
                    count += 1;
                }
                Ok(PerPlayer(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for PerPlayer<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("PerPlayer_{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let value = generator.subschema_for::<T>();
        schemars::json_schema!({
            "type": "object", "maxProperties": 2,
            "propertyNames": { "pattern": "^P[0-9]{2,}$" }, "additionalProperties": value,
        })
    }
}

#[cfg(test)]
mod tests;
