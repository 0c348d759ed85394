//! The book of a league, open while one event is handled: the only way to change the league, and
//! the only way to say something.
//!
//! What is recorded is true at once for whoever asks next, and stands in the buffer, to be made
//! durable before anybody hears of it. A letter is written down before it goes, and its id says
//! what it is about. By mail a broadcast is one letter to all; by call everybody gets a copy,
//! because each is shown what proves us to it alone.
//!
//! Spec: docs/protocol/season.md, docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::act::{Act, AssignmentTable};
use agon_proto::{
    Address, AgentId, Answer, AuthToken, BroadcastId, Claimed, Contact, Context, ConversationId,
    Dialogue, DisplayName, Envelope, GameId, Heading, Letter, MessageId, Part, Role, RoundId,
    SeasonId, Sender, Timestamp,
};

use super::hearing::Heard;
use super::news::{Bulletin, News};
use super::{ManagerOptions, Out};
use crate::effect::{Alert, Effect, Recipient, RequestId, Tag};
use crate::fact::{LeagueFact, SeasonFact};
use crate::gate::Posted;
use crate::league::League;
use crate::league::registry::RegisteredAgent;
use crate::letterbox::{Letterbox, LetterboxFact, Parcel, ParcelId};
use crate::secret::{Signer, Signing, SigningKey};
use crate::{RequestDigest, TokenHash};

/// What we call ourselves, as real league managers do.
const LOGICAL_ID: &str = "LM001";

/// All that a manager has from its facts: the league, what proves us to each agent, and the
/// letters. Read again, the same facts make the same of it.
#[derive(Debug)]
pub(super) struct Records {
    pub(super) options: ManagerOptions,
    pub(super) league: League,
    pub(super) signing: Signing,
    pub(super) letterbox: Letterbox,
}

impl Records {
    /// Something became true.
    pub(super) fn apply(&mut self, fact: &LeagueFact) {
        self.league.apply(fact);
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is the league's")]
        match fact {
            LeagueFact::Letterbox(fact) => self.letterbox.apply(fact),
            LeagueFact::Registered(registration) => self.signing.renew(registration.agent),
            LeagueFact::PlayerReset { player, .. } => self.signing.renew(AgentId::Player(*player)),
            LeagueFact::RefereeReset { referee, .. } => {
                self.signing.renew(AgentId::Referee(*referee));
            }
            LeagueFact::Season(SeasonFact::SeasonReset { .. }) => self.signing = Signing::default(),
            _ => {}
        }
    }

    /// What proves us to that agent, if it is called.
    pub(super) fn signer(&self, id: AgentId) -> Option<&Signer> {
        self.signing.signer(id, || {
            let agent = self.league.registry.agent(id).filter(|agent| agent.token.is_some())?;
            Signer::of(self.token_of(agent), &self.league.settings.league_id)
        })
    }

    /// Whether our key made that agent's token; with another one it believes nothing that we show.
    pub(super) fn is_ours(&self, agent: &RegisteredAgent) -> bool {
        TokenHash::of(&self.token_of(agent)) == agent.token
    }

    /// The token that this agent was given last, made again.
    fn token_of(&self, agent: &RegisteredAgent) -> AuthToken {
        self.options.secrets.mint((agent.id, agent.number), agent.provenance.request)
    }

    /// The how manieth token of that agent, for that request, and what is written down of it.
    pub(super) fn mint(
        &self,
        agent: (AgentId, u32),
        request: Option<RequestDigest>,
    ) -> (AuthToken, TokenHash) {
        let token = self.options.secrets.mint(agent, request);
        let hash = TokenHash::of(&token).expect("a minted token is one of ours");
        (token, hash)
    }

