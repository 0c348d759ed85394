//! The schemas: those in the documentation are the generated ones, and the golden files obey them.

use agon_proto::MessageType;
use agon_proto::schema::{all, schema};
use serde_json::Value;

use crate::files::{docs, message, read};

#[test]
fn the_documented_schemas_are_the_generated_ones() {
    for (name, generated) in all() {
        let file = docs().join(format!("schema/{name}.schema.json"));
        let documented: Value = serde_json::from_str(&read(&file)).unwrap();
        assert_eq!(documented, generated, "run the example `schemas` for {name}");
    }
}

#[test]
fn golden_files_obey_their_schemas() {
    for kind in MessageType::ALL {
        let frame: Value = serde_json::from_str(&message(kind.name())).unwrap();
        let said = frame.get("params").or_else(|| frame.get("result")).unwrap();
        let validator = jsonschema::validator_for(&schema(*kind)).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(said).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{kind:?}");
    }
}

#[test]
fn a_schema_refuses_what_lacks_a_field() {
    let validator = jsonschema::validator_for(&schema(MessageType::GameJoinAck)).unwrap();
    let frame: Value = serde_json::from_str(&message("GAME_JOIN_ACK")).unwrap();
    let mut said = frame["result"].clone();
    said.as_object_mut().unwrap().remove("accept");
    assert!(!validator.is_valid(&said));
}
