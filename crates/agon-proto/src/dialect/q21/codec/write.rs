//! From a letter to JSON that every known generation can read, and how each value stands in it.
//!
//! The envelope is the full one. Ids of broadcast, league, season and round stand in it and,
//! outside of games, in the payload as well; what goes by several names is written under all.
//!
//! Spec: docs/protocol/q21.md

use agon_games::q21::Q21Choice;
use serde::Serialize;

use super::whole_context;
use super::wire::Wire;
use crate::dialect::q21::{
    Aborted, Act, Approval, Context, GAME_PROTOCOL, GameId, LastActor, Letter, Part, Progress,
    ReportStatus, Role, Score, StatedScore, StopReason,
};
use crate::message::{Blame, Cause};
use crate::{
    Address, AuthToken, BroadcastId, DisplayName, GroupId, LeagueId, MessageId, PROTOCOL, SeasonId,
    Timestamp, WrittenLetter,
};

/// The letter as JSON: the attachment and the text of a mail, or the `params` of a call.
pub fn write(letter: &Letter) -> String {
    let context = whole_context(letter);
    let of_game = letter.act.kind().is_of_match();
    let name = if let Act::Other(name) = &letter.act { name } else { letter.act.kind().name() };
    let mut writing = Writing { out: Vec::with_capacity(1024), letter };
    writing.object(|envelope| {
        envelope.put("protocol", if of_game { GAME_PROTOCOL } else { PROTOCOL });
        envelope.put("message_type", name);
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
    String::from_utf8(writing.out).expect("JSON of texts is UTF-8")
}

impl Letter {
    /// As it leaves.
    pub fn written(&self) -> WrittenLetter {
        let text = write(self).into();
        WrittenLetter { head: self.head.clone(), kind: self.act.kind(), text }
    }
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

/// The keys of a question's options, as names of fields.
pub(crate) const KEYS: [&str; 4] = ["A", "B", "C", "D"];

/// What can stand in a field.
pub(crate) trait Put {
    /// Writes the value.
    fn put(&self, to: &mut Writing<'_>);

    /// Whether there is anything to say.
    fn is_said(&self) -> bool {
        true
    }

    /// Adds the season or the game that this is to what the letter is about.
    fn tell(&self, _context: &mut Context) {}
}

/// Types, and what of theirs is written as JSON.
macro_rules! put {
    ($($($type:ty),+: $said:ident => $json:expr;)*) => {$($(
        impl Put for $type {
            fn put(&self, to: &mut Writing<'_>) {
                let $said = self;
                to.json(&$json);
            }
        }
    )+)*};
}

put! {
    bool, f64, u32, usize, str, &str, Box<str>, String: said => said;
    Address, BroadcastId, DisplayName, GroupId, LeagueId, MessageId: said => said;
    Blame, Cause, LastActor, StopReason: said => said;
    Aborted: said => said.0;
    Progress: said => said.name();
    AuthToken: said => said.reveal();
    Q21Choice, ReportStatus: said => said.as_str();
    Part: said => match said {
        Part::Player1 => "player1",
        Part::Player2 => "player2",
        Part::Referee => "referee",
    };
    Role: said => said.name();
    Score: said => said.points();
    Timestamp: said => iso(*said);
}

impl Put for GameId {
    fn put(&self, to: &mut Writing<'_>) {
        to.json(self);
    }

    fn tell(&self, context: &mut Context) {
        context.game.get_or_insert_with(|| self.clone());
    }
}

impl Put for SeasonId {
    fn put(&self, to: &mut Writing<'_>) {
        to.json(self);
    }

    fn tell(&self, context: &mut Context) {
        if !self.is_empty() {
            context.season.get_or_insert_with(|| self.clone());
        }
    }
}

impl Put for StatedScore {
    fn put(&self, to: &mut Writing<'_>) {
        match self {
            Self::Within(score) => score.put(to),
            Self::Beyond(digits) => digits.put(to),
        }
    }
}

/// An object of these names and values, unless there is none.
pub(crate) struct Named<'a, T>(pub(crate) &'static [&'static str], pub(crate) &'a [T]);

impl<T: Put> Put for Named<'_, T> {
    fn put(&self, to: &mut Writing<'_>) {
        to.object(|to| self.0.iter().zip(self.1).for_each(|(name, value)| to.put(name, value)));
    }

    fn is_said(&self) -> bool {
        !self.1.is_empty()
    }
}

/// What A, B, C and D mean.
pub(crate) fn lettered(options: &[Box<str>]) -> Named<'_, Box<str>> {
    Named(&KEYS, options)
}

impl<T: Wire> Put for T {
    fn put(&self, to: &mut Writing<'_>) {
        to.object(|to| self.write(to));
    }
}

impl<T: Put> Put for Vec<T> {
    fn put(&self, to: &mut Writing<'_>) {
        to.list(self);
    }
}

impl<T: Put> Put for Option<T> {
    fn put(&self, to: &mut Writing<'_>) {
        match self {
            Some(said) => said.put(to),
            None => to.json(&()),
        }
    }

    fn is_said(&self) -> bool {
        self.is_some()
    }

    fn tell(&self, context: &mut Context) {
        if let Some(said) = self {
            said.tell(context);
        }
    }
}

/// What is written even if there is nothing to say.
pub(crate) struct OrNull<'a, T>(&'a Option<T>);

/// `null` instead of no field.
pub(crate) fn or_null<T>(said: &Option<T>) -> OrNull<'_, T> {
    OrNull(said)
}

impl<T: Put> Put for OrNull<'_, T> {
    fn put(&self, to: &mut Writing<'_>) {
        self.0.put(to);
    }
}

/// A text that is empty instead of no field.
pub(crate) fn or_empty(time: &Option<Timestamp>) -> String {
    time.map_or(String::new(), iso)
}

/// A number as a text.
pub(crate) fn in_digits(number: &u32) -> String {
    number.to_string()
}

/// A number between 0 and 1.
pub(crate) fn fraction(hundredths: &u32) -> f64 {
    f64::from(*hundredths) / 100.0
}

/// A time as all known agents write it. Not all of their parsers read a `Z`.
fn iso(time: Timestamp) -> String {
    format!("{}+00:00", time.to_string().trim_end_matches('Z'))
}

/// Yes or no, in the words that its readers know.
pub(crate) fn spelled(verdict: &Approval, yes: &'static str, no: &'static str) -> &'static str {
    if *verdict == Approval::Accepted { yes } else { no }
}
