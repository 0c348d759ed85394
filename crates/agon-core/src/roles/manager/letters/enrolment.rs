//! Letting agents into the season, by letter.
//!
//! A second request is rejected as `already_registered`, as real league managers do; everybody
//! takes that for success. Whoever may not come is told why, once. LEAGUE_REGISTER_REQUEST only
//! asks to be told of seasons: one that may come is shown the way in.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{
    Act, Applying, Approval, Connectivity, Decided, ExtensionDecision, ForceMajeureDecision,
    LeagueRegistration, LeagueRegistrationAnswer, Problem, StatusReport,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Contact, Letter};

use super::super::registration::Application;
use super::Letters;
use crate::Refusal;
use crate::fact::{LeagueFact, SeasonFact};
use crate::gate::Writer;

impl Letters<'_> {
    /// Somebody wants to be in the season.
    pub(super) fn enrol(
        &mut self,
        writer: &Writer,
        letter: &Letter,
        said: &Applying,
    ) -> Result<(), Refusal> {
        let said = as_sent(said, letter);
        let admitted = self.0.admit(&Application::by_letter(said, writer, self.0.book.now));
        if let Err(refusal) = &admitted
            && *refusal != Refusal::AlreadyIn
        {
            if !self.0.book.league().correspondence.may_answer(writer.address()) {
                return Err(Refusal::NotPermitted("this address was turned away before"));
            }
            let (address, at) = (writer.address().clone(), self.0.book.now);
            self.0.book.record(LeagueFact::Season(SeasonFact::TurnedAway { address, at }));
        }
        // The token is put into it when it leaves.
        let answer = Decided { token: None, ..self.0.decision(&admitted) };
        self.0.book.reply(writer.address(), letter, Act::Decide(Box::new(answer)));
        let known = self.0.book.league().agent_at(writer.address());
        if let (Err(Refusal::AlreadyIn), Some(id)) = (&admitted, known) {
            self.0.book.tell().all_again_to(id);
        }
        Ok(())
    }

    /// Somebody wants to be told of seasons. There is one, and it may be open. A stranger gets one
    /// answer only.
    pub(super) fn note_newcomer(
        &mut self,
        writer: &Writer,
        letter: &Letter,
        said: &LeagueRegistration,
    ) -> Result<(), Refusal> {
        let refusal = if writer.is_enrolled() { None } else { self.weigh(writer, letter, said)? };
        let is_welcome = refusal.is_none();
        let answer = LeagueRegistrationAnswer {
            status: if is_welcome { Approval::Accepted } else { Approval::Rejected },
            agent: said.name.clone(),
            reason: refusal.map(|refusal| refusal.denial().word()),
        };
        self.0.book.reply(writer.address(), letter, Act::LeagueRegistrationAnswer(answer));
        if is_welcome && !writer.is_enrolled() {
            self.0.book.tell().opening(vec![Contact::of(writer.address())]);
        }
        Ok(())
    }

    /// Whether there is a place for a stranger, or why not.
    fn weigh(
        &mut self,
        writer: &Writer,
        letter: &Letter,
        said: &LeagueRegistration,
    ) -> Result<Option<Refusal>, Refusal> {
        let (address, at) = (writer.address().clone(), self.0.book.now);
        if !self.0.book.league().correspondence.may_answer(&address) {
            return Err(Refusal::NotPermitted("this address had its answer before"));
        }
        let (group, name, role) = (said.group.clone(), said.name.clone(), Some(said.role));
        let request = as_sent(&Applying { group, name, role, ..Applying::default() }, letter);
        let refusal = self.0.place(None, &Application::by_letter(request, writer, at)).err();
        self.0.book.record(LeagueFact::Season(match &refusal {
            None => SeasonFact::Introduced { address, at },
            Some(_) => SeasonFact::TurnedAway { address, at },
        }));
        Ok(refusal)
    }
}

/// What it says of itself; what it leaves out, its letter may say.
fn as_sent(said: &Applying, letter: &Letter) -> Applying {
    let Applying { role, group, season, .. } = said.clone();
    Applying {
        role: role.or(letter.head.from.role),
        group: group.filter(|group| !group.is_empty()),
        season: season.filter(|season| !season.is_empty()),
        ..said.clone()
    }
}

impl Letters<'_> {
    /// Somebody has lost the schedule.
    pub(super) fn answer_table(&mut self, writer: &Writer, letter: &Letter) {
        let league = self.0.book.league();
        let body = if let Some(who) = league.agent_at(writer.address()) {
            let contact = Contact::of(writer.address());
            let vouched = contact.vouches();
            let own = (!vouched && league.has_own_copies()).then_some(who);
            Act::TableAnswer(league.schedule_for(own, vouched))
        } else {
            Act::Problem(Problem {
                code: "INVALID_STATE".into(),
                text: "There is no table for this address: the season has not begun, or without it"
                    .into(),
                original: Some("REQUEST_ASSIGNMENT_TABLE".into()),
                recoverable: league.season.phase() == LeaguePhase::AcceptingRegistrations,
            })
        };
        self.0.book.reply(writer.address(), letter, body);
    }

    /// Answers what wants a word and changes nothing.
    pub(super) fn answer_briefly(&mut self, writer: &Writer, letter: &Letter) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "three of 40 letters want no more")]
        let answer = match &letter.act {
            // Does my post arrive? It does.
            Act::ConnectivityCall(said) => Act::ConnectivityEcho(Connectivity {
                ping: said.ping.clone(),
                echo_from: self.0.book.league().settings.seasons.address.clone(),
                at: said.at,
            }),
            // More time for one would be less for the others.
            Act::Extension(_) => Act::ExtensionDecision(ExtensionDecision {
                status: Approval::Rejected,
                new_deadline: None,
                text: Some("Deadlines are the same for everybody".into()),
            }),
            // Whether a game counts is the operator's to say, and people ask people for that.
            Act::ForceMajeure(_) => Act::ForceMajeureDecision(ForceMajeureDecision {
                status: Approval::Rejected,
                notes: "Ask whoever runs the league; a game can be declared void".into(),
            }),
            _ => return,
        };
        self.0.book.reply(writer.address(), letter, answer);
    }

    /// A player says how its game went: kept, and shown where it contradicts the result.
    pub(super) fn take_evidence(
        &mut self,
        writer: &Writer,
        report: &StatusReport,
    ) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let league = self.0.book.league();
        let Some(player) = writer.player(league).map(|player| *player.get()) else {
            return Err(Refusal::NotPermitted("status reports come from players"));
        };
        let fixture = league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        if fixture.seat_of(player).is_none() {
            return Err(Refusal::NotPermitted("this player is not in that game"));
        }
        if !league.evidence.has(match_id, player, report) {
            let (report, at) = (Box::new(report.clone()), self.0.book.now);
            self.0.book.record(LeagueFact::Season(SeasonFact::Evidence {
                match_id,
                player,
                report,
                at,
            }));
            self.0.conduct().note_contradictions(match_id);
        }
        Ok(())
    }
}
