//! Players that the siege plays itself, all of them behind one address: honest ones that take
//! their time, silent ones that join and never choose, and endless ones whose answer has no end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context as Turn, Poll};
use std::time::Duration;

use agon_node::clock::Clock;
use agon_proto::act::Act;
use agon_proto::frame::{self, Limits, decode_request, encode_answer};
use agon_proto::message::{AskedMove, GameInvitation, GameJoinAck, move_message};
use agon_proto::{
    Answer, Call, Dialogue, Envelope, MatchId, PlayerId, Receipt, ReceiptStatus, Sender, Timestamp,
};
use anyhow::Context;
use bytes::Bytes;
use http_body_util::{BodyExt, Either, Full};
use hyper::body::{Body, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// What an endless answer is made of: JSON may begin with as many blanks as it likes.
static BLANKS: [u8; 16 * 1024] = [b' '; 16 * 1024];
/// How long an honest player thinks.
const THINK: Duration = Duration::from_millis(20);
/// Deeper than anything that a referee or a manager of ours says.
const LIMITS: Limits = Limits { depth_max: 32 };

/// How a player behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    Honest,
    Silent,
    /// Honest until the cast is unleashed, so that everything is warm, and endless afterwards.
    Endless,
}

/// How long honest players let each other wait before they join, by the number of the match.
pub(super) type Patience = fn(u64) -> Duration;

/// What the cast has seen.
#[derive(Debug, Default)]
pub(super) struct Diary {
    /// Whether endless players are endless by now.
    pub(super) unleashed: bool,
    /// Who is who, by the number of the endpoint.
    players: BTreeMap<usize, (PlayerId, Manner)>,
    manners: BTreeMap<PlayerId, Manner>,
    /// Matches of honest players that were begun and are not over.
    honest: BTreeSet<MatchId>,
    /// The deadlines of each silent player that it has heard nothing about, oldest first.
    deadlines: BTreeMap<PlayerId, VecDeque<Timestamp>>,
    /// How late each silent player heard that its time was up.
    pub(super) warned: Vec<Duration>,
    /// How late each heard the verdict.
    pub(super) judged: Vec<Duration>,
    /// The fewest honest matches that were under way at a deadline.
    pub(super) in_flight: Option<usize>,
}

impl Diary {
    /// A silent player has heard something at a deadline: so many matches were under way then.
    fn look_around(&mut self) {
        let open = self.honest.len();
        self.in_flight = Some(self.in_flight.map_or(open, |least| least.min(open)));
    }
}

#[derive(Clone)]
pub(super) struct Cast {
    diary: Arc<Mutex<Diary>>,
    clock: Clock,
    patience: Patience,
    address: SocketAddr,
    _doors: Arc<JoinSet<()>>,
}

type Reply = Response<Either<Full<Bytes>, Endless>>;

