//! Objects for machines, made field by field: each is called and said in one place.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// An object whose fields stand in the order in which they were said.
pub(crate) struct Object<F>(F);

/// An object without fields.
pub(crate) const fn object() -> Object<()> {
    Object(())
}

impl<F: Fields> Object<F> {
    pub(crate) fn with<V: Serialize>(self, name: &'static str, value: V) -> Object<impl Fields> {
        self.with_any(name, Some(value))
    }

    /// The same, if there is something to say.
    pub(crate) fn with_any<V: Serialize>(
        self,
        name: &'static str,
        value: Option<V>,
    ) -> Object<impl Fields> {
        Object((self.0, name, value))
    }
}

impl<F: Fields> Serialize for Object<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.write(&mut map)?;
        map.end()
    }
}

/// The fields of an object.
pub(crate) trait Fields {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

impl Fields for () {
    fn write<M: SerializeMap>(&self, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

/// One more field.
impl<F: Fields, V: Serialize> Fields for (F, &'static str, Option<V>) {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let (before, name, value) = self;
        before.write(map)?;
        value.iter().try_for_each(|value| map.serialize_entry(name, value))
    }
}
