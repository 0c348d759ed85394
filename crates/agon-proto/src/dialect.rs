//! Dialects: how what is said is spelled, and what each of them has words for.
//!
//! Spec: docs/protocol/README.md

pub mod league_v2;
pub mod q21;

// There is one dialect of letters, and it is chosen here.
pub use q21::{
    Claim, GameProse, Mail, Unreadable, attachment_name, claimed, letter_in, log_callback,
    log_deadline, log_words, open_mail, subject,
};
pub(crate) use q21::{kind_of, open_json as open_letter};

/// What an agent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `league.v2`.
    LeagueV2,
    /// `Q21G.v1`.
    Q21,
}

/// What can be said in a dialect, and how much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// Whether matches are given to referees one by one; else the season's schedule says it all.
    pub assigns: bool,
    /// Whether a match can have a second attempt.
    pub attempts: bool,
    /// Whether agents come in teams.
    pub teams: bool,
    /// Whether seasons have names: each is opened, can be forgotten, and another one follows.
    pub seasons: bool,
    /// Most rounds of a season that can be told apart.
    pub rounds_max: u32,
    /// Most players, and most referees, whose matches can be told apart.
    pub agents_max: u32,
    /// Most seasons that can be told apart.
    pub seasons_max: u32,
}

impl Dialect {
    /// What is spoken in a league, by whether it is played by letters.
    pub const fn spoken(by_letters: bool) -> Self {
        if by_letters { Self::Q21 } else { Self::LeagueV2 }
    }

    /// What can be said in it.
    pub const fn abilities(self) -> &'static Abilities {
        match self {
            Self::LeagueV2 => &Abilities {
                assigns: true,
                attempts: true,
                teams: false,
                seasons: false,
                rounds_max: u32::MAX,
                agents_max: u32::MAX,
                seasons_max: u32::MAX,
            },
            // A game id has two digits for its season, two for its round and three for its number.
            Self::Q21 => &Abilities {
                assigns: false,
                attempts: false,
                teams: true,
                seasons: true,
                rounds_max: 99,
                agents_max: 300,
                seasons_max: 99,
            },
        }
    }
}
