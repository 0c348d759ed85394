//! JSON Schemas of all messages, for authors of agents in other languages.
//!
//! Generated from the same types that read and write the wire, so they cannot say anything else.
//! Extra fields are allowed everywhere, as they are when we read.
//!
//! Spec: docs/protocol/README.md

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::message::{
    ChooseParityCall, ChooseParityResponse, GameError, GameInvitation, GameJoinAck, GameMoveCall,
    GameMoveResponse, GameOver, Heartbeat, LeagueCompleted, LeagueError, LeagueQuery,
    LeagueQueryResponse, LeagueRegisterRequest, LeagueRegisterResponse, LeagueStandingsUpdate,
    MatchAssignment, MatchResultReport, PlayerWithdrawn, RefereeRegisterRequest,
    RefereeRegisterResponse, RoundAnnouncement, RoundCompleted,
};
use crate::{AuthToken, ConversationId, MessageType, PROTOCOL, Sender, Timestamp};

/// The schema of one message: envelope and body in one object, as `params` or `result` holds it.
pub fn schema(kind: MessageType) -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = body(kind, &mut generator).to_value();
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

fn body(kind: MessageType, generator: &mut SchemaGenerator) -> schemars::Schema {
    match kind {
        MessageType::RefereeRegisterRequest => RefereeRegisterRequest::json_schema(generator),
        MessageType::RefereeRegisterResponse => RefereeRegisterResponse::json_schema(generator),
        MessageType::LeagueRegisterRequest => LeagueRegisterRequest::json_schema(generator),
        MessageType::LeagueRegisterResponse => LeagueRegisterResponse::json_schema(generator),
        MessageType::RoundAnnouncement => RoundAnnouncement::json_schema(generator),
        MessageType::RoundCompleted => RoundCompleted::json_schema(generator),
        MessageType::LeagueCompleted => LeagueCompleted::json_schema(generator),
        MessageType::GameInvitation => GameInvitation::json_schema(generator),
        MessageType::GameJoinAck => GameJoinAck::json_schema(generator),
        MessageType::ChooseParityCall => ChooseParityCall::json_schema(generator),
        MessageType::ChooseParityResponse => ChooseParityResponse::json_schema(generator),
        MessageType::GameOver => GameOver::json_schema(generator),
        MessageType::MatchResultReport => MatchResultReport::json_schema(generator),
        MessageType::LeagueStandingsUpdate => LeagueStandingsUpdate::json_schema(generator),
        MessageType::LeagueError => LeagueError::json_schema(generator),
        MessageType::GameError => GameError::json_schema(generator),
        MessageType::LeagueQuery => LeagueQuery::json_schema(generator),
        MessageType::LeagueQueryResponse => LeagueQueryResponse::json_schema(generator),
        MessageType::GameMoveCall => GameMoveCall::json_schema(generator),
        MessageType::GameMoveResponse => GameMoveResponse::json_schema(generator),
        MessageType::MatchAssignment => MatchAssignment::json_schema(generator),
        MessageType::Heartbeat => Heartbeat::json_schema(generator),
        MessageType::PlayerWithdrawn => PlayerWithdrawn::json_schema(generator),
    }
}
