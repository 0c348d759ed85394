//! A season on paper: what a manager is told, the facts that it writes down, and what the referee
//! kept of a match.

use agon_core::format::{Fixtures, Paper};
use agon_core::{
    LeagueFact, Lineup, ManagerOptions, Outcome, OutcomePoints, Provenance, Registration, Seat,
    Secrets, Settings, TokenHash, Verdict,
};
use agon_proto::message::{Cause, EntryKind, Party, Transcript, TranscriptEntry};
use agon_proto::{
    AgentId, AuthToken, DisplayName, Endpoint, MatchId, Payload, PlayerId, RefereeId, Timestamp,
};
use agon_store::{Batch, Exhibit, Journal};
use anyhow::Context;

/// A time to begin at, in microseconds.
const START: i64 = 1_700_000_000_000_000;
pub(super) const AT: Timestamp = Timestamp::from_micros(START);

/// Nobody asks such a manager for anything, so its secrets are of no importance.
pub(super) fn options() -> anyhow::Result<ManagerOptions> {
    let nobody = AuthToken::derived([0; 32]);
    Ok(ManagerOptions {
        secrets: Secrets::new([1; 32]),
        operator: TokenHash::of(&nobody).context("a token of ours has a hash")?,
        start_when: None,
        referee_code: None,
    })
}

/// Everything that a manager writes down before the first round.
pub(super) fn opening(settings: &Settings, players: u32) -> anyhow::Result<Vec<LeagueFact>> {
    let token = |number: u32| {
        let mut secret = [7; 32];
        secret[..4].copy_from_slice(&number.to_le_bytes());
        TokenHash::of(&AuthToken::derived(secret)).context("a token of ours has a hash")
    };
    let mut facts = vec![
        LeagueFact::Opened { settings: Box::new(settings.clone()), at: AT },
        registered(AgentId::Referee(RefereeId::new(1)), "Referee", 8001, token(0)?),
    ];
    for number in 1..=players {
        let (agent, name) = (AgentId::Player(PlayerId::new(number)), format!("Player {number}"));
        facts.push(registered(agent, &name, 8100 + number, token(number)?));
    }
    let lineup = Lineup::All { players, referees: 1 };
    facts.push(LeagueFact::SeasonStarted { lineup, order: None, at: AT });
    Ok(facts)
}

fn registered(agent: AgentId, name: &str, port: u32, token: TokenHash) -> LeagueFact {
    LeagueFact::Registered(Box::new(Registration {
        agent,
        name: DisplayName::new(name),
        contact: Endpoint::new(&format!("http://127.0.0.1:{port}/mcp")).into(),
        also: None,
        group: None,
        token: Some(token),
        provenance: Provenance::default(),
        capacity: 64,
        says_told: false,
        said_at: AT,
        at: AT,
    }))
}

/// One round: announced, every result, completed.
pub(super) fn round(paper: Paper, round: u32) -> impl Iterator<Item = LeagueFact> {
    let ids = paper.matches_in(round);
    let announced = LeagueFact::RoundAnnounced {
        round,
        fixtures: Fixtures::OnPaper,
        referees: vec![Some(RefereeId::new(1)); ids.len()],
        at: AT,
    };
    let completed = LeagueFact::RoundCompleted { round, at: AT };
    let results = ids.map(result);
    std::iter::once(announced).chain(results).chain([completed])
}

/// Makes facts durable, each result with its transcript, and says how many the journal has now.
pub(super) async fn append(
    journal: &mut Journal<LeagueFact>,
    facts: Vec<LeagueFact>,
    body: &[u8],
) -> anyhow::Result<u64> {
    let exhibit = |fact: &LeagueFact| {
        let LeagueFact::ResultAccepted { match_id, .. } = fact else { return None };
        Some(Exhibit { key: match_id.to_string(), body: body.to_vec() })
    };
    let exhibits = facts.iter().filter_map(exhibit).collect();
    let expected = journal.last();
    Ok(journal.append(expected, Batch { facts, exhibits }).await?)
}

/// Three matches of four have a winner, here as there.
pub(super) fn result(match_id: MatchId) -> LeagueFact {
    let chance = match_id.round.wrapping_mul(31) ^ match_id.number.wrapping_mul(17);
    let outcome = match chance % 4 {
        0 => Outcome::Won(Seat::A),
        1 => Outcome::Won(Seat::B),
        _ => Outcome::Drawn,
    };
    let verdict = Verdict {
        outcome,
        cause: Cause::Played,
        blame: None,
        gains: Some([1, -1]),
        points: OutcomePoints::COURSE.of(outcome),
    };
    let drawn = chance % 10 + 1;
    let details = format!("{{\"drawn_number\":{drawn},\"choices\":[\"even\",\"odd\"]}}");
    LeagueFact::ResultAccepted {
        match_id,
        attempt: 1,
        referee: RefereeId::new(1),
        verdict,
        details: Payload::trusted(&details),
        unverified: false,
        at: AT,
    }
}

/// What a referee keeps of a match without incidents.
pub(super) fn transcript(settings: &Settings) -> anyhow::Result<Vec<u8>> {
    let (referee, players) = (Party::Referee, [Party::PlayerA, Party::PlayerB]);
    let at = Timestamp::from_micros(START + 123_456);
    let line = |kind, from, to| TranscriptEntry::new(at, kind, from, to);
    let options = settings.game.open().options(Seat::A).unwrap_or_default();
    let choice = options.first().map(|json| Payload::trusted(json)).unwrap_or_default();
    let made = |entry: TranscriptEntry| entry.with_move(&choice);
    let asked = |kind| {
        players.map(|player| TranscriptEntry { ask: Some(1), ..line(kind, referee, player) })
    };
    let answered = |kind| players.map(|player| line(kind, player, referee));
    let [question, answer] = EntryKind::of_move(&settings.game_type());
    let drawn = line(EntryKind::NumberDrawn, referee, referee);
    let lines = [
        asked(EntryKind::GameInvitation),
        answered(EntryKind::GameJoinAck),
        asked(question),
        answered(answer).map(made),
        [
            TranscriptEntry { drawn_number: Some(8), ..drawn },
            line(EntryKind::Verdict, referee, referee),
        ],
    ];
    serde_json::to_vec(&Transcript(lines.concat().into())).context("could not write a transcript")
}
