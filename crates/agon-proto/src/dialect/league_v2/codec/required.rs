//! Which fields a message cannot do without. Asked only when one could not be read.

use super::diagnose::{Members, elements, members};
use crate::json::Field;

/// The envelope's own, besides the two by which it is recognised.
pub(super) const ENVELOPE: &[Field] = &[
    Field { name: "sender", required: true, within: &[] },
    Field { name: "timestamp", required: true, within: &[] },
    Field { name: "conversation_id", required: true, within: &[] },
];

/// The path of the first field that is not there, such as `matches[1].player_A_id`.
pub(super) fn missing(fields: &[Field], object: &Members<'_>) -> Option<String> {
    fields.iter().find_map(|field| {
        let Some(value) = object.get(field.name) else {
            return field.required.then(|| field.name.to_owned());
        };
        let within = field.within.first()?;
        if let Some(object) = members(value.get()) {
            let path = missing(within, &object)?;
            return Some(format!("{}.{path}", field.name));
        }
        let elements = elements(value.get()).unwrap_or_default();
        elements.into_iter().enumerate().find_map(|(index, element)| {
            let path = missing(within, &members(element.get())?)?;
            Some(format!("{}[{index}].{path}", field.name))
        })
    })
}
