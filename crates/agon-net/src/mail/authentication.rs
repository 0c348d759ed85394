//! Whether our own mail server vouches for the author of a mail: `Authentication-Results`.
//!
//! Anybody can write such a header into a mail. So only the topmost counts, which the last server
//! on the way has written, and only if it bears the name that our own server signs with.

/// What our own server found out about the author of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authentication {
    /// It vouches for the author.
    Pass,
    /// It found that somebody else wrote it.
    Fail,
    /// It says nothing that would help, or nobody told us its name.
    Absent,
}

/// Reads the topmost header, as it came, for a mail that claims to be from `author`.
pub(super) fn verdict(header: &str, authserv_id: &str, author: &str) -> Authentication {
    let text = without_comments(header);
    let mut parts = text.split(';');
    let signed = parts.next().and_then(|part| part.split_whitespace().next()).unwrap_or_default();
    if !signed.eq_ignore_ascii_case(authserv_id) {
        return Authentication::Absent;
    }
    let findings: Vec<Finding<'_>> = parts.filter_map(Finding::read).collect();
    let has = |method, result| findings.iter().any(|finding| finding.is(method, result));
    if has("dmarc", "fail") {
        return Authentication::Fail;
    }
    if findings.iter().any(|finding| finding.vouches_for(author)) {
        return Authentication::Pass;
    }
    if has("dkim", "fail") || has("spf", "fail") || has("auth", "fail") {
        return Authentication::Fail;
    }
    Authentication::Absent
}

/// One method with its result and what it looked at: `spf=pass smtp.mailfrom=league.test`.
struct Finding<'a> {
    method: &'a str,
    result: &'a str,
    properties: Vec<(&'a str, &'a str)>,
}

impl<'a> Finding<'a> {
    fn read(part: &'a str) -> Option<Self> {
        let mut words = part.split_whitespace().filter_map(|word| word.split_once('='));
        let (method, result) = words.next()?;
        let method = method.split('/').next().unwrap_or(method); // A version may stand behind it.
        let unquoted = |(name, value): (&'a str, &'a str)| (name, value.trim_matches('"'));
        Some(Self { method, result, properties: words.map(unquoted).collect() })
    }

    fn is(&self, method: &str, result: &str) -> bool {
        self.method.eq_ignore_ascii_case(method) && self.result.eq_ignore_ascii_case(result)
    }

    fn property(&self, name: &str) -> Option<&'a str> {
        let mine = self.properties.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        mine.map(|(_, value)| *value)
    }

    /// Whether it proves that this very author, or somebody of the same domain, wrote the mail.
    fn vouches_for(&self, author: &str) -> bool {
        let domain = domain_of(author);
        let covers = |name| self.property(name).is_some_and(|said| covers(domain_of(said), domain));
        if self.is("dmarc", "pass") {
            return covers("header.from");
        }
        if self.is("dkim", "pass") {
            return covers("header.d") || covers("header.i");
        }
        if self.is("spf", "pass") {
            return covers("smtp.mailfrom");
        }
        let login = self.property("smtp.auth");
        self.is("auth", "pass") && login.is_some_and(|login| login.eq_ignore_ascii_case(author))
    }
}

fn domain_of(address: &str) -> &str {
    address.rsplit_once('@').map_or(address, |(_, domain)| domain)
}

/// Whether who speaks for `signed` speaks for `domain`: the same, or one below it.
fn covers(signed: &str, domain: &str) -> bool {
    let (signed, domain) = (signed.to_ascii_lowercase(), domain.to_ascii_lowercase());
    let below = domain.strip_suffix(&signed).is_some_and(|rest| rest.ends_with('.'));
    !domain.is_empty() && (signed == domain || (below && signed.contains('.')))
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