    /// The parcel, with what proves us to its reader in its letter, which is at hand or is read.
    /// Who is shown nothing gets the words that were kept, even if nobody here can read them; who
    /// must be shown something gets none that it would not believe, and they wait.
    fn attach_tokens(&self, mut parcel: Parcel, at_hand: Option<Letter>) -> Option<Parcel> {
        let season = parcel.letter.head.context.season.clone();
        let season = season.as_ref().unwrap_or(&self.league.settings.seasons.season);
        let reader = match &parcel.to[..] {
            [only] => self.agent_in(season, only),
            [..] => None,
        };
        let Some(agent) = reader.filter(|agent| agent.token.is_some()) else {
            return Some(parcel);
        };
        let mut letter = at_hand.or_else(|| parcel.letter.read())?;
        let token = self.token_of(agent);
        let key = SigningKey::of(&token);
        letter.auth_token = key.map(|key| key.manager_token(&self.league.settings.league_id));
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest shows no token")]
        match &mut letter.act {
            // A token that the operator gave is shown to nobody else.
            Act::Decide(answer) => {
                answer.token = agent.provenance.request.map(|_| token);
            }
            Act::AssignmentTable(table) | Act::TableAnswer(table) => {
                self.show_game_tokens(table, &parcel.to[0]);
            }
            _ => {}
        }
        parcel.letter = letter.written().into();
        Some(parcel)
    }

    /// Who that was in that season: this one, or one that was reset.
    fn agent_in(&self, season: &SeasonId, address: &Address) -> Option<&RegisteredAgent> {
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

/// The book of a league, open for one event.
pub(super) struct Book<'a> {
    records: &'a mut Records,
    pub(super) heard: &'a mut Heard,
    pub(super) out: &'a mut Out,
    pub(super) now: Timestamp,
}

impl<'a> Book<'a> {
    pub(super) fn open(
        records: &'a mut Records,
        heard: &'a mut Heard,
        now: Timestamp,
        out: &'a mut Out,
    ) -> Self {
        Self { records, heard, out, now }
    }

    /// The same one, for somebody who needs it for a moment.
    pub(super) fn lend(&mut self) -> Book<'_> {
        Book { records: self.records, heard: self.heard, out: self.out, now: self.now }
    }

    pub(super) fn league(&self) -> &League {
        &self.records.league
    }

    pub(super) fn records(&self) -> &Records {
        self.records
    }

    /// That is true from now on.
    pub(super) fn record(&mut self, fact: LeagueFact) {
        self.records.apply(&fact);
        self.out.facts.push(fact);
    }

    pub(super) fn record_season(&mut self, fact: SeasonFact) {
        self.record(LeagueFact::Season(fact));
    }

    /// Answers a call, in its conversation.
    pub(super) fn answer(&mut self, request: RequestId, conversation_id: ConversationId, act: Act) {
        let head = Dialogue { sender: Sender::LeagueManager, timestamp: self.now, conversation_id };
        let answer = Envelope { head, auth_token: None, act };
        self.out.reply(request, Answer::Message(Box::new(answer)));
    }

    /// From now on every match of the round waits for its players, as long as a notice may take.
    pub(super) fn wait_for_everybody(&mut self) {
        self.heard.until = Some(self.now + self.records.league.settings.notice());
    }

    /// Says how many agents have tokens that another key made.
    pub(super) fn look_for_estranged(&mut self) {
        let estranged =
            |agent: &&RegisteredAgent| agent.token.is_some() && !self.records.is_ours(agent);
        let agents = self.league().registry.everybody().filter(estranged).count();
        if agents > 0 {
            self.out.push(Effect::Alert(Alert::KeyLost { agents }));
        }
    }

    /// Everybody who is in the league; of a season that has begun, who takes part.
    pub(super) fn members(&self) -> Vec<AgentId> {
        // An iterator over them cannot tell how many they are.
        let registry = &self.league().registry;
        let count = registry.player_count() + registry.referee_count();
        let mut members = Vec::with_capacity(count as usize);
        members.extend(self.league().everybody().map(|agent| agent.id));
        members
    }

