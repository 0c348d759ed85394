//! How deeply JSON is nested, found out by parsing it: the judge of the scan that proto does.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// The depth of a JSON text, or nothing if it is none (or deeper than the parser goes).
pub(crate) fn depth(bytes: &[u8]) -> Option<usize> {
    serde_json::from_slice::<Depth>(bytes).ok().map(|depth| depth.0)
}

struct Depth(usize);

impl<'de> Deserialize<'de> for Depth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Depth;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Depth, E> {
        Ok(Depth(0))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Depth, E> {
        Ok(Depth(0))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Depth, E> {
        Ok(Depth(0))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Depth, E> {
        Ok(Depth(0))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Depth, E> {
        Ok(Depth(0))
    }

    fn visit_unit<E: Error>(self) -> Result<Depth, E> {
        Ok(Depth(0))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Depth, A::Error> {
        let mut deepest = 0;
        while let Some(Depth(depth)) = list.next_element()? {
            deepest = deepest.max(depth);
        }
        Ok(Depth(deepest + 1))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Depth, A::Error> {
        let mut deepest = 0;
        while let Some((_, Depth(depth))) = object.next_entry::<String, Depth>()? {
            deepest = deepest.max(depth);
        }
        Ok(Depth(deepest + 1))
    }
}
