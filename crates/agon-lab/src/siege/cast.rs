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
use agon_proto::Timestamp;
use anyhow::Context;
use bytes::Bytes;
use http_body_util::{BodyExt, Either, Full};
use hyper::body::{Body, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// What an endless answer is made of: JSON may begin with as many blanks as it likes.
static BLANKS: [u8; 16 * 1024] = [b' '; 16 * 1024];
/// How long an honest player thinks.
const THINK: Duration = Duration::from_millis(20);

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
    unleashed: bool,
    /// Who is who, by id.
    manners: BTreeMap<String, Manner>,
    /// The ids by the number of the endpoint.
    ids: BTreeMap<usize, String>,
    /// Matches of honest players that were begun and are not over.
    honest: BTreeSet<String>,
    /// The deadlines of each silent player that it has heard nothing about, oldest first.
    deadlines: BTreeMap<String, VecDeque<Timestamp>>,
    /// How late each silent player heard that its time was up.
    pub(super) warned: Vec<Duration>,
    /// How late each heard the verdict.
    pub(super) judged: Vec<Duration>,
    /// The fewest honest matches that were under way at a deadline.
    pub(super) in_flight: Option<usize>,
}

#[derive(Clone)]
pub(super) struct Cast {
    diary: Arc<Mutex<Diary>>,
    clock: Clock,
    patience: Patience,
    address: SocketAddr,
    _doors: Arc<JoinSet<()>>,
}

type Answer = Response<Either<Full<Bytes>, Endless>>;

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
            let mut talks = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                talks.spawn(host.clone().talk(stream));
                while talks.try_join_next().is_some() {}
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
    pub(super) fn admit(&self, number: usize, id: &str, manner: Manner) {
        self.diary(|diary| {
            diary.manners.insert(id.to_owned(), manner);
            diary.ids.insert(number, id.to_owned());
        });
    }

    /// From now on, endless players are endless.
    pub(super) fn unleash(&self) {
        self.diary(|diary| diary.unleashed = true);
    }

    pub(super) fn is_honest(&self, id: &str) -> bool {
        self.diary(|diary| diary.manners.get(id) == Some(&Manner::Honest))
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

    async fn answer(self, request: Request<Incoming>) -> Result<Answer, Infallible> {
        let number = request.uri().path().trim_start_matches('/').parse().unwrap_or(usize::MAX);
        let Ok(body) = request.into_body().collect().await else {
            return Ok(said(&Value::Null));
        };
        let asked: Value = serde_json::from_slice(&body.to_bytes()).unwrap_or_default();
        let known = self.diary(|diary| {
            let id = diary.ids.get(&number)?.clone();
            let manner = *diary.manners.get(&id)?;
            Some((id, manner))
        });
        let Some((id, manner)) = known else {
            return Ok(said(&json!({ "jsonrpc": "2.0", "result": {}, "id": asked["id"] })));
        };
        let params = &asked["params"];
        let result = match asked["method"].as_str().unwrap_or_default() {
            "handle_game_invitation" => self.join(&id, manner, params).await,
            "choose_parity" => match manner {
                Manner::Silent => {
                    self.note_deadline(&id, params);
                    return std::future::pending().await;
                }
                Manner::Endless if self.diary(|diary| diary.unleashed) => {
                    return Ok(Response::new(Either::Right(Endless)));
                }
                Manner::Endless | Manner::Honest => {
                    sleep(THINK).await;
                    let mut letter = self.letter(&id, "CHOOSE_PARITY_RESPONSE", params);
                    letter["parity_choice"] = json!("even");
                    letter
                }
            },
            "notify_game_error" => self.note_warning(&id, manner),
            "notify_match_result" => self.note_verdict(&id, manner, params),
            _ => json!({}),
        };
        Ok(said(&json!({ "jsonrpc": "2.0", "result": result, "id": asked["id"] })))
    }

    /// Accepts an invitation. Two honest players take their time, so that many matches are open.
    async fn join(&self, id: &str, manner: Manner, params: &Value) -> Value {
        let opponent = params["opponent_id"].as_str().unwrap_or_default();
        let name = params["match_id"].as_str().unwrap_or_default();
        let honest = self.diary(|diary| {
            let honest = [Some(&manner), diary.manners.get(opponent)];
            let honest = honest.iter().all(|manner| *manner == Some(&Manner::Honest));
            if honest {
                diary.honest.insert(name.to_owned());
            }
            honest
        });
        if honest {
            let number = name.split('M').nth(1).and_then(|number| number.parse().ok());
            sleep((self.patience)(number.unwrap_or(0))).await;
        }
        let mut letter = self.letter(id, "GAME_JOIN_ACK", params);
        letter["arrival_timestamp"] = letter["timestamp"].clone();
        letter["accept"] = json!(true);
        letter
    }

    fn letter(&self, id: &str, kind: &str, params: &Value) -> Value {
        json!({
            "protocol": "league.v2",
            "message_type": kind,
            "sender": format!("player:{id}"),
            "timestamp": self.clock.now(),
            "conversation_id": params["conversation_id"],
            "auth_token": params["auth_token"],
            "match_id": params["match_id"],
            "player_id": id,
        })
    }

    fn note_deadline(&self, id: &str, params: &Value) {
        let deadline = serde_json::from_value(params["deadline"].clone());
        if let Ok(deadline) = deadline {
            self.diary(|diary| {
                diary.deadlines.entry(id.to_owned()).or_default().push_back(deadline);
            });
        }
    }

    fn note_warning(&self, id: &str, manner: Manner) -> Value {
        let now = self.clock.now();
        self.diary(|diary| {
            let unheard = diary.deadlines.get_mut(id);
            let deadline = unheard.and_then(VecDeque::pop_front);
            if let (Manner::Silent, Some(deadline)) = (manner, deadline) {
                diary.warned.push(now.since(deadline));
                let open = diary.honest.len();
                diary.in_flight = Some(diary.in_flight.map_or(open, |least| least.min(open)));
            }
        });
        json!({})
    }

    fn note_verdict(&self, id: &str, manner: Manner, params: &Value) -> Value {
        let now = self.clock.now();
        self.diary(|diary| {
            diary.honest.remove(params["match_id"].as_str().unwrap_or_default());
            let mut unheard = diary.deadlines.remove(id).unwrap_or_default();
            if let (Manner::Silent, Some(deadline)) = (manner, unheard.pop_back()) {
                diary.judged.push(now.since(deadline));
                // A warning that has not come by now is at least so late.
                diary.warned.extend(unheard.into_iter().map(|deadline| now.since(deadline)));
                let open = diary.honest.len();
                diary.in_flight = Some(diary.in_flight.map_or(open, |least| least.min(open)));
            }
        });
        json!({})
    }
}

fn said(value: &Value) -> Answer {
    Response::new(Either::Left(Full::new(value.to_string().into())))
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
