//! A mail that came in: who wrote it and whether our own mail server vouches for that, when it was
//! delivered, and the documents that it may carry.
//!
//! Every part is looked at, however deep it is nested, because senders differ in where they put a
//! document. How many are kept is bounded, and forwarded mails are not opened.
//!
//! Anybody can write `Authentication-Results` into a mail. So only the topmost counts, which the
//! last server on the way has written, and only if it bears the name that our own server signs
//! with. What is believed is a pass for the author's own domain, and nothing else.
//!
//! Spec: docs/q21.md

use std::panic::AssertUnwindSafe;

use bytes::Bytes;
use mail_parser::{HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType};

/// So many documents of one mail are kept; the best come first.
const DOCUMENTS_MAX: usize = 8;
/// Longest subject that is kept, in characters.
const SUBJECT_MAX: usize = 2000;
/// So much of what a header says is repeated in a log.
const SHOWN_MAX: usize = 200;
const RESULTS: &str = "Authentication-Results";

/// The folders in which mails are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Folder {
    Inbox,
    /// Where the server puts what it takes for unwanted.
    Junk,
}

/// Names a mail for good: once a folder is made anew, no old name fits a new mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MailId {
    pub folder: Folder,
    pub validity: u32,
    pub uid: u32,
}

/// A mail from the mailbox, still unread there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedMail {
    pub id: MailId,
    /// When the server had it, in microseconds since 1970. Servers count in whole seconds.
    pub delivered_at: i64,
    /// The one address of its `From:`. Nobody's, if there are several addresses or more than one
    /// `From:`: readers disagree on whom to believe.
    pub from: Option<String>,
    /// Unfolded, decoded and trimmed.
    pub subject: String,
    /// Without its angle brackets.
    pub message_id: Option<String>,
    pub authentication: Authentication,
    pub contents: Contents,
    /// In bytes, as the server counts.
    pub size: u32,
}

/// What a mail carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    /// What may be a JSON document, the best guess first.
    Documents(Vec<Bytes>),
    /// It is larger than we read; its headers alone are known.
    Oversized,
}

/// What the server knows of a mail without opening it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cover {
    pub(super) id: MailId,
    pub(super) delivered_at: i64,
    pub(super) size: u32,
}

/// Anybody can write a mail. One over which the parser trips must not stop those behind it.
fn guarded<T>(parse: impl FnOnce() -> Option<T>) -> Option<T> {
    std::panic::catch_unwind(AssertUnwindSafe(parse)).ok().flatten()
}

/// Reads a mail, or the headers of one that is oversized.
pub(super) fn open(
    cover: Cover,
    raw: &[u8],
    is_oversized: bool,
    authserv_id: Option<&str>,
) -> ReceivedMail {
    let parser = MessageParser::default();
    let parse = || if is_oversized { parser.parse_headers(raw) } else { parser.parse(raw) };
    let message = guarded(parse);
    let message = message.as_ref();
    let documents = || Contents::Documents(message.map(documents).unwrap_or_default());
    let contents = if is_oversized { Contents::Oversized } else { documents() };
    let Cover { id, delivered_at, size } = cover;
    let from = message.and_then(author);
    let authentication = match (authserv_id, &from) {
        (Some(authserv_id), Some(author)) => {
            let mut fields = message.into_iter().flat_map(Message::headers_raw);
            let topmost = fields.find(|(name, _)| name.eq_ignore_ascii_case(RESULTS));
            authenticate(topmost.map(|(_, value)| value), authserv_id, author)
        }
        (Some(_), None) | (None, _) => Authentication::Unchecked,
    };
    let subject = message.and_then(Message::subject).unwrap_or_default().trim();
    ReceivedMail {
        id,
        delivered_at,
        from,
        subject: subject.chars().filter(|c| !c.is_control()).take(SUBJECT_MAX).collect(),
        message_id: message.and_then(Message::message_id).map(str::to_owned),
        authentication,
        contents,
        size,
    }
}

