//! Sends mails: one after the other, at a pace, over a connection that is kept while it works.
//!
//! Nobody is lost: whoever did not get a mail is named, either as refused for ever or as one to try
//! again. Whoever is not named has it. A mail that was handed over as the connection broke may have
//! arrived, and is named as well: better twice than never.
//!
//! The pace is a pause between two mails, and so many in any 24 hours. What was sent before a
//! restart is not remembered.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use lettre::Address;
use tokio::sync::Mutex;
use tokio::time::sleep;
use tracing::warn;

use super::account::Account;
use super::compose::{BadMail, OutgoingMail, compose};
use super::error::MailError;
use super::smtp::{Link, Lost, Outcome};

/// So many recipients share one mail; providers refuse more.
const RECIPIENTS_MAX: usize = 50;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// A provider that blocks an account does so for a day: a fifth before that, somebody is told.
const LOW_PERCENT: usize = 80;

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
        let bad = |_| super::BadAccount::Address(account.address.clone());
        let from = account.address.parse().map_err(bad)?;
        let sender = Mutex::new((MailPacer::new(pace), None));
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
            let outcome = match self.one(&mut sender, &load, mail).await {
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
            let Outcome { short: more, is_mail_refused } = outcome;
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
    fn new(pace: MailPace) -> Self {
        Self { pace, sent: VecDeque::new() }
    }

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

#[cfg(test)]
mod tests;
