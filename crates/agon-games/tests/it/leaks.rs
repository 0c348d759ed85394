//! No seat sees what it may not know. A game that lets one peep is found out.
//!
//! What everybody may know is the public view; what a seat may know besides is its own. So if an
//! act of somebody else is changed and the public never sees a difference, the seat must not see
//! one either; and what is drawn unseen may be shown to one seat at most.

use std::collections::HashMap;

use agon_games::{Gains, Game, GameInfo, NoWord, Play, Playing, Seat, Seats, Step, Turn, Visitor};
use serde::{Deserialize, Serialize};

use crate::table::{Act, Dice, any_move, any_word, every_game, fold, random_match, view};

/// What a seat sees of a game that it must not see, if anything.
fn leak<G: Game>(game: &G, seeds: u64) -> Option<String> {
    (0..seeds).find_map(|seed| {
        let mut dice = Dice(seed);
        let acts = random_match(game, &mut dice, seed % 4 == 0);
        (0..acts.len()).find_map(|place| changed(game, &acts, place, &mut dice))
    })
}

/// Changes one act of a match, and looks who sees it.
fn changed<G: Game>(game: &G, acts: &[Act], place: usize, dice: &mut Dice) -> Option<String> {
    let before = fold(game, &acts[..place])?;
    let other = otherwise(&before, &acts[place], dice)?;
    let mut two = [before.clone(), before];
    acts[place].take(&mut two[0])?;
    other.take(&mut two[1])?;
    for (number, act) in acts[place..].iter().enumerate() {
        if number > 0 {
            for play in &mut two {
                act.take(play)?;
            }
        }
        let sees = |seat| view(&two[0], seat) != view(&two[1], seat);
        if sees(None) {
            return None;
        }
        let seen = Seats::which(|seat| sees(Some(seat)));
        let may_see = match &acts[place] {
            Act::Moves(moves) => moves.iter().all(|(seat, _)| *seat == Seat::A),
            Act::Word(about, _) => *about == Some(Seat::A),
            // Whose card it is only the game knows; it is nobody else's.
            Act::Drawn(_) if seen == Seats::BOTH => return Some(told(&two, acts, place)),
            Act::Drawn(_) | Act::Failed(_) => continue,
        };
        let stranger = if may_see { Seat::B } else { Seat::A };
        if seen.contains(stranger) {
            return Some(told(&two, acts, place));
        }
    }
    None
}

fn told<G: Game>(two: &[Play<G>; 2], acts: &[Act], place: usize) -> String {
    format!("{:?} shows in {:?} and {:?}", acts[place], two[0], two[1])
}

/// Another act in the place of that one, of one seat alone where it is a move.
fn otherwise<G: Game>(play: &Play<G>, act: &Act, dice: &mut Dice) -> Option<Act> {
    let other = match act {
        Act::Moves(moves) => match moves.as_slice() {
            [(seat, _)] => Act::Moves(vec![(*seat, any_move(play, *seat, dice))]),
            _ => return None,
        },
        Act::Drawn(_) => match play.turn() {
            Turn::Chance(below) => Act::Drawn(u32::try_from(dice.below(below as usize)).ok()?),
            Turn::Together(_) | Turn::Apart { .. } | Turn::Oracle | Turn::Over => return None,
        },
        Act::Word(about, _) => Act::Word(*about, any_word(play, *about, dice)),
        Act::Failed(_) => return None,
    };
    (other != *act).then_some(other)
}

/// Positions that look the same to a seat, and in which it has done and is asked the same, offer it
/// the same.
fn unlike<G: Game>(game: &G, seeds: u64) -> Option<String> {
    let mut known: HashMap<(Seat, String, String), String> = HashMap::new();
    for seed in 0..seeds {
        let acts = random_match(game, &mut Dice(seed), false);
        let mut play = Play::open(game);
        let mut done = [String::new(), String::new()];
        for act in &acts {
            for seat in Seat::BOTH {
                let asked = play.turn().asked().contains(seat);
                let offered = play.options(seat).filter(|_| asked);
                let now = format!("{offered:?} {}", view(&play, None));
                let own = format!("{asked} {}", done[seat.index()]);
                let key = (seat, own, view(&play, Some(seat)));
                let first = known.entry(key).or_insert_with(|| now.clone());
                if *first != now {
                    return Some(format!("{seat:?} in {play:?}: {first} and {now}"));
                }
            }
            if let Act::Moves(moves) = act {
                for (seat, json) in moves {
                    done[seat.index()].push_str(json);
                }
            }
            act.take(&mut play).unwrap();
        }
    }
    None
}