impl Cast {
    /// Opens the door behind which everybody plays.
    pub(super) async fn open(patience: Patience) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.context("could not listen")?;
        let address = listener.local_addr().context("could not listen")?;
        let (diary, clock) = (Arc::default(), Clock::start());
        let mut cast = Self { diary, clock, patience, address, _doors: Arc::default() };
        let mut doors = JoinSet::new();
        let host = cast.clone();
        doors.spawn(async move {
            // A talk ends with the process that called.
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(host.clone().talk(stream));
            }
        });
        cast._doors = Arc::new(doors);
        Ok(cast)
    }

    /// Where the `number`th player is called.
    pub(super) fn endpoint(&self, number: usize) -> String {
        format!("http://{}/{number}", self.address)
    }

    /// The `number`th player was let in.
    pub(super) fn admit(&self, number: usize, id: PlayerId, manner: Manner) {
        self.diary(|diary| {
            diary.players.insert(number, (id, manner));
            diary.manners.insert(id, manner);
        });
    }

    pub(super) fn is_honest(&self, id: PlayerId) -> bool {
        self.diary(|diary| diary.manners.get(&id) == Some(&Manner::Honest))
    }

    pub(super) fn diary<R>(&self, look: impl FnOnce(&mut Diary) -> R) -> R {
        look(&mut self.diary.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn talk(self, stream: TcpStream) {
        let _ = stream.set_nodelay(true);
        let service = service_fn(move |request| self.clone().answer(request));
        let http = hyper::server::conn::http1::Builder::new();
        // However it ends, the other side knows best.
        let _ended = http.serve_connection(TokioIo::new(stream), service).await;
    }

    async fn answer(self, request: Request<Incoming>) -> Result<Reply, Infallible> {
        let number = request.uri().path().trim_start_matches('/').parse().unwrap_or(usize::MAX);
        let body = request.into_body().collect().await;
        let body = body.map(|body| body.to_bytes()).unwrap_or_default();
        let Ok(frame::Request { id: Some(id), call: Call::Message(asked) }) =
            decode_request(&body, LIMITS)
        else {
            return Ok(Response::new(Either::Left(Full::default())));
        };
        let receipt = Receipt { status: ReceiptStatus::Acknowledged, match_id: None, played: None };
        let mut answer = Answer::Receipt(receipt);
        let known = self.diary(|diary| diary.players.get(&number).copied());
        if let Some((player, manner)) = known {
            let is_endless = manner == Manner::Endless && self.diary(|diary| diary.unleashed);
            if is_endless && matches!(asked.act, Act::MoveCall(_)) {
                return Ok(Response::new(Either::Right(Endless)));
            }
            if let Some(act) = self.play(player, manner, &asked.act).await {
                let (sender, timestamp) = (Sender::Player(player), self.clock.now());
                let head = Dialogue { sender, timestamp, ..asked.head };
                answer = Answer::Message(Box::new(Envelope { head, act, ..*asked }));
            }
        }
        let mut out = Vec::new();
        encode_answer(&id, &answer, &mut out);
        Ok(Response::new(Either::Left(Full::new(out.into()))))
    }

    /// What a player says to that: the first move that there is, unless it is silent; nothing but
    /// that it was heard, if there is nothing to say.
    async fn play(&self, player: PlayerId, manner: Manner, asked: &Act) -> Option<Act> {
        if let Some(question) = AskedMove::of(asked) {
            if manner == Manner::Silent {
                let deadline = question.deadline;
                self.diary(|it| it.deadlines.entry(player).or_default().push_back(deadline));
                std::future::pending::<()>().await;
            }
            sleep(THINK).await;
            return move_message(asked, player, question.options.first()?);
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "three of 23 messages concern it")]
        match asked {
            Act::GameInvitation(said) => Some(self.join(player, manner, said).await),
            Act::GameError(_) => {
                self.note_warning(player, manner);
                None
            }
            Act::GameOver(said) => {
                self.note_verdict(player, manner, said.match_id);
                None
            }
            _ => None,
        }
    }

    /// Accepts an invitation. Two honest players take their time, so that many matches are open.
    async fn join(&self, player: PlayerId, manner: Manner, said: &GameInvitation) -> Act {
        let match_id = said.match_id;
        let honest = manner == Manner::Honest && self.is_honest(said.opponent_id);
        if honest {
            self.diary(|diary| diary.honest.insert(match_id));
            sleep((self.patience)(match_id.number.into())).await;
        }
        let arrival_timestamp = self.clock.now();
        let joins =
            GameJoinAck { match_id, player_id: Some(player), arrival_timestamp, accept: true };
        joins.into()
    }

    fn note_warning(&self, player: PlayerId, manner: Manner) {
        let now = self.clock.now();
        self.diary(|diary| {
            let unheard = diary.deadlines.get_mut(&player);
            let deadline = unheard.and_then(VecDeque::pop_front);
            if let (Manner::Silent, Some(deadline)) = (manner, deadline) {
                diary.warned.push(now.since(deadline));
                diary.look_around();
            }
        });
    }

    fn note_verdict(&self, player: PlayerId, manner: Manner, match_id: MatchId) {
        let now = self.clock.now();
        self.diary(|diary| {
            diary.honest.remove(&match_id);
            let mut unheard = diary.deadlines.remove(&player).unwrap_or_default();
            if let (Manner::Silent, Some(deadline)) = (manner, unheard.pop_back()) {
                diary.judged.push(now.since(deadline));
                // A warning that has not come by now is at least so late.
                diary.warned.extend(unheard.into_iter().map(|deadline| now.since(deadline)));
                diary.look_around();
            }
        });
    }
}

/// A body without an end.
struct Endless;

impl Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Turn<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&BLANKS)))))
    }
}
