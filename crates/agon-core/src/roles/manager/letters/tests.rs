//! The manager of a Q21 league under test: teams with short names, and one way to say each thing.

mod beyond;
mod calendar;
mod calls;
mod enrolment;
mod evidence;
mod orders;
mod recovery;
mod reset;
mod results;
mod seasons;

use std::collections::BTreeMap;

use agon_proto::act::{Applying, Approval as Said, Denial, ReportStatus, ResultReport, ScoreRow};
use agon_proto::tool::{Command, LeaguePhase, Tool, ToolParams};
use agon_proto::{
    Address, AgentId, AuthToken, Contact, DisplayName, GroupId, Heading, MatchId, MessageId, Part,
    Role, Score, SeasonId, StatedScore,
};
use agon_proto::{Claimed, Context, GameId, Letter};

use super::*;
use crate::effect::{Effect, Event, Proof};
use crate::fact::SeasonFact;
use crate::format::FormatKind;
use crate::league::registry::RegisteredAgent;
use crate::letterbox::ParcelId;
use crate::testing::{Bench, at, lines, operator, options, settings};
use crate::{
    Machine, Manager, ManagerOptions, Pace, RosterEntry, Rules, SeasonSettings, Settings, TokenHash,
};

fn address(text: &str) -> Address {
    Address::new(text)
}

fn player(team: u32) -> Address {
    address(&format!("p{team}@league.test"))
}

fn referee(team: u32) -> Address {
    address(&format!("r{team}@league.test"))
}

/// Teams `team1`, `team2`, … with `p1@league.test`, `r1@league.test`, …
fn terms(teams: u32) -> SeasonSettings {
    let entry = |team: u32| RosterEntry {
        group: GroupId::new(&format!("team{team}")),
        name: DisplayName::new(&format!("Team {team}")),
        player: player(team),
        referee: Some(referee(team)),
    };
    SeasonSettings {
        season: SeasonId::new("S01"),
        name: DisplayName::new("the season"),
        roster: (1..=teams).map(entry).collect(),
        open_registration: false,
        round_time_max_ms: 600_000,
        ..SeasonSettings::default()
    }
}

fn rules(seasons: SeasonSettings) -> Settings {
    Settings {
        game: Rules::new("q21", "{}").unwrap(),
        format: FormatKind::Teams,
        seasons,
        ..settings()
    }
}

/// A manager, and everything that it has sent.
struct League {
    bench: Bench<Manager>,
    sent: Vec<(Vec<Address>, Letter)>,
    letters: u32,
}

impl League {
    fn open(seasons: SeasonSettings) -> Self {
        Self::read(rules(seasons), options(None), Vec::new())
    }

    /// A manager that reads these facts and begins.
    fn read(settings: Settings, options: ManagerOptions, facts: Vec<LeagueFact>) -> Self {
        let bench = Bench::new(Manager::new(settings, options), facts);
        let mut league = Self { bench, sent: Vec::new(), letters: 0 };
        let effects = league.bench.resume();
        league.note(&effects);
        league
    }

    /// Everybody has enrolled, and the operator has begun the season.
    fn started(seasons: SeasonSettings) -> Self {
        let teams = u32::try_from(seasons.roster.len()).unwrap();
        let mut league = Self::open(seasons);
        league.enrol_all(teams);
        league.command(Command::StartLeague);
        league
    }

    fn enrol_all(&mut self, teams: u32) {
        for team in 1..=teams {
            self.enrol(&player(team));
            self.enrol(&referee(team));
        }
    }

    fn enrol(&mut self, from: &Address) -> Vec<Effect> {
        self.mail(from, Act::Apply(Box::default()))
    }

    /// Remembers what was sent; the carrier takes it at once.
    fn note(&mut self, effects: &[Effect]) {
        for effect in effects {
            if let Effect::SendLetter(parcel) = effect {
                self.sent.push((parcel.to.clone(), parcel.letter.read().unwrap()));
                assert!(self.bench.tell(Event::Taken(parcel.id)).is_empty());
            }
        }
    }

    fn letter(&mut self, act: Act) -> Letter {
        self.letters += 1;
        letter(&format!("letter-{}", self.letters), act)
    }

    /// A letter of that address comes by mail.
    fn mail(&mut self, from: &Address, act: Act) -> Vec<Effect> {
        let letter = self.letter(act);
        self.post(Proof::Vouched(from.clone()), letter)
    }

    fn post(&mut self, proof: Proof, letter: Letter) -> Vec<Effect> {
        let effects = self.bench.post(proof, letter);
        let answers = effects
            .iter()
            .filter(|effect| matches!(effect, Effect::Reply { .. } | Effect::Refuse { .. }));
        assert_eq!(answers.count(), 1, "{:?}", lines(&effects));
        self.note(&effects);
        effects
    }

    fn command(&mut self, command: Command) -> Vec<Effect> {
        self.order(command, ToolParams::default())
    }

