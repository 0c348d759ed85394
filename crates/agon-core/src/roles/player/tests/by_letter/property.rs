//! Whatever comes, in whatever order and however often: the program is asked once for each thing,
//! phases only go forward, every letter is answered once, and the journal gives the same player.

use std::collections::BTreeMap;

use agon_proto::act::{Halt, KeepAlive, RoundResults};
use proptest::prelude::*;

use agon_proto::MatchId;

use super::*;

#[derive(Debug, Clone)]
enum Happening {
    /// A letter of the manager's, and which copy of it.
    Manager(usize, u8),
    /// A letter of the referee's in one of the games, and which copy of it.
    Referee(usize, usize, u8),
    /// Somebody else says what only a referee may say.
    Stranger(usize, usize),
    Advised,
    Failed,
    Taken,
    Restarted,
    Ticked,
}

const GAMES: [&str; 3] = [ONE, TWO, NEXT];

fn news() -> Vec<Act> {
    let halt = || Halt { reason: "".into() };
    let results = RoundResults { number: 1, standings: Vec::new(), results: Vec::new() };
    vec![
        start_season("S1"),
        registration(Approval::Accepted, None),
        table(),
        new_round(1),
        new_round(2),
        Act::KeepAlive(KeepAlive { text: "".into() }),
        Act::Pause(halt()),
        Act::Continue(halt()),
        Act::RoundResults(results),
        Act::Other("BROADCAST_WHATEVER".into()),
        completed(),
    ]
}

fn happenings() -> impl Strategy<Value = Happening> {
    prop_oneof![
        // The last one ends everything, so it comes seldom.
        6 => (0..news().len() - 1, 0u8..3)
            .prop_map(|(which, copy)| Happening::Manager(which, copy)),
        1 => Just(Happening::Manager(news().len() - 1, 0)),
        12 => (0..GAMES.len(), 0usize..4, 0u8..3)
            .prop_map(|(game, which, copy)| Happening::Referee(game, which, copy)),
        1 => (0..GAMES.len(), 0usize..4).prop_map(|(game, which)| Happening::Stranger(game, which)),
        8 => Just(Happening::Advised),
        2 => Just(Happening::Failed),
        3 => Just(Happening::Taken),
        1 => Just(Happening::Restarted),
        1 => Just(Happening::Ticked),
    ]
}

/// How often the program was asked, and how often it may have been.
#[derive(Default)]
struct Tally {
    asked: BTreeMap<(MatchId, Callback), u32>,
    allowed: BTreeMap<(MatchId, Callback), u32>,
    phases: BTreeMap<&'static str, Progress>,
}

impl Tally {
    fn count(&mut self, effects: &[Effect]) {
        for effect in effects {
            if let Effect::Think(asked) = effect {
                let key = (asked.match_id, callback(asked));
                *self.asked.entry(key).or_default() += 1;
            }
        }
    }

    fn allow(&mut self, asked: &Question) {
        let key = (asked.match_id, callback(asked));
        *self.allowed.entry(key).or_default() += 1;
    }

    fn check(&mut self, stage: &Stage) -> Result<(), TestCaseError> {
        for (key, asked) in &self.asked {
            let allowed = 1 + self.allowed.get(key).copied().unwrap_or_default();
            prop_assert!(*asked <= allowed, "{key:?} was asked {asked} times");
        }
        for id in GAMES {
            let (before, now) = (self.phases.get(id).copied(), stage.phase(id));
            prop_assert!(before <= now, "{id} went from {before:?} to {now:?}");
            self.phases.extend(now.map(|phase| (id, phase)));
        }
        Ok(())
    }
}

fn happen(stage: &mut Stage, tally: &mut Tally, happening: Happening) -> Vec<Effect> {
    match happening {
        Happening::Manager(which, copy) => {
            stage.manager(&format!("m-{which}-{copy}"), news()[which].clone())
        }
        Happening::Referee(game, which, copy) => {
            let (id, act) = whole_game(GAMES[game])[which].clone();
            stage.referee(&format!("{id}-{game}-{copy}"), act)
        }
        Happening::Stranger(game, which) => {
            let (id, act) = whole_game(GAMES[game])[which].clone();
            stage.mail(STRANGER, Role::Referee, &format!("{id}-{game}-0"), act)
        }
        Happening::Advised if !stage.asked.is_empty() => stage.advise_well(),
        Happening::Failed if !stage.asked.is_empty() => {
            tally.allow(&stage.asked[0]);
            stage.advise(Err(mishap()))
        }
        Happening::Advised | Happening::Failed => Vec::new(),
        Happening::Taken => stage.dispatch_all(),
        Happening::Ticked => stage.tick(1_000),
        Happening::Restarted => {
            // Whatever it was thinking about it may be asked again.
            for asked in &stage.asked {
                tally.allow(asked);
            }
            let old = std::mem::replace(stage, Stage::new());
            *stage = old.restarted();
            stage.resume()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn in_any_order_everything_counts_once(
        enrolled in any::<bool>(),
        script in prop::collection::vec(happenings(), 0..80),
    ) {
        let mut stage = if enrolled { Stage::enrolled() } else { Stage::new() };
        let mut tally = Tally::default();
        let mut finished = 0;
        for happening in script {
            let restarts = matches!(happening, Happening::Restarted);
            let effects = happen(&mut stage, &mut tally, happening);
            tally.count(&effects);
            tally.check(&stage)?;
            // Nobody leaves twice in one life.
            finished = if restarts { 0 } else { finished };
            finished += effects.iter().filter(|one| matches!(one, Effect::Finish(_))).count();
            prop_assert!(finished <= 1);
        }
        // The stage has compared every answer; now the journal with the player.
        let before = durable(stage.player());
        let after = durable(stage.restarted().player());
        prop_assert_eq!(before, after);
    }

    /// Once everything has come, in whatever order, the games of the last round are played.
    #[test]
    fn whatever_overtakes_whatever_a_game_is_played(
        order in Just((0usize..7).collect::<Vec<_>>()).prop_shuffle(),
        twice in prop::collection::vec(any::<bool>(), 7),
    ) {
        let mut stage = Stage::new();
        for which in order {
            let copies = if twice[which] { 2 } else { 1 };
            for _ in 0..copies {
                match which {
                    0 => { stage.manager("open", start_season("S1")); }
                    1 => { stage.manager("answer", registration(Approval::Accepted, None)); }
                    2 => { stage.manager("table", table()); }
                    3 => { stage.manager("round-1", new_round(1)); }
                    other => {
                        let (id, act) = whole_game(ONE)[other - 4].clone();
                        stage.referee(id, act);
                    }
                }
                stage.advise_all();
            }
        }
        prop_assert_eq!(stage.phase(ONE), Some(Progress::Answered(3)));
        let game_letters = stage.kinds().into_iter().filter(|kind| kind.is_of_match()).count();
        prop_assert_eq!(game_letters, 3, "each once");
    }
}
