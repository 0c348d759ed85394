//! From a letter to JSON that every known generation can read.
//!
//! The envelope is the full one. Ids of broadcast, league, season and round stand in it and,
//! outside of games, in the payload as well; what goes by several names is written under all.

use serde::Serialize;

use super::put::{Put, or_null};
use super::subject::name;
use super::whole_context;
use crate::PROTOCOL;
use crate::dialect::q21::{Context, GAME_PROTOCOL, Letter};

/// The letter as JSON: the attachment and the text of a mail, or the `params` of a call.
pub fn write(letter: &Letter) -> Vec<u8> {
    let context = whole_context(letter);
    let of_game = letter.act.kind().is_of_match();
    let mut writing = Writing { out: Vec::with_capacity(1024), letter };
    writing.object(|envelope| {
        envelope.put("protocol", if of_game { GAME_PROTOCOL } else { PROTOCOL });
        envelope.put("message_type", name(&letter.act));
        envelope.put("message_id", &letter.head.id);
        envelope.put("timestamp", &letter.head.sent_at);
        envelope.name("sender");
        envelope.object(|sender| {
            sender.put("email", &or_null(&letter.head.from.address));
            sender.put("role", &or_null(&letter.head.from.role));
            sender.put("logical_id", &or_null(&letter.head.from.logical_id));
        });
        envelope.put("recipient_id", &letter.head.recipient);
        envelope.put("correlation_id", &letter.head.answers);
        envelope.put_context(&context);
        envelope.put("game_id", &context.game);
        envelope.put("auth_token", &letter.auth_token);
        envelope.name("payload");
        envelope.object(|payload| {
            if !of_game {
                payload.put_context(&context);
            }
            if let Some(said) = letter.act.said() {
                said.write(payload);
            }
        });
    });
    writing.out
}

/// A letter that is being written, field by field in the order of the page.
pub(crate) struct Writing<'a> {
    out: Vec<u8>,
    pub(super) letter: &'a Letter,
}

impl<'a> Writing<'a> {
    /// One object from brace to brace.
    pub(super) fn object(&mut self, fill: impl FnOnce(&mut Self)) {
        self.out.push(b'{');
        fill(self);
        self.out.push(b'}');
    }

    /// A list of what stands there one after the other.
    pub(super) fn list(&mut self, items: &[impl Put]) {
        self.out.push(b'[');
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                self.out.push(b',');
            }
            item.put(self);
        }
        self.out.push(b']');
    }

    /// The name of the field that comes next.
    pub(super) fn name(&mut self, name: &str) {
        if self.out.last() != Some(&b'{') {
            self.out.push(b',');
        }
        self.json(name);
        self.out.push(b':');
    }

    /// Leaves the field out if there is nothing to say.
    pub(crate) fn put(&mut self, name: &str, value: &(impl Put + ?Sized)) {
        if value.is_said() {
            self.name(name);
            value.put(self);
        }
    }

    /// The same under several names, because not all readers look for the same one: those of the
    /// list, if there is one, or else the first under which it is read.
    pub(crate) fn put_as(&mut self, lists: &[&[&str]], read: &[&str], value: &impl Put) {
        for name in *lists.first().unwrap_or(&&read[..read.len().min(1)]) {
            self.put(name, value);
        }
    }

    /// What is made of other fields, or of the rest of the letter.
    pub(crate) fn put_made<'s, T, P: Put>(
        &mut self,
        name: &str,
        said: &'s T,
        make: impl FnOnce(&'s T, &'a Letter) -> Option<P>,
    ) {
        self.put(name, &make(said, self.letter));
    }

    fn put_context(&mut self, context: &Context) {
        self.put("broadcast_id", &context.broadcast);
        self.put("league_id", &context.league);
        self.put("season_id", &context.season);
        self.put("round_id", &context.round);
    }

    pub(super) fn json(&mut self, value: &(impl Serialize + ?Sized)) {
        serde_json::to_writer(&mut self.out, value)
            .expect("our own types can be written, and memory takes all");
    }
}
