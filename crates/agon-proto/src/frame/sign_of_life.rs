//! Whether whoever answers a harmless request is an agent at all.
//!
//! Agents in the wild answer what they do not know with any status and any object. A page, a path
//! that is not there and a proxy without a server behind it are none of them.
//!
//! Spec: docs/protocol/registration.md

use super::answer::decode_answer;
use super::object::{REDIRECTS, is_page};
use super::{Limits, is_object};

/// Says why an answer to any request shows no agent, for whoever operates the league.
///
/// # Errors
/// With what answers there instead.
pub fn sign_of_life(bytes: &[u8], status: u16, limits: Limits) -> Result<(), String> {
    let is_framed = decode_answer(bytes, limits).is_ok();
    let none = |what: &str| Err(format!("it answers, but is no agent there: HTTP {status}{what}"));
    match status {
        300..400 => none(&format!(", {REDIRECTS}")),
        // Frameworks say so in JSON, but not in the frame of an answer.
        404 if !is_framed => none(": nothing is served at this path"),
        405 if !is_framed => none(": POST is not taken at this path"),
        502..=504 if !is_framed => none(": a proxy, and nobody behind it"),
        _ if is_page(bytes) => none(" with a page of HTML"),
        200..300 if bytes.trim_ascii().is_empty() => none(" and nothing else"),
        200..300 if !str::from_utf8(bytes).is_ok_and(is_object) => {
            none(" with something that is no JSON object")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
