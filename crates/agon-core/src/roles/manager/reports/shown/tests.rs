//! Reports that agree with themselves, and all the ways not to.

use agon_proto::message::{Parity, ReportDetails, ResultStatus};
use agon_proto::{PerPlayer, PlayerId};

use super::*;
use crate::testing::{SCORING, player};

const FIXTURE: Fixture = Fixture { a: PlayerId::new(1), b: PlayerId::new(2) };
const EVEN: Option<Parity> = Some(Parity::Even);
const ODD: Option<Parity> = Some(Parity::Odd);

fn said(winner: Option<u32>, choices: [Option<Parity>; 2], drawn: Option<u32>) -> ReportedResult {
    let [a, b] = choices;
    ReportedResult {
        winner: winner.map(player),
        score: PerPlayer::empty(),
        details: ReportDetails {
            drawn_number: drawn,
            choices: PerPlayer::of([a.map(|it| (player(1), it)), b.map(|it| (player(2), it))]),
            played: None,
        },
        status: None,
        reason: None,
        blame: None,
        attempt: None,
    }
}

fn ended(
    status: ResultStatus,
    winner: Option<u32>,
    reason: Cause,
    blame: Option<Blame>,
) -> ReportedResult {
    let plain = said(winner, [None, None], None);
    ReportedResult { status: Some(status), reason: Some(reason), blame, ..plain }
}

fn checked(said: &ReportedResult) -> Result<Claim, String> {
    let scoring = Scoring::ByOutcome(SCORING);
    let rules = &Rules::default();
    let verdict = read(said, FIXTURE, &scoring).map_err(|what| what.to_string())?;
    let claims = Claims { said, verdict: &verdict, fixture: FIXTURE, rules, scoring: &scoring };
    let checked = claims.check(&said.details.view([FIXTURE.a, FIXTURE.b]));
    checked.map(|(_, claim)| claim).map_err(|what| what.to_string())
}

#[track_caller]
fn check(said: &ReportedResult, expected: Result<Claim, &str>) {
    assert_eq!(checked(said), expected.map_err(str::to_owned), "{said:?}");
}

#[test]
fn what_the_rule_makes_of_choices_and_number_is_verified() {
    for choices in [[EVEN, EVEN], [EVEN, ODD], [ODD, EVEN], [ODD, ODD]] {
        for number in 1..=10 {
            let parity = Some(Parity::of(number));
            let right = choices.map(|choice| choice == parity);
            let true_winner = match right {
                [true, false] => Some(1),
                [false, true] => Some(2),
                [true, true] | [false, false] => None,
            };
            for winner in [None, Some(1), Some(2)] {
                let result = checked(&said(winner, choices, Some(number)));
                assert_eq!(
                    result.is_ok(),
                    winner == true_winner,
                    "{choices:?} {number} {winner:?}"
                );
            }
        }
    }
}

#[test]
fn what_is_left_out_may_be_anything_that_fits() {
    let unverified = Ok(Claim::Unverified);
    check(&said(Some(1), [None, None], None), unverified);
    check(&said(None, [None, None], Some(8)), unverified);
    check(&said(Some(1), [EVEN, ODD], None), unverified);
    check(&said(Some(1), [EVEN, None], Some(8)), unverified);
    let winner = "`status` WIN for P01 contradicts ";
    let both = format!("{winner}`choices` P01 even, P02 even");
    check(&said(Some(1), [EVEN, EVEN], None), Err(&both));
    let wrong = format!("{winner}`choices` P01 odd with `drawn_number` 8");
    check(&said(Some(1), [ODD, None], Some(8)), Err(&wrong));
    let right = format!("{winner}`choices` P02 even with `drawn_number` 8");
    check(&said(Some(1), [None, EVEN], Some(8)), Err(&right));
    let apart = "`status` DRAW contradicts `choices` P01 even, P02 odd";
    check(&said(None, [EVEN, ODD], None), Err(apart));
}

#[test]
fn a_number_is_one_of_the_leagues() {
    for number in [0, 11, u32::MAX] {
        let said = said(Some(1), [EVEN, ODD], Some(number));
        let why = format!("`drawn_number` {number} contradicts the league's range 1 to 10");
        check(&said, Err(&why));
    }
}

