//! Splitting a command into words: blanks separate, quotes and backslashes join. There is no shell.

/// Why a command cannot be split.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCommand {
    #[error("there is no command after `exec:`")]
    Empty,
    #[error("a quote is opened and never closed")]
    OpenQuote,
    #[error("it ends with a backslash")]
    OpenEscape,
    #[error("there is no program `{0}`; check its name and PATH")]
    NoProgram(String),
}

/// The program and its arguments.
///
/// Splits as a shell does for plain words: `'…'` is literal, in `"…"` and outside of quotes a
/// backslash takes the next character as it is. Nothing is expanded.
pub(super) fn split(command: &str) -> Result<(String, Vec<String>), BadCommand> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default(); // Even '' is a word.
            }
            (None | Some('"'), '\\') => {
                let literal = characters.next().ok_or(BadCommand::OpenEscape)?;
                word.get_or_insert_default().push(literal);
            }
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    if quote.is_some() {
        return Err(BadCommand::OpenQuote);
    }
    words.extend(word);
    let mut words = words.into_iter();
    let program = words.next().ok_or(BadCommand::Empty)?;
    Ok((program, words.collect()))
}

#[cfg(test)]
mod tests;