    fn order(&mut self, command: Command, params: ToolParams) -> Vec<Effect> {
        let reason = Some(DisplayName::new("because"));
        let params = ToolParams { auth_token: Some(operator()), reason, ..params };
        let effects = self.bench.tool(Tool::Command(command), params);
        self.note(&effects);
        effects
    }

    fn tick(&mut self) {
        let effects = self.bench.tick();
        self.note(&effects);
    }

    /// Lets the time go on to that second, and does what is due.
    fn at(&mut self, second: u64) -> &mut Self {
        self.bench.at(second);
        self.tick();
        self
    }

    fn role(&self) -> &Manager {
        &self.bench.role
    }

    fn season(&self) -> &crate::Season {
        self.bench.role.league().season()
    }

    /// Who has that part in that game.
    fn party(&self, id: MatchId, part: Part) -> Address {
        member(self.role().league(), id, part).contact.address()
    }

    /// The referee of that game reports those private scores.
    fn report(&mut self, id: MatchId, scores: [u32; 2]) -> Vec<Effect> {
        let report = self.result(id, scores);
        let from = self.party(id, Part::Referee);
        self.mail(&from, Act::ResultReport(report.into()))
    }

    fn result(&self, id: MatchId, scores: [u32; 2]) -> ResultReport {
        let thresholds = self.role().league().settings().seasons.thresholds;
        let rows = [Part::Player1, Part::Player2].into_iter().zip(scores);
        let rows = rows.map(|(part, score)| {
            let member = member(self.role().league(), id, part);
            ScoreRow {
                participant: member.group(),
                address: Some(member.contact.address()),
                league_points: Some(thresholds.points(i32::try_from(score * 100).unwrap())),
                private_score: Some(StatedScore::Within(Score::from_hundredths(score * 100))),
                view: None,
                reason: None,
            }
        });
        ResultReport {
            game: GameId::of(self.role().league().settings().seasons.season_number, id),
            status: ReportStatus::Completed,
            winner: None,
            is_draw: false,
            scores: rows.collect(),
            abort_reason: None,
            player_states: Vec::new(),
            cause: None,
            blame: None,
        }
    }

    /// The games of the round under way that have no result.
    fn open_games(&self) -> Vec<MatchId> {
        let round = self.season().round();
        let ids = self.season().matches_in(round);
        ids.filter(|id| self.season().result(*id).is_none()).collect()
    }

    /// Reports every game with scores that are different from game to game, to the end.
    fn play_on(&mut self) {
        while self.season().phase == LeaguePhase::Running {
            for id in self.open_games() {
                self.report(id, scores(id));
            }
            let due = self.bench.role.deadline().expect("something is due");
            self.bench.now = self.bench.now.max(due);
            self.tick();
        }
    }

    /// `BROADCAST_NEW_LEAGUE_ROUND to p1@league.test …`, without those that were seen before.
    fn take_sent(&mut self) -> Vec<(Vec<Address>, Letter)> {
        std::mem::take(&mut self.sent)
    }

    /// The names of what was sent, in order.
    fn take_names(&mut self) -> Vec<&'static str> {
        self.take_sent().iter().map(|(_, letter)| letter.act.kind().name()).collect()
    }

    fn points(&self) -> BTreeMap<String, u32> {
        let rows = self.role().league().table(usize::MAX).into_iter();
        rows.map(|row| (row.display_name.to_string(), row.points)).collect()
    }
}

/// Who has that part in that game.
fn member(league: &crate::League, id: MatchId, part: Part) -> &RegisteredAgent {
    let (_, who) = league.parties(id).into_iter().find(|(as_what, _)| *as_what == part).unwrap();
    league.registry.agent(who).unwrap()
}

fn scores(id: MatchId) -> [u32; 2] {
    let seed = id.round * 37 + id.number * 11;
    [seed * 13 % 101, seed * 29 % 101]
}

fn letter(id: &str, act: Act) -> Letter {
    Letter {
        head: Heading {
            id: MessageId::new(id),
            sent_at: at(0),
            from: Claimed { address: None, role: None, logical_id: None },
            recipient: "LEAGUEMANAGER".into(),
            answers: None,
            context: Context::default(),
        },
        auth_token: None,
        act,
    }
}

/// The answer to a registration among what was sent: its status and its reason.
#[track_caller]
fn answered(sent: &[(Vec<Address>, Letter)]) -> (Said, Option<Box<str>>) {
    let [(_, Letter { act: Act::Decide(answer), .. })] = sent else {
        panic!("one answer to a registration was expected");
    };
    let status = if answer.denial.is_none() { Said::Accepted } else { Said::Rejected };
    (status, answer.denial.as_ref().map(Denial::word))
}

#[track_caller]
fn refused(effects: &[Effect]) -> &Refusal {
    match effects {
        [Effect::Refuse { refusal, .. }] => refusal,
        other => panic!("expected one refusal, got {:?}", lines(other)),
    }
}
