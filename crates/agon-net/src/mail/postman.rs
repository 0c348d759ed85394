//! Sends mails: one after the other, at a pace, over a connection that is kept while it works.
//!
//! Nobody is lost: whoever did not get a mail is named, either as refused for ever or as one to try
//! again. Whoever is not named has it. A mail that was handed over as the connection broke may have
//! arrived, and is named as well: better twice than never.
//!
//! The pace is a pause between two mails, and so many in any 24 hours. What was sent before a
//! restart is not remembered.
//!
//! A mail is a text, and a JSON document attached at the top level, as others can read it. Its id
//! comes from the caller, so a mail that is sent again is the same mail. Nothing that the caller
//! hands in can begin a header of its own.

use std::collections::VecDeque;
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use lettre::Address;
use lettre::address::Envelope;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Mailbox, Message, MultiPart, SinglePart};
use tokio::sync::Mutex;
use tokio::time::sleep;
use tracing::warn;

use super::MailError;
use super::account::{Account, BadAccount};
use super::smtp::{Link, Lost, Outcome};

/// So many recipients share one mail; providers refuse more.
const RECIPIENTS_MAX: usize = 50;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// A provider that blocks an account does so for a day: a fifth before that, somebody is told.
const LOW_PERCENT: usize = 80;
/// Longest subject, in characters: it may be one word, and must fit into a line of a mail.
const SUBJECT_MAX: usize = 950;
/// Longest id of a mail, in bytes.
const ID_MAX: usize = 900;
const TO: HeaderName = HeaderName::new_from_ascii_str("To");
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// Sends mails for one account.
pub struct Postman {
    account: Account,
    from: Address,
    /// The pace, and the connection, unless it is in use, broken, or not made yet.
    sender: Mutex<(MailPacer, Option<Link>)>,
}

/// A recipient who will never get a mail, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub recipient: String,
    pub said: String,
}

/// Not everybody got a mail.
#[derive(Debug, Default, thiserror::Error)]
#[error("{} recipients were refused, and {} must be tried again", refused.len(), later.len())]
pub struct SendError {
    /// Permanent: the server does not know them, or does not take this mail for them.
    pub refused: Vec<Refused>,
    /// Temporary: send the same mail to these again, with the same id.
    pub later: Vec<String>,
    /// Why some must be tried again.
    #[source]
    pub cause: Option<MailError>,
}

impl Postman {
    /// Nobody is called yet.
    ///
    /// # Errors
    /// When the account cannot work as it is written.
    pub fn new(account: Account, pace: MailPace) -> Result<Self, MailError> {
        account.check()?;
        let bad = |_| BadAccount::Address(account.address.clone());
        let from = account.address.parse().map_err(bad)?;
        let sender = Mutex::new((MailPacer { pace, sent: VecDeque::new() }, None));
        Ok(Self { account, from, sender })
    }

    /// Sends a mail to all its recipients, in several mails if they are many. Dropping this at any
    /// moment costs a connection and nothing else.
    ///
    /// # Errors
    /// Names everybody who did not get it.
    pub async fn send(&self, mail: &OutgoingMail) -> Result<(), SendError> {
        let mut short = SendError::default();
        let mut sender = self.sender.lock().await;
        let mut loads = loads(mail, &mut short);
        if loads.is_empty() && short.refused.is_empty() {
            let cause = Some(MailError::Mail(BadMail::Nobody));
            return Err(SendError { cause, ..short });
        }
        while let Some(load) = loads.pop_front() {
            let Outcome { short: more, is_mail_refused } =
                match self.one(&mut sender, &load, mail).await {
                    Ok(outcome) => outcome,
                    Err(MailError::Mail(bad)) => {
                        let said = bad.to_string();
                        let refused = |recipient| Refused { recipient, said: said.clone() };
                        short.refused.extend(names(load).map(refused));
                        continue;
                    }
                    Err(error) => {
                        // The others would fare no better now.
                        short.later.extend(names(load).chain(loads.drain(..).flat_map(names)));
                        short.cause = Some(error);
                        break;
                    }
                };
            if load.len() > 1 && is_mail_refused && !more.refused.is_empty() {
                // Perhaps because of one of them: each by itself, then it shows.
                loads.extend(load.into_iter().map(|one| vec![one]));
                continue;
            }
            short.refused.extend(more.refused);
            short.later.extend(more.later);
            short.cause = more.cause.or(short.cause);
        }
        if short.refused.is_empty() && short.later.is_empty() { Ok(()) } else { Err(short) }
    }

    /// One mail, when its turn has come.
    async fn one(
        &self,
        (pacer, kept): &mut (MailPacer, Option<Link>),
        load: &[Address],
        mail: &OutgoingMail,
    ) -> Result<Outcome, MailError> {
        let content = compose(&self.from, load, mail)?;
        pacer.turn().await?;
        loop {
            let was_kept = kept.is_some();
            let mut link = match kept.take() {
                Some(link) => link,
                None => Link::open(&self.account).await?,
            };
            match link.deliver(&self.from, load, &content).await {
                Ok(outcome) => {
                    *kept = Some(link);
                    return Ok(outcome);
                }
                // Servers hang up on whoever is quiet for long: then a new connection serves.
                Err(Lost::Before(_hung_up)) if was_kept => {}
                Err(Lost::Before(error) | Lost::InDoubt(error)) => return Err(error),
            }
        }
    }
}

