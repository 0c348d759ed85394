//! Writing letters: each is written down before it goes, and its id says what it is about.
//!
//! By mail a broadcast is one letter to all; by call everybody gets a copy, because each is shown
//! what proves us to it alone.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::act::{Act, AssignmentTable};
use agon_proto::{
    Address, BroadcastId, Claimed, Contact, Context, DisplayName, GameId, Heading, Letter,
    MessageId, Part, Role, RoundId, SeasonId, Timestamp,
};

use super::super::news::{Bulletin, News};
use super::{Book, Records};
use crate::effect::Effect;
use crate::fact::LeagueFact;
use crate::league::League;
use crate::league::registry::Agent;
use crate::letterbox::{LetterboxFact, Parcel, ParcelId};
use crate::secret::SigningKey;

/// What we call ourselves, as real league managers do.
const LOGICAL_ID: &str = "LM001";

impl Book<'_> {
    /// Tells that in letters: by mail one for all, by call a copy for each.
    pub(in crate::roles::manager) fn publish(&mut self, news: News, to: Vec<Contact>) {
        let (vouched, called): (Vec<_>, Vec<_>) = to.into_iter().partition(Contact::vouches);
        let vouched: Vec<_> = vouched.iter().map(Contact::address).collect();
        for Bulletin { id, round, act, until } in news.in_letters(self.league()) {
            let broadcast = Some(BroadcastId::new(&id));
            let context = Context { broadcast, ..self.context(round) };
            let letter = self.compose(&id, "BROADCAST", (None, context), act);
            for contact in &called {
                self.post(vec![contact.address()], letter.clone(), until);
            }
            if !vouched.is_empty() {
                self.post(vouched.clone(), letter, until);
            }
        }
    }

    /// Answers a letter. The answer's id is made of the letter's, so that the same letter never
    /// gets two.
    pub(in crate::roles::manager) fn reply(&mut self, to: &Address, letter: &Letter, body: Act) {
        let broadcast = letter.head.context.broadcast.clone();
        let context = Context { broadcast, ..self.context(None) };
        let (id, answers) = (format!("re-{}", letter.head.id), Some(letter.head.id.clone()));
        let reply = self.compose(&id, to.as_str(), (answers, context), body);
        self.post(vec![to.clone()], reply, None);
    }

    /// Writes to one who has not asked.
    pub(in crate::roles::manager) fn write(&mut self, to: Address, id: &str, body: Act) {
        let letter = self.compose(id, to.as_str(), (None, self.context(None)), body);
        self.post(vec![to], letter, None);
    }

    /// A letter of ours: what it answers, and what it is about.
    fn compose(
        &self,
        id: &str,
        recipient: &str,
        (answers, context): (Option<MessageId>, Context),
        act: Act,
    ) -> Letter {
        let head = Heading {
            id: MessageId::new(id),
            sent_at: self.now,
            from: Claimed {
                address: self.league().settings.seasons.address.clone(),
                role: Some(Role::Manager),
                logical_id: Some(DisplayName::new(LOGICAL_ID)),
            },
            recipient: recipient.into(),
            answers,
            context,
        };
        Letter { head, auth_token: None, act }
    }

    fn context(&self, round: Option<RoundId>) -> Context {
        let settings = &self.league().settings;
        let season = &settings.seasons.season;
        Context {
            league: Some(settings.league_id.clone()),
            season: Some(season.clone()),
            round: round.map(|round| format!("{season}_R{round}").into()),
            game: None,
            broadcast: None,
        }
    }

    fn post(&mut self, to: Vec<Address>, letter: Letter, until: Option<Timestamp>) {
        let parcel = self.records.letterbox.parcel(to, letter, until);
        self.record(LeagueFact::Letterbox(LetterboxFact::Queued(parcel.clone())));
        let parcel = self.records.attach_tokens(parcel);
        self.out.push(Effect::SendLetter(parcel));
    }

    /// That letter needs to be sent no more.
    pub(in crate::roles::manager) fn settle(&mut self, parcel: ParcelId) {
        self.record(LeagueFact::Letterbox(LetterboxFact::Settled(parcel)));
    }

    /// Whoever carries letters has taken this one.
    pub(in crate::roles::manager) fn taken(&mut self, parcel: ParcelId) {
        if self.records.letterbox.awaits(parcel) {
            self.settle(parcel);
        }
    }

    /// Letters that nobody wants any more.
    pub(in crate::roles::manager) fn clear_out(&mut self, now: Timestamp) {
        for parcel in self.records.letterbox.expired(now) {
            self.settle(parcel);
        }
    }

    /// After a restart: everything that was not taken yet goes out again.
    pub(in crate::roles::manager) fn send_again(&mut self) {
        self.clear_out(self.now);
        for parcel in self.records.letterbox.waiting() {
            let parcel = self.records.attach_tokens(parcel.clone());
            self.out.push(Effect::SendLetter(parcel));
        }
    }
}

impl Records {
    pub(super) fn attach_tokens(&self, mut parcel: Parcel) -> Parcel {
        let season = parcel.letter.head.context.season.clone();
        let season = season.as_ref().unwrap_or(&self.league.settings.seasons.season);
        let reader = match &parcel.to[..] {
            [only] => self.agent_in(season, only),
            [..] => None,
        };
        let Some(agent) = reader.filter(|agent| agent.token.is_some()) else {
            return parcel;
        };
        let token = self.token_of(agent);
        let key = SigningKey::of(&token);
        parcel.letter.auth_token =
            key.map(|key| key.manager_token(&self.league.settings.league_id));
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest shows no token")]
        match &mut parcel.letter.act {
            // A token that the operator gave is shown to nobody else.
            Act::Decide(answer) => {
                answer.token = agent.provenance.request.map(|_| token);
            }
            Act::AssignmentTable(table) | Act::TableAnswer(table) => {
                self.show_game_tokens(table, &parcel.to[0]);
            }
            _ => {}
        }
        parcel
    }

    /// Who that was in that season: this one, or one that was reset.
    fn agent_in(&self, season: &SeasonId, address: &Address) -> Option<&Agent> {
        let (League { registry, former, settings, .. }, contact) =
            (&self.league, Contact::of(address));
        if *season == settings.seasons.season {
            return registry.agent(registry.at(&contact)?);
        }
        former.get(&contact)
    }

    /// A referee sees what proves it to the players of its own games.
    fn show_game_tokens(&self, table: &mut AssignmentTable, referee: &Address) {
        let own = table
            .rows
            .iter()
            .filter(|row| row.part == Part::Referee && row.address.as_ref() == Some(referee));
        let own: BTreeSet<GameId> = own.map(|row| row.game.clone()).collect();
        let players = table.rows.iter_mut().filter(|row| row.part != Part::Referee);
        for row in players.filter(|row| own.contains(&row.game)) {
            let player = row.address.as_ref().and_then(|player| self.league.agent_at(player));
            let signer = player.and_then(|player| self.signer(player));
            let league = &self.league.settings.league_id;
            row.auth_token = signer.map(|it| it.key.game_token(league, &row.game, referee));
        }
    }
}