#[test]
fn a_score_favours_who_won() {
    let with = |winner, score| ReportedResult { score, ..said(winner, [None, None], None) };
    let both = |a, b| PerPlayer::both((player(1), a), (player(2), b));
    check(&with(Some(2), both(0, 3)), Ok(Claim::Unverified));
    check(&with(None, both(7, 7)), Ok(Claim::Unverified));
    check(&with(Some(1), PerPlayer::of([None, Some((player(2), 0))])), Ok(Claim::Unverified));
    let other = "`score` P01 0, P02 3 contradicts `status` WIN for P01";
    check(&with(Some(1), both(0, 3)), Err(other));
    let drawn = "`score` P01 1000, P02 0 contradicts `status` DRAW";
    check(&with(None, both(1_000, 0)), Err(drawn));
    let stranger = PerPlayer::of([Some((player(9), 3)), None]);
    let nobody = "`score` of P09 contradicts the match of P01 and P02";
    check(&with(Some(1), stranger), Err(nobody));
}

#[test]
fn reason_and_blame_fit_the_status() {
    use Cause::{HostOverloaded, Network, NoShow, Played, RefereeLost, TimedOut, Withdrawn};
    use ResultStatus::{Aborted, Cancelled, Draw, TechnicalLoss, Win};
    let loss = |cause, blame| ended(TechnicalLoss, Some(1), cause, blame);
    for honest in [
        ended(Win, Some(1), Played, None),
        ended(Draw, None, Played, None),
        loss(NoShow, Some(Blame::PlayerB)),
        loss(Cause::InvalidMove, None),
        ended(TechnicalLoss, None, TimedOut, Some(Blame::Both)),
        ended(Cancelled, None, NoShow, Some(Blame::PlayerA)),
        ended(Cancelled, None, Cause::MalformedAnswer, Some(Blame::Both)),
        ended(Aborted, None, Network, Some(Blame::Network)),
        ended(Aborted, None, HostOverloaded, Some(Blame::Host)),
        ended(Aborted, None, RefereeLost, None),
    ] {
        assert!(checked(&honest).is_ok(), "{honest:?}: {:?}", checked(&honest));
    }
    for (lie, field) in [
        (loss(Played, None), "reason"),
        (loss(RefereeLost, None), "reason"),
        (ended(Win, Some(1), NoShow, None), "reason"),
        (ended(Cancelled, None, Played, None), "reason"),
        (ended(Cancelled, None, Withdrawn, None), "reason"),
        (ended(Cancelled, None, Cause::CancelledByOperator, None), "reason"),
        (ended(Aborted, None, NoShow, None), "reason"),
        (loss(NoShow, Some(Blame::PlayerA)), "blame"),
        (loss(NoShow, Some(Blame::Referee)), "blame"),
        (ended(Win, Some(1), Played, Some(Blame::PlayerB)), "blame"),
        (ended(TechnicalLoss, None, TimedOut, Some(Blame::PlayerA)), "blame"),
        (ended(Aborted, None, Network, Some(Blame::PlayerA)), "blame"),
    ] {
        let why = checked(&lie).unwrap_err();
        assert!(why.starts_with(&format!("`{field}` ")), "{lie:?}: {why}");
    }
}

#[test]
fn who_failed_has_not_chosen_and_nothing_was_drawn() {
    use ResultStatus::{Aborted, Cancelled, TechnicalLoss};
    let with = |result: ReportedResult, choices, drawn| {
        let ReportedResult { details, .. } = said(None, choices, drawn);
        ReportedResult { details, ..result }
    };
    let late = || ended(TechnicalLoss, Some(1), Cause::TimedOut, None);
    check(&with(late(), [EVEN, None], None), Ok(Claim::Verified));
    let lost = || ended(Aborted, None, Cause::HostOverloaded, None);
    check(&with(lost(), [EVEN, ODD], None), Ok(Claim::Verified));
    let nobody = || ended(Cancelled, None, Cause::NoShow, None);
    for lie in [
        with(late(), [EVEN, ODD], None),
        with(late(), [EVEN, None], Some(8)),
        with(ended(TechnicalLoss, Some(1), Cause::NoShow, None), [EVEN, None], None),
        with(ended(TechnicalLoss, None, Cause::TimedOut, None), [EVEN, None], None),
        with(nobody(), [EVEN, ODD], Some(8)),
        with(nobody(), [None, ODD], None),
        with(lost(), [EVEN, ODD], Some(8)),
    ] {
        let why = checked(&lie).unwrap_err();
        assert!(why.starts_with("`status` ") && why.contains(" contradicts `"), "{lie:?}: {why}");
    }
}