fn author(message: &Message<'_>) -> Option<String> {
    let mut fields = message.headers().iter().filter(|header| header.name == HeaderName::From);
    let (field, another) = (fields.next(), fields.next());
    let listed = field.and_then(|field| field.value.as_address()).into_iter();
    let mut names = listed.flat_map(|list| list.iter()).filter_map(|one| one.address());
    let one = names.next().filter(|_| names.next().is_none() && another.is_none())?;
    let address = one.trim().parse::<lettre::Address>().ok()?;
    Some(address.to_string())
}

/// First what says that it is JSON, then plain texts; each in the order of the mail.
fn documents(message: &Message<'_>) -> Vec<Bytes> {
    let said = message.parts.iter().filter(|part| says_json(part));
    let is_text = |part: &MessagePart<'_>| matches!(part.body, PartType::Text(_));
    let texts = message.parts.iter().filter(|part| is_text(part) && !says_json(part));
    let found = said.chain(texts).map(MessagePart::contents);
    let filled = found.filter(|contents| !contents.trim_ascii().is_empty());
    filled.take(DOCUMENTS_MAX).map(Bytes::copy_from_slice).collect()
}

fn says_json(part: &MessagePart<'_>) -> bool {
    if matches!(part.body, PartType::Multipart(_) | PartType::Message(_)) {
        return false;
    }
    let named = part.attachment_name().is_some_and(|name| {
        name.trim().rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("json"))
    });
    let typed = part.content_type().and_then(|kind| kind.subtype()).is_some_and(|subtype| {
        subtype.eq_ignore_ascii_case("json") || subtype.to_ascii_lowercase().ends_with("+json")
    });
    named || typed
}

/// What our own server found out about the author of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authentication {
    /// It vouches for the author.
    Pass,
    /// It does not.
    Doubted(Doubt),
    /// Nobody told us its name, so nobody is asked.
    Unchecked,
}

/// Why the author of a mail is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// There is no header at all.
    #[error("it has no Authentication-Results of our mail server")]
    NoResults,
    /// The topmost header is another server's, of this name.
    #[error("its Authentication-Results are of `{0}`, not of our mail server")]
    OtherServer(Box<str>),
    /// A check found that somebody else wrote it: this one.
    #[error("our mail server says `{0}`")]
    Failed(Box<str>),
    /// No check has passed for the author's domain; this is what was found.
    #[error("our mail server says `{found}`, and that is no pass for {domain}")]
    NotAligned { domain: Box<str>, found: Box<str> },
}

/// Reads the topmost header, as it came, for a mail that claims to be from `author`.
pub fn authenticate(header: Option<&str>, authserv_id: &str, author: &str) -> Authentication {
    let Some(header) = header else {
        return Authentication::Doubted(Doubt::NoResults);
    };
    let text = without_comments(header);
    let mut parts = text.split(';');
    let signed = parts.next().and_then(|part| part.split_whitespace().next()).unwrap_or_default();
    if !signed.eq_ignore_ascii_case(authserv_id) {
        return Authentication::Doubted(Doubt::OtherServer(shown(signed)));
    }
    let parts: Vec<&str> = parts.map(str::trim).collect();
    let findings = || parts.iter().filter_map(|part| Some((part, Finding::read(part)?)));
    let failed = |method| findings().find(|(_, finding)| finding.is(method, "fail"));
    let passed = || findings().any(|(_, finding)| finding.vouches_for(author));
    // Who the domain itself says is not its author has no other excuse.
    if let Some((part, _)) = failed("dmarc") {
        return Authentication::Doubted(Doubt::Failed(shown(part)));
    }
    if passed() {
        return Authentication::Pass;
    }
    if let Some((part, _)) = ["dkim", "spf", "auth"].into_iter().find_map(failed) {
        return Authentication::Doubted(Doubt::Failed(shown(part)));
    }
    let domain = shown(domain_of(author));
    Authentication::Doubted(Doubt::NotAligned { domain, found: shown(&parts.join("; ")) })
}

