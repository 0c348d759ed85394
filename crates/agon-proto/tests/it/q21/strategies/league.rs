//! What is said around the games.

use agon_proto::act::Task;
use agon_proto::act::{
    Act, Applying, Approval, AssignmentAck, AssignmentRow, AssignmentTable, Connectivity, Decided,
    Denial, EndRound, Extension, ExtensionDecision, ForceMajeure, ForceMajeureDecision, FreeText,
    Halt, KeepAlive, LeagueRegistration, LeagueRegistrationAnswer, NewRound, Problem, Rejection,
    RoundResults, RoundWinner, SeasonCompleted, StandingRow, StartSeason, StateAnswer,
    TableRequest,
};
use agon_proto::{Contact, Part, SeasonId};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{address, game, group, name, role, score, text, time, word};
use crate::strategies::token;

pub(super) fn body() -> impl Strategy<Value = Act> {
    prop_oneof![
        start_season(),
        registration(),
        table().prop_map(Act::AssignmentTable),
        table().prop_map(Act::TableAnswer),
        acks(),
        rounds(),
        completed(),
        states(),
        texts(),
        league_registration(),
        lateness(),
        trouble(),
    ]
}

fn verdict() -> impl Strategy<Value = Approval> {
    select(vec![Approval::Accepted, Approval::Rejected])
}

fn start_season() -> impl Strategy<Value = Act> {
    let counts = (any::<u32>(), option::of(any::<u32>()), option::of(any::<u32>()));
    (word(), name(), counts, option::of(time()), text()).prop_map(
        |(season, name, (total_rounds, players, referees), registration_deadline, text)| {
            Act::StartSeason(StartSeason {
                season: SeasonId::new(&season),
                name,
                total_rounds,
                registration_deadline,
                registered_players: players,
                registered_referees: referees,
                text,
            })
        },
    )
}

fn registration() -> impl Strategy<Value = Act> {
    let names = (option::of(name()), option::of(name()));
    let request = (option::of(group()), names, option::of(role()), option::of(address())).prop_map(
        |(group, (participant, name), role, also)| {
            let also = also.as_ref().map(Contact::of);
            let application =
                Applying { group, participant, name, role, also, ..Applying::default() };
            Act::Apply(Box::new(application))
        },
    );
    let words = (option::of(text()), option::of(word()));
    let answer = (option::of(denial()), words, option::of(token())).prop_map(
        |(denial, (text, registration), token)| {
            let decided = Decided { denial, text, registration, token, ..Decided::default() };
            Act::Decide(Box::new(decided))
        },
    );
    prop_oneof![request, answer]
}

fn denial() -> impl Strategy<Value = Denial> {
    let known = vec![
        Denial::AlreadyIn,
        Denial::Closed,
        Denial::UnknownSeason,
        Denial::NotOnRoster,
        Denial::TeamTaken,
        Denial::TeamIncomplete,
        Denial::Full,
        Denial::LeaveNeeded,
        Denial::Other(Box::default()),
    ];
    prop_oneof![select(known), word().prop_map(Denial::Other)]
}

fn table() -> impl Strategy<Value = AssignmentTable> {
    let part = select(vec![Part::Player1, Part::Player2, Part::Referee]);
    let row = (game(), part, option::of(address()), group(), option::of(token())).prop_map(
        |(game, part, address, group, auth_token)| AssignmentRow {
            game,
            part,
            address,
            group,
            auth_token,
        },
    );
    (vec(row, 0..4), text()).prop_map(|(rows, text)| AssignmentTable { season: None, rows, text })
}

fn acks() -> impl Strategy<Value = Act> {
    (option::of(group()), any::<u32>(), 0..3).prop_map(|(group, received, which)| match which {
        0 => Act::RefereeAck(AssignmentAck { season: None, group, received }),
        1 => Act::PlayerAck(AssignmentAck { season: None, group, received }),
        _ => Act::TableRequest(TableRequest { season: None, group }),
    })
}

fn standings() -> impl Strategy<Value = Vec<StandingRow>> {
    let counts = [any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>()];
    let who = (group(), option::of(address()), option::of(name()));
    let row = (any::<u32>(), who, counts, option::of(score())).prop_map(
        |(rank, (participant, address, name), [points, played, won, drawn, lost], average)| {
            StandingRow {
                rank,
                participant,
                address,
                name,
                points,
                played,
                won,
                drawn,
                lost,
                average,
            }
        },
    );
    vec(row, 0..3)
}

