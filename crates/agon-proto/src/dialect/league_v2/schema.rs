//! JSON Schemas of all messages, for authors of agents in other languages.
//!
//! Generated from the same types that read and write the wire, so they cannot say anything else.
//! Extra fields are allowed everywhere, as they are when we read.
//!
//! Spec: docs/protocol/README.md

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::{AuthToken, ConversationId, MessageType, PROTOCOL, Sender, Timestamp};

/// The schema of one message: envelope and body in one object, as `params` or `result` holds it.
pub fn schema(kind: MessageType) -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = kind.body_schema(&mut generator).to_value();
    let envelope = [
        ("protocol", json!({ "const": PROTOCOL })),
        ("message_type", json!({ "const": kind.name() })),
        ("sender", Sender::json_schema(&mut generator).to_value()),
        ("timestamp", Timestamp::json_schema(&mut generator).to_value()),
        ("conversation_id", ConversationId::json_schema(&mut generator).to_value()),
    ];
    let token = AuthToken::json_schema(&mut generator).to_value();
    let root = schema.as_object_mut().expect("a struct's schema is an object");
    let properties = object(root, "properties");
    properties.entry("auth_token").or_insert(token);
    for (name, value) in &envelope {
        properties.insert((*name).to_owned(), value.clone());
    }
    let required = root.entry("required").or_insert_with(|| json!([]));
    let names = envelope.iter().map(|(name, _)| Value::from(*name));
    required.as_array_mut().expect("a list of names").splice(0..0, names);
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        object(root, "$defs").extend(definitions);
    }
    root.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    root.insert("title".into(), kind.name().into());
    schema
}

/// Every message's name and schema, in the order of the spec.
pub fn all() -> Vec<(&'static str, Value)> {
    let kinds = MessageType::ALL.iter();
    kinds.map(|kind| (kind.name(), schema(*kind))).collect()
}

fn object<'a>(root: &'a mut Map<String, Value>, name: &str) -> &'a mut Map<String, Value> {
    let entry = root.entry(name).or_insert_with(|| json!({}));
    entry.as_object_mut().expect("an object by its definition")
}
