//! In a large league everybody is told what concerns it, and no more.

use super::*;
use crate::testing::player;

/// 66 players, of whom a broadcast lists at most 50.
fn large() -> (League, Vec<Effect>) {
    League::started(66, &[40, 40])
}

/// Everything that is told to somebody alone.
fn told(effects: &[Effect]) -> impl Iterator<Item = (&str, &Act)> {
    effects.iter().filter_map(|effect| {
        let Effect::Broadcast(news) = effect else { return None };
        let [one] = &news.recipients[..] else { return None };
        Some((one.to.as_str(), &news.act))
    })
}

#[test]
fn an_announcement_lists_the_recipients_own_matches() {
    let (_, effects) = large();
    let mut to = BTreeMap::new();
    for (endpoint, message) in told(&effects) {
        if let Act::RoundAnnouncement(said) = message {
            to.insert(endpoint.to_owned(), said.matches.clone());
        }
    }
    assert_eq!(to.len(), 68);
    for number in 1..=66 {
        let own = &to[&format!("p{number}")];
        assert_eq!(own.len(), 1);
        let me = player(number);
        assert!(own[0].player_a_id == me || own[0].player_b_id == me);
    }
    let held: usize = ["ref1", "ref2"].iter().map(|name| to[*name].len()).sum();
    assert_eq!(held, 33);
    let all_ref1 = to["ref1"].iter().all(|row| row.referee_endpoint.as_str() == "ref1");
    assert!(all_ref1);
}

#[test]
fn standings_are_the_top_and_the_recipient() {
    let (mut league, effects) = large();
    let mut last = Vec::new();
    for given in assignments(&effects) {
        last = league.play(&given);
    }
    let mut seen = 0;
    for (endpoint, message) in told(&last) {
        let Act::LeagueStandingsUpdate(said) = message else {
            continue;
        };
        seen += 1;
        assert!((50..=51).contains(&said.standings.len()));
        assert!(said.standings.is_sorted_by_key(|row| row.rank));
        let own = said.standings.iter().any(|row| row.display_name.as_str() == endpoint);
        assert_eq!(own, endpoint.starts_with('p'), "{endpoint}");
        for row in said.standings.iter() {
            let rank = league
                .bench
                .role
                .league()
                .season()
                .standings
                .rank(row.player_id, league.bench.role.league().season());
            assert_eq!(row.rank, rank);
        }
    }
    assert_eq!(seen, 68);
}

#[test]
fn at_the_bound_everybody_still_hears_everything() {
    let (_, effects) = League::started(64, &[40]);
    let Some(Effect::Broadcast(news)) = effects.first() else {
        panic!("one announcement for all");
    };
    assert_eq!(news.recipients.len(), 65);
}
