//! The table of required fields says what the types say.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::diagnose::ENVELOPE;
use crate::MessageType;
use crate::json::Field;
use crate::schema::schema;

/// Every path that the table requires.
fn table(fields: &[Field], prefix: &str, paths: &mut BTreeSet<String>) {
    for field in fields {
        let path = format!("{prefix}{}", field.name);
        for within in field.within {
            table(within, &format!("{path}."), paths);
        }
        if field.required {
            paths.insert(path);
        }
    }
}

/// Every path that a schema requires, through references and lists.
fn schemas(root: &Value, node: &Value, prefix: &str, paths: &mut BTreeSet<String>) {
    if let Some(reference) = node["$ref"].as_str() {
        let node = root.pointer(reference.trim_start_matches('#')).unwrap();
        return schemas(root, node, prefix, paths);
    }
    for branch in node["anyOf"].as_array().into_iter().flatten() {
        schemas(root, branch, prefix, paths);
    }
    if node["items"].is_object() {
        schemas(root, &node["items"], prefix, paths);
    }
    for name in node["required"].as_array().into_iter().flatten() {
        paths.insert(format!("{prefix}{}", name.as_str().unwrap()));
    }
    for (name, value) in node["properties"].as_object().into_iter().flatten() {
        schemas(root, value, &format!("{prefix}{name}."), paths);
    }
}

#[test]
fn the_table_says_what_the_types_say() {
    for kind in MessageType::ALL {
        let mut expected = BTreeSet::new();
        let schema = schema(*kind);
        schemas(&schema, &schema, "", &mut expected);
        let mut paths: BTreeSet<String> = ["protocol", "message_type"].map(Into::into).into();
        table(ENVELOPE, "", &mut paths);
        table(kind.fields(), "", &mut paths);
        assert_eq!(paths, expected, "{kind:?}");
    }
}