#[test]
fn no_game_lets_a_seat_peep() {
    #[derive(Clone, Copy)]
    struct Honest;
    impl Visitor for Honest {
        type Output = ();
        fn visit<G: Game>(self, game: &G) {
            let matches = if game.acts_max() > 100 { 2 } else { 200 };
            assert_eq!(leak(game, matches), None);
            assert_eq!(unlike(game, matches), None);
        }
    }
    every_game(Honest);
}

#[test]
fn no_view_holds_a_secret_of_the_referee() {
    #[derive(Clone, Copy)]
    struct Discreet;
    impl Visitor for Discreet {
        type Output = ();
        fn visit<G: Game>(self, game: &G) {
            for seed in 0..100 {
                let mut play = Play::open(game);
                for act in random_match(game, &mut Dice(seed), seed % 2 == 0) {
                    act.take(&mut play).unwrap();
                    for seat in [None, Some(Seat::A), Some(Seat::B)] {
                        let text = view(&play, seat).to_lowercase();
                        assert!(!text.contains("secret"), "{text}");
                    }
                }
            }
        }
    }
    every_game(Discreet);
}

/// A game of cards with one fault, or none: each gets a card unseen, then each bets unseen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Cards {
    fault: Fault,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Fault {
    None,
    /// Everybody gets the whole state.
    ShowsState,
    /// The other's card shines through.
    ShowsCard,
    /// The other's bet shines through.
    ShowsBet,
    /// What may be bet depends on the other's card.
    OptionsTell,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema)]
struct Hands {
    cards: [Option<u32>; 2],
    bets: [Option<u32>; 2],
}

impl Game for Cards {
    type State = Hands;
    type Move = u32;
    type View = Hands;
    type Word = NoWord;
    const INFO: GameInfo =
        GameInfo { name: "cards", asks: &["bet"], symmetric: false, ..GameInfo::USUAL };

    fn standard() -> Self {
        Self { fault: Fault::None }
    }

    fn acts_max(&self) -> u32 {
        4
    }

    fn begin(&self) -> Hands {
        Hands::default()
    }

    fn turn(&self, state: &Hands) -> Turn {
        let asked = Seats::which(|seat| state.bets[seat.index()].is_none());
        match (state.cards, asked.is_empty()) {
            ([None, _] | [_, None], _) => Turn::Chance(3),
            ([Some(_), Some(_)], false) => Turn::Apart { asked, judged: Seats::NONE },
            ([Some(_), Some(_)], true) => Turn::Over,
        }
    }

    fn options(&self, state: &Hands, seat: Seat) -> Option<Vec<u32>> {
        let most = match (self.fault, state.cards[seat.other().index()]) {
            (Fault::OptionsTell, Some(card)) => card + 1,
            (_, Some(_) | None) => 3,
        };
        Some((0..most).collect())
    }

    fn apply(&self, state: &mut Hands, step: Step<u32, NoWord>) {
        match step {
            Step::Moves([a, b]) => state.bets = [a.or(state.bets[0]), b.or(state.bets[1])],
            Step::Drawn(card) if state.cards[0].is_none() => state.cards[0] = Some(card),
            Step::Drawn(card) => state.cards[1] = Some(card),
            Step::Word(_, never) => match never {},
            Step::Failed(_) => {}
        }
    }

    fn view(&self, state: &Hands, seat: Option<Seat>) -> Hands {
        let over = self.turn(state) == Turn::Over;
        let Some(seat) = seat else {
            return if over { *state } else { Hands::default() };
        };
        let (mine, theirs) = (seat.index(), seat.other().index());
        let mut seen = Hands::default();
        seen.cards[mine] = state.cards[mine];
        seen.bets[mine] = state.bets[mine];
        match self.fault {
            Fault::None | Fault::OptionsTell => {}
            Fault::ShowsState => return *state,
            Fault::ShowsCard => seen.cards[theirs] = state.cards[theirs],
            Fault::ShowsBet => seen.bets[theirs] = state.bets[theirs],
        }
        if over { *state } else { seen }
    }

    fn gains(&self, state: &Hands) -> Gains {
        state.cards.map(|card| card.and_then(|card| i32::try_from(card).ok()))
    }

    fn tell(&self, _: &Hands, _: [&dyn std::fmt::Display; 2]) -> String {
        "shown".to_owned()
    }
}

#[test]
fn a_planted_leak_is_found() {
    let found = |fault| {
        let game = Cards { fault };
        leak(&game, 200).or_else(|| unlike(&game, 200)).is_some()
    };
    assert!(!found(Fault::None), "{:?}", leak(&Cards { fault: Fault::None }, 200));
    for fault in [Fault::ShowsState, Fault::ShowsCard, Fault::ShowsBet, Fault::OptionsTell] {
        assert!(found(fault), "{fault:?}");
    }
}
