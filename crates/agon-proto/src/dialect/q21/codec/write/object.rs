//! A JSON object, written field by field in the order of the page.

use serde::Serialize;

use crate::Timestamp;

/// An object that is still open.
pub(super) struct Object<'a> {
    out: &'a mut Vec<u8>,
    is_empty: bool,
}

impl<'a> Object<'a> {
    /// Writes one object from brace to brace.
    pub(super) fn write(out: &'a mut Vec<u8>, fill: impl FnOnce(&mut Object<'_>)) {
        out.push(b'{');
        let mut object = Object { out, is_empty: true };
        fill(&mut object);
        object.out.push(b'}');
    }

    pub(super) fn put(&mut self, name: &str, value: impl Serialize) {
        self.name(name);
        put(&value, self.out);
    }

    /// Leaves the field out if there is nothing to say.
    pub(super) fn put_some(&mut self, name: &str, value: Option<impl Serialize>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    /// The same under several names: not all readers look for the same one.
    pub(super) fn put_as(&mut self, names: &[&str], value: impl Serialize) {
        for name in names {
            self.put(name, &value);
        }
    }

    /// A time under several names, if there is one.
    pub(super) fn time_as(&mut self, names: &[&str], time: Option<Timestamp>) {
        if let Some(time) = time {
            self.put_as(names, iso(time));
        }
    }

    pub(super) fn object(&mut self, name: &str, fill: impl FnOnce(&mut Object<'_>)) {
        self.name(name);
        Object::write(self.out, fill);
    }

    pub(super) fn list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        fill: impl Fn(&mut Object<'_>, T),
    ) {
        self.name(name);
        self.out.push(b'[');
        for (place, item) in items.into_iter().enumerate() {
            if place > 0 {
                self.out.push(b',');
            }
            Object::write(self.out, |object| fill(object, item));
        }
        self.out.push(b']');
    }

    fn name(&mut self, name: &str) {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
        put(&name, self.out);
        self.out.push(b':');
    }
}

/// A time as all known agents write it. Not all of their parsers read a `Z`.
pub(super) fn iso(time: Timestamp) -> String {
    let text = time.to_string();
    format!("{}+00:00", text.trim_end_matches('Z'))
}

fn put(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("our own types can be written, and memory takes all");
}