    /// Tells it to those who may hear it now, and to the others when they may.
    pub(super) fn say(&mut self, news: News, to: &[AgentId]) {
        if self.league().settings.is_by_letters() {
            let agents = to.iter().filter_map(|who| self.league().registry.agent(*who));
            let contacts = agents.map(|agent| agent.contact.clone()).collect();
            self.publish(news, contacts);
        } else {
            self.announce(news, to);
        }
    }

    fn announce(&mut self, news: News, to: &[AgentId]) {
        let league = &self.records.league;
        let to: Vec<_> = to.iter().map(|who| (*who, news.tag(league, *who))).collect();
        let mut told = news.in_messages(league, self.now).into_iter();
        // What proves us to somebody is kept once it is made: not for who is told nothing.
        if told.len() == 0 {
            return;
        }
        let mut recipients = Vec::with_capacity(to.len());
        recipients.extend(to.into_iter().filter_map(|it| self.recipient(it)));
        while let Some(mut news) = told.next() {
            let last = told.len() == 0;
            news.recipients =
                if last { std::mem::take(&mut recipients) } else { recipients.clone() };
            self.heard.hold(&mut news, self.now + league.settings.notice());
            if !news.recipients.is_empty() {
                self.heard.note_told(&news, self.now);
                self.out.push(Effect::Broadcast(Box::new(news)));
            }
        }
    }

    /// Where one who is let in is called, and with what.
    fn recipient(&self, (who, tag): (AgentId, Tag)) -> Option<Recipient> {
        let to = self.league().registry.agent(who)?.contact.endpoint();
        let auth_token = self.records.signer(who)?.manager_token.clone();
        Some(Recipient { who, tag, to, auth_token })
    }

    /// Tells that in letters: by mail one for all, by call a copy for each.
    pub(super) fn publish(&mut self, news: News, to: Vec<Contact>) {
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
    pub(super) fn reply(&mut self, posted: &Posted<'_>, body: Act) {
        let (to, letter) = (&posted.address, &posted.letter.head);
        let broadcast = letter.context.broadcast.clone();
        let context = Context { broadcast, ..self.context(None) };
        let (id, answers) = (format!("re-{}", letter.id), Some(letter.id.clone()));
        let reply = self.compose(&id, to.as_str(), (answers, context), body);
        self.post(vec![to.clone()], reply, None);
    }

    /// Writes to one who has not asked.
    pub(super) fn write(&mut self, to: Address, id: &str, body: Act) {
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
            ..Context::default()
        }
    }

    fn post(&mut self, to: Vec<Address>, letter: Letter, until: Option<Timestamp>) {
        let parcel = self.records.letterbox.parcel(to, &letter, until);
        self.record(LeagueFact::Letterbox(LetterboxFact::Queued(parcel.clone())));
        let parcel = self.records.attach_tokens(parcel, Some(letter));
        self.out.effects.extend(parcel.map(Effect::SendLetter));
    }

    /// That letter needs to be sent no more.
    pub(super) fn settle(&mut self, parcel: ParcelId) {
        self.record(LeagueFact::Letterbox(LetterboxFact::Settled(parcel)));
    }

    /// Whoever carries letters has taken this one.
    pub(super) fn taken(&mut self, parcel: ParcelId) {
        if self.records.letterbox.awaits(parcel) {
            self.settle(parcel);
        }
    }

    /// Letters that nobody wants any more.
    pub(super) fn clear_out(&mut self, now: Timestamp) {
        for parcel in self.records.letterbox.expired(now) {
            self.settle(parcel);
        }
    }

    /// After a restart: everything that was not taken yet goes out again.
    pub(super) fn send_again(&mut self) {
        self.clear_out(self.now);
        for parcel in self.records.letterbox.waiting() {
            let parcel = self.records.attach_tokens(parcel.clone(), None);
            self.out.effects.extend(parcel.map(Effect::SendLetter));
        }
    }
}