/// Recipients in groups that fit one mail; what is no address is refused here already.
fn loads(mail: &OutgoingMail, short: &mut SendError) -> VecDeque<Vec<Address>> {
    let mut good: Vec<Address> = Vec::with_capacity(mail.to.len());
    for recipient in &mail.to {
        match recipient.parse::<Address>() {
            Ok(address) if good.contains(&address) => {}
            Ok(address) if recipient.is_ascii() => good.push(address),
            Ok(_) | Err(_) => {
                let said = "this is no mail address".to_owned();
                short.refused.push(Refused { recipient: recipient.clone(), said });
            }
        }
    }
    good.chunks(RECIPIENTS_MAX).map(<[Address]>::to_vec).collect()
}

fn names(addresses: Vec<Address>) -> impl Iterator<Item = String> {
    addresses.into_iter().map(|address| address.to_string())
}

/// The rules of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailPace {
    /// From the beginning of one mail to the beginning of the next.
    pub spacing: Duration,
    /// So many in any 24 hours.
    pub per_day: usize,
}

/// Whether the next mail may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MailTurn {
    /// Now; it is counted. With it four fifths of the day's mails are gone, if `left` is there.
    Go { left: Option<usize> },
    /// After this time, ask again.
    Wait(Duration),
    /// There are no more today; after this time there is one.
    Spent(Duration),
}

/// Keeps a pace.
#[derive(Debug)]
struct MailPacer {
    pace: MailPace,
    /// When the mails of the last 24 hours went out, oldest first.
    sent: VecDeque<Instant>,
}

impl MailPacer {
    /// Returns when the next mail may go; not if that is another day.
    async fn turn(&mut self) -> Result<(), MailError> {
        loop {
            match self.take(Instant::now()) {
                MailTurn::Go { left: None } => return Ok(()),
                MailTurn::Go { left: Some(left) } => {
                    warn!(left, "most of the mails that may be sent in a day are sent");
                    return Ok(());
                }
                MailTurn::Wait(wait) => sleep(wait).await,
                MailTurn::Spent(wait) => {
                    return Err(MailError::QuotaSpent { wait_s: wait.as_secs() + 1 });
                }
            }
        }
    }

    /// Asks for a turn.
    fn take(&mut self, now: Instant) -> MailTurn {
        while self.sent.front().is_some_and(|&at| now.saturating_duration_since(at) >= DAY) {
            self.sent.pop_front();
        }
        if self.sent.len() >= self.pace.per_day {
            let until = self.sent.front().map_or(now, |&oldest| oldest) + DAY;
            return MailTurn::Spent(until.saturating_duration_since(now));
        }
        if let Some(&last) = self.sent.back() {
            let wait = (last + self.pace.spacing).saturating_duration_since(now);
            if !wait.is_zero() {
                return MailTurn::Wait(wait);
            }
        }
        self.sent.push_back(now);
        let low = self.sent.len() == (self.pace.per_day.saturating_mul(LOW_PERCENT) / 100).max(1);
        MailTurn::Go { left: low.then(|| self.pace.per_day - self.sent.len()) }
    }
}

/// A mail to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingMail {
    pub to: Vec<String>,
    pub subject: String,
    pub text: String,
    /// The name of the attached document, and what it holds.
    pub attachment: (String, Bytes),
    /// With or without its angle brackets: `something@somewhere`.
    pub message_id: String,
}

/// Why a mail cannot be sent to anybody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMail {
    #[error("its subject has {characters} characters, and {SUBJECT_MAX} are allowed")]
    Subject { characters: usize },
    #[error("{id:?} is no id of a mail; it must look like something@league.test")]
    Id { id: String },
    #[error("a mail needs a recipient")]
    Nobody,
    #[error("it could not be put together")]
    Form(String),
}

/// The bytes of a mail for these recipients.
fn compose(from: &Address, to: &[Address], mail: &OutgoingMail) -> Result<Vec<u8>, BadMail> {
    let characters = mail.subject.chars().count();
    if characters > SUBJECT_MAX {
        return Err(BadMail::Subject { characters });
    }
    // The library writes all recipients into one line, and servers refuse a line that is too long.
    let names: Vec<&str> = to.iter().map(AsRef::as_ref).collect();
    let (plain, folded) = (names.join(", "), names.join(",\r\n "));
    let envelope = Envelope::new(Some(from.clone()), to.to_vec());
    let message = Message::builder()
        .from(Mailbox::new(None, from.clone()))
        .date(SystemTime::now())
        .subject(on_one_line(&mail.subject))
        .message_id(Some(id(&mail.message_id)?))
        .raw_header(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".into()))
        .envelope(envelope.map_err(|_empty| BadMail::Nobody)?)
        .raw_header(HeaderValue::dangerous_new_pre_encoded(TO, plain, folded))
        .multipart(parts(mail));
    Ok(message.map_err(|error| BadMail::Form(error.to_string()))?.formatted())
}

fn parts(mail: &OutgoingMail) -> MultiPart {
    let (name, document) = &mail.attachment;
    // Some readers look for nothing but base64, and no server on the way rewraps it.
    let encoded = Body::new_with_encoding(document.to_vec(), ContentTransferEncoding::Base64);
    let encoded = encoded.unwrap_or_else(Body::new);
    let json = ContentType::parse("application/json").expect("a valid content type");
    MultiPart::mixed()
        .singlepart(SinglePart::plain(mail.text.clone()))
        .singlepart(Attachment::new(on_one_line(name)).body(encoded, json))
}

fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// An id in its angle brackets.
fn id(text: &str) -> Result<String, BadMail> {
    let bare = text.trim().trim_start_matches('<').trim_end_matches('>');
    let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>');
    let (left, right) = bare.split_once('@').unwrap_or_default();
    let whole = !left.is_empty() && !right.is_empty() && bare.len() <= ID_MAX;
    if whole && bare.bytes().all(plain) {
        Ok(format!("<{bare}>"))
    } else {
        Err(BadMail::Id { id: text.to_owned() })
    }
}

#[cfg(test)]
mod tests;
