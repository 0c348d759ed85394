//! How help looks: a page for each command that fits a screen, what is its own first.
//!
//! What is said of an argument stands once, beside it; here is decided on which page it comes. What
//! is hidden from short help is on `--help` alone. What every command takes has a page of its own.

use std::ffi::OsString;

use clap::{Arg, Command, CommandFactory};

use super::Agon;

/// How much is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Detail {
    /// `-h`: what is needed often.
    Often,
    /// `--help`: all that is a command's own.
    Own,
    /// Manual pages and completions: everything.
    Everything,
}

/// Pages are written for this width, however wide the terminal is.
const COLUMNS: usize = 80;
/// The command whose page has what every command takes.
const OPTIONS: &str = "options";
/// For those who look after a league's software more than after a league.
const RARE: [&str; 7] = ["bench", "completions", "crash-test", "man", "schema", "siege", "sim"];
/// A page that begins with more than a line.
const LONG: &str = "{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";
const OF_EVERY_COMMAND: &str = "Every command takes --json, --config, --log …: agon help options";

impl Detail {
    /// What these arguments ask for.
    pub(crate) fn asked(args: impl Iterator<Item = OsString>) -> Self {
        let mut args = args.skip(1).peekable();
        let all = args.peek().is_some_and(|first| first == "help");
        if all || args.any(|arg| arg == "--help") { Self::Own } else { Self::Often }
    }
}

/// The command line, with pages of that detail.
pub(crate) fn command(detail: Detail) -> Command {
    let agon = page(Agon::command().max_term_width(COLUMNS), detail);
    let plain = Agon::command();
    let shared = plain.get_arguments().filter(|arg| arg.is_global_set()).cloned();
    let shared: Vec<_> = shared.map(|arg| shown(arg, Detail::Everything)).collect();
    agon.mut_subcommands(|command| page(command, detail))
        .mut_subcommand(OPTIONS, |command| command.args(shared).after_help(""))
}

/// One command's own page.
fn page(command: Command, detail: Detail) -> Command {
    if detail == Detail::Everything {
        return command.mut_args(|arg| shown(arg, detail));
    }
    let (name, long) = (command.get_name().to_owned(), command.get_long_about().cloned());
    let path = if name == "agon" { name.clone() } else { format!("agon {name}") };
    let has_more =
        name == "agon" || long.is_some() || command.get_arguments().any(has_place_in_long_help);
    let more = match detail {
        Detail::Often if has_more => format!("More of it: {path} --help\n"),
        Detail::Often | Detail::Own | Detail::Everything => String::new(),
    };
    let said = command.get_after_help().map(|said| format!("{said}\n")).unwrap_or_default();
    let is_rare = detail == Detail::Often && RARE.contains(&&*name);
    let hidden = command.is_hide_set() || is_rare;
    let page = command.mut_args(|arg| shown(arg, detail)).hide(hidden).long_about(None::<&str>);
    let page = page.after_help(format!("{said}{more}{OF_EVERY_COMMAND}"));
    match long {
        // What clap itself calls long help sets each option apart, and fills three screens.
        Some(long) if detail == Detail::Own => page.before_help(long).help_template(LONG),
        Some(_) | None => page,
    }
}

fn has_place_in_long_help(arg: &Arg) -> bool {
    arg.is_hide_short_help_set() && !arg.is_global_set()
}

/// An argument on a page of that detail.
fn shown(arg: Arg, detail: Detail) -> Arg {
    let hidden = match detail {
        Detail::Often => arg.is_global_set() || arg.is_hide_short_help_set(),
        Detail::Own => arg.is_global_set(),
        Detail::Everything => false,
    };
    arg.hide_short_help(false).hide(hidden)
}
