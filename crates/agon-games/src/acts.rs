//! The acts of a match as a report tells them: all that was played, in order, from which anybody
//! can play it again.
//!
//! Whoever reads them trusts nobody: each act is judged by the rules as if it came from a player.
//!
//! Spec: docs/protocol/match.md

use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

use crate::play::{self, Play, Playing};
use crate::{BadMove, Failed, Game, Mismatch, Reason, Seat, Seats, Taken, Turn};

/// Why a public view shows no game of these rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadShown {
    #[error(transparent)]
    Unreadable(#[from] BadMove),
    #[error("{} contradicts {}", .0.said, .0.against)]
    Impossible(Mismatch),
    /// One of the acts that it is said to come from, counted from 1.
    #[error("act {number} is none: {why}")]
    Act { number: u32, why: BadMove },
}

/// The acts that these steps amount to, as a JSON list. Moves that were made in the same instant
/// are `[of A, of B]`, with null for who made none; a number that was drawn is that number, counted
/// from 0; a word of the referee's own is `{"word": …}`, with `about` if it is about one seat; a
/// seat that plays no more while the other goes on is `{"failed": …}`.
pub fn write_acts<T: AsRef<[u8]>>(steps: &[Taken<T>]) -> String {
    let text = |json: &T| String::from_utf8_lossy(json.as_ref()).into_owned();
    let (mut acts, mut sealed) = (Vec::new(), [None, None]);
    for step in steps {
        match step {
            Taken::Sealed(seat, json) => sealed[seat.index()] = Some(text(json)),
            Taken::Revealed(seats) => {
                let moves =
                    Seat::BOTH.map(|seat| sealed[seat.index()].take_if(|_| seats.contains(seat)));
                if moves.iter().any(Option::is_some) {
                    let [a, b] = moves.map(|it| it.unwrap_or_else(|| "null".to_owned()));
                    acts.push(format!("[{a},{b}]"));
                }
            }
            Taken::Drawn(number) => acts.push(number.to_string()),
            Taken::Word(None, json) => acts.push(format!("{{\"word\":{}}}", text(json))),
            Taken::Word(Some(seat), json) => {
                acts.push(format!("{{\"word\":{},\"about\":\"{seat:?}\"}}", text(json)));
            }
            Taken::Failed(seat) => {
                sealed[seat.index()] = None;
                acts.push(format!("{{\"failed\":\"{seat:?}\"}}"));
            }
            // That it ended there the verdict says.
            Taken::Cut => {}
        }
    }
    format!("[{}]", acts.join(","))
}

/// An act that is neither moves nor a number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Other<'a> {
    #[serde(borrow, default)]
    word: Option<&'a RawValue>,
    #[serde(default)]
    about: Option<Seat>,
    #[serde(default)]
    failed: Option<Seat>,
}

/// The game that those acts make, if each of them was legal, and if they lead to what is shown.
pub(crate) fn replay<G: Game>(game: &G, acts: &[u8], shown: &[u8]) -> Result<Play<G>, BadShown> {
    let shown: G::View = match G::read_view(shown) {
        Some(view) => view,
        None => play::read(shown)?,
    };
    let acts: Vec<&RawValue> = play::read_borrowed(acts)?;
    let mut play = Play::open(game);
    let mut broken_off = false;
    for (number, act) in (1..).zip(acts) {
        let done = match broken_off {
            true => Err(BadMove::OutOfTurn),
            false => take(&mut play, act.get()),
        };
        broken_off = done.map_err(|why| BadShown::Act { number, why })?;
    }
    let seen = play.view(None).map_err(BadMove::Payload)?;
    if seen != game.write_view(&shown) {
        let said = format!("`view` {}", game.write_view(&shown));
        return Err(BadShown::Impossible(Mismatch { said, against: format!("`acts` ({seen})") }));
    }
    Ok(play)
}

/// The moves of each seat in these acts, oldest first, word for word; none, if they are no list of
/// acts.
pub fn moves_in(acts: &[u8]) -> [Vec<String>; 2] {
    let acts: Vec<&RawValue> = play::read_borrowed(acts).unwrap_or_default();
    let mut moves = [Vec::new(), Vec::new()];
    for act in acts.into_iter().filter(|act| act.get().starts_with('[')) {
        let made: [Option<&RawValue>; 2] =
            play::read_borrowed(act.get().as_bytes()).unwrap_or_default();
        for (of_seat, json) in moves.iter_mut().zip(made) {
            of_seat.extend(json.map(|json| json.get().to_owned()));
        }
    }
    moves
}

/// Takes one act. Says whether somebody was missing in it where nobody goes on.
fn take<G: Game>(play: &mut Play<G>, act: &str) -> Result<bool, BadMove> {
    let unfit = |why: &'static str| BadMove::Illegal(Reason::Borrowed(why));
    if act.starts_with('[') {
        let moves: [Option<&RawValue>; 2] = play::read_borrowed(act.as_bytes())?;
        let made = Seats::which(|seat| moves[seat.index()].is_some());
        let awaited = play.turn();
        for (seat, json) in Seat::BOTH.into_iter().zip(moves) {
            json.map_or(Ok(()), |json| play.seal(seat, json.get().as_bytes()))?;
        }
        if made.is_empty() {
            return Err(unfit("nobody moves in it"));
        }
        play.reveal(made);
        let all = !matches!(awaited, Turn::Together(seats) if seats != made);
        return Ok(!all && G::INFO.failed == Failed::Over);
    }
    if !act.starts_with('{') {
        return play.draw(play::read(act.as_bytes())?).map(|()| false);
    }
    match play::read_borrowed(act.as_bytes())? {
        Other { word: Some(word), about, failed: None } => {
            play.word(about, word.get().as_bytes()).map(|()| false)
        }
        Other { word: None, about: None, failed: Some(seat) } => {
            if G::INFO.failed == Failed::Over {
                return Err(unfit("nobody goes on here when one has failed"));
            }
            play.fail(seat);
            Ok(false)
        }
        Other { .. } => Err(unfit("it is neither a word nor a failure")),
    }
}