fn rounds() -> impl Strategy<Value = Act> {
    let present = option::of(vec(address(), 0..3));
    let new = (any::<u32>(), option::of(any::<u32>()), option::of(time()), present, text())
        .prop_map(|(number, total_rounds, ends_at, present, text)| {
            Act::NewRound(NewRound { number, total_rounds, ends_at, present, text })
        });
    let end = (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(
        |(number, matches_completed, matches_total)| {
            Act::EndRound(EndRound { number, matches_completed, matches_total })
        },
    );
    let winner =
        (game(), option::of(group())).prop_map(|(game, winner)| RoundWinner { game, winner });
    let results =
        (any::<u32>(), standings(), vec(winner, 0..3)).prop_map(|(number, standings, results)| {
            Act::RoundResults(RoundResults { number, standings, results })
        });
    prop_oneof![new, end, results]
}

fn completed() -> impl Strategy<Value = Act> {
    (standings(), text()).prop_map(|(standings, text)| {
        Act::SeasonCompleted(SeasonCompleted { season: None, standings, text })
    })
}

fn states() -> impl Strategy<Value = Act> {
    let task = select(vec![Task::KeepAlive, Task::Pause, Task::Continue, Task::Reset]);
    (task, word(), word(), text()).prop_map(|(task, status, state, text)| {
        Act::State(task, StateAnswer { status, state, game: None, text })
    })
}

fn texts() -> impl Strategy<Value = Act> {
    (text(), 0..7).prop_map(|(text, which)| match which {
        0 => Act::KeepAlive(KeepAlive { text }),
        1 => Act::Pause(Halt { reason: text }),
        2 => Act::Continue(Halt { reason: text }),
        3 => Act::Reset(Halt { reason: text }),
        4 => Act::FreeText(FreeText { text }),
        5 => Act::FreeTextAnswer(FreeText { text }),
        _ => Act::StillHere(FreeText { text }),
    })
}

fn league_registration() -> impl Strategy<Value = Act> {
    let request = (role(), option::of(group()), option::of(name()), option::of(address()))
        .prop_map(|(role, group, name, contact)| {
            Act::LeagueRegistration(LeagueRegistration { role, group, name, contact })
        });
    let answer =
        (verdict(), option::of(name()), option::of(word())).prop_map(|(status, agent, reason)| {
            Act::LeagueRegistrationAnswer(LeagueRegistrationAnswer { status, agent, reason })
        });
    let ping = (word(), option::of(address()), option::of(time()), any::<bool>()).prop_map(
        |(ping, echo_from, at, is_call)| {
            let said = Connectivity { ping, echo_from, at };
            if is_call { Act::ConnectivityCall(said) } else { Act::ConnectivityEcho(said) }
        },
    );
    prop_oneof![request, answer, ping]
}

fn lateness() -> impl Strategy<Value = Act> {
    let request = (text(), any::<u32>())
        .prop_map(|(reason, seconds)| Act::Extension(Extension { reason, seconds }));
    let decision = (verdict(), option::of(time()), option::of(text())).prop_map(
        |(status, new_deadline, text)| {
            Act::ExtensionDecision(ExtensionDecision { status, new_deadline, text })
        },
    );
    let times = (option::of(time()), option::of(time()));
    let rejection = (option::of(word()), times, text(), any::<bool>()).prop_map(
        |(original, (deadline, received_at), reason, again)| {
            let said = Rejection { original, deadline, received_at, reason };
            if again { Act::AlreadyRejected(said) } else { Act::Rejection(said) }
        },
    );
    prop_oneof![request, decision, rejection]
}

fn trouble() -> impl Strategy<Value = Act> {
    let request = text().prop_map(|reason| Act::ForceMajeure(ForceMajeure { game: None, reason }));
    let decision = (verdict(), text()).prop_map(|(status, notes)| {
        Act::ForceMajeureDecision(ForceMajeureDecision { status, notes })
    });
    let problem = (word(), text(), option::of(word()), any::<bool>()).prop_map(
        |(code, text, original, recoverable)| {
            Act::Problem(Problem { code, text, original, recoverable })
        },
    );
    let other = "X[A-Z_]{1,20}".prop_map(|name| Act::Other(name.into()));
    prop_oneof![request, decision, problem, other]
}
