//! Keeps a referee's secret out of what it tells a player.

/// What stands in the place of a secret.
const MASK: &str = "***";

/// The text without the secret, if it stands there as words of its own, in whatever case.
pub(super) fn mask(text: &str, secret: &str) -> Option<String> {
    let text: Vec<char> = text.chars().collect();
    let secret: Vec<char> = secret.trim().chars().collect();
    if secret.is_empty() {
        return None;
    }
    let mut masked = String::new();
    let mut at = 0;
    let mut found = false;
    while at < text.len() {
        if stands_at(&text, &secret, at) {
            masked.push_str(MASK);
            at += secret.len();
            found = true;
        } else {
            masked.push(text[at]);
            at += 1;
        }
    }
    found.then_some(masked)
}

fn stands_at(text: &[char], secret: &[char], at: usize) -> bool {
    let end = at + secret.len();
    let inside = |index: usize| text.get(index).is_some_and(|c| c.is_alphanumeric());
    let same = text.get(at..end).is_some_and(|part| {
        part.iter().zip(secret).all(|(a, b)| a.to_lowercase().eq(b.to_lowercase()))
    });
    same && !(at > 0 && inside(at - 1)) && !inside(end)
}

#[cfg(test)]
mod tests;