/// What a header says, short and harmless enough for a log.
fn shown(text: &str) -> Box<str> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().filter(|c| !c.is_control()).take(SHOWN_MAX).collect::<String>().into()
}

/// One method with its result and what it looked at: `spf=pass smtp.mailfrom=league.test`.
struct Finding<'a> {
    method: &'a str,
    result: &'a str,
    properties: Vec<(&'a str, &'a str)>,
}

impl<'a> Finding<'a> {
    fn read(part: &'a str) -> Option<Self> {
        let mut words = part.split_whitespace();
        let (method, result) = words.next()?.split_once('=')?;
        let method = method.split('/').next().unwrap_or(method); // A version may stand behind it.
        let unquoted = |(name, value): (&'a str, &'a str)| (name, value.trim_matches('"'));
        let properties = words.filter_map(|word| word.split_once('=')).map(unquoted).collect();
        Some(Self { method, result, properties })
    }

    fn is(&self, method: &str, result: &str) -> bool {
        self.method.eq_ignore_ascii_case(method) && self.result.eq_ignore_ascii_case(result)
    }

    /// Whether that property is there and all that is said of it is good.
    fn has(&self, name: &str, good: impl Fn(&str) -> bool) -> bool {
        let mut mine = self.properties.iter().filter(|(found, _)| found.eq_ignore_ascii_case(name));
        mine.next().is_some_and(|(_, first)| good(first) && mine.all(|(_, value)| good(value)))
    }

    /// Whether it proves that this very author, or somebody of the same domain, wrote the mail.
    fn vouches_for(&self, author: &str) -> bool {
        let domain = domain_of(author);
        let aligned = |said: &str| is_aligned(domain_of(said), domain);
        if self.is("dmarc", "pass") {
            return self.has("header.from", |said| is_same(domain_of(said), domain));
        }
        if self.is("dkim", "pass") {
            // Who signs as `header.i` signs for a domain below `header.d`, or that one.
            return self.has("header.d", aligned)
                || !self.has("header.d", |_| true) && self.has("header.i", aligned);
        }
        if self.is("spf", "pass") {
            return self.has("smtp.mailfrom", aligned);
        }
        self.is("auth", "pass") && self.has("smtp.auth", |login| login.eq_ignore_ascii_case(author))
    }
}

fn domain_of(address: &str) -> &str {
    let domain = address.rsplit_once('@').map_or(address, |(_, domain)| domain);
    domain.strip_suffix('.').unwrap_or(domain)
}

fn is_same(one: &str, other: &str) -> bool {
    !one.is_empty() && one.eq_ignore_ascii_case(other)
}

/// Whether who speaks for one domain speaks for the other: they are the same, or one is below the
/// other, which has two labels at least. Nobody speaks for `example` but everybody below it.
fn is_aligned(signed: &str, domain: &str) -> bool {
    let (signed, domain) = (signed.to_ascii_lowercase(), domain.to_ascii_lowercase());
    let below = |lower: &str, upper: &str| {
        let labels = upper.split('.').filter(|label| !label.is_empty()).count();
        let rest = lower.strip_suffix(upper);
        labels >= 2 && rest.is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
    };
    is_same(&signed, &domain) || below(&domain, &signed) || below(&signed, &domain)
}

/// Comments stand in brackets, may nest, and may hold anything; quoted texts keep theirs.
fn without_comments(header: &str) -> String {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut text = String::with_capacity(header.len());
    for c in header.chars() {
        let plain = !std::mem::take(&mut escaped);
        match c {
            '\\' if plain => escaped = true,
            '"' if plain && depth == 0 => quoted = !quoted,
            '(' if plain && !quoted => depth += 1,
            ')' if plain && !quoted && depth > 0 => {
                depth -= 1;
                text.push(' ');
                continue;
            }
            // What is quoted is one word, whatever it holds.
            ';' | ' ' | '\t' if quoted => {
                text.push('_');
                continue;
            }
            _any => {}
        }
        if depth == 0 {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests;
