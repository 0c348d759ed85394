//! Fair dice reach every face; seeded ones depend on nothing but seed and match.

use agon_proto::MatchId;

use super::Dice;

#[test]
fn fair_dice_reach_every_face_about_equally_often() {
    let mut faces = [0u32; 10];
    for _ in 0..20_000 {
        let number = Dice::Fair.roll(MatchId::new(1, 1), 1, 10);
        faces[number as usize - 1] += 1;
    }
    // Six standard deviations around 2,000.
    assert!(faces.iter().all(|count| (1_745..=2_255).contains(count)), "{faces:?}");
}

#[test]
fn seeded_dice_repeat_themselves_and_differ_between_matches() {
    let roll = |round, number| Dice::Seeded(7).roll(MatchId::new(round, number), 1, 1000);
    assert_eq!(roll(1, 1), roll(1, 1));
    let numbers: std::collections::BTreeSet<_> = (1..=50).map(|number| roll(1, number)).collect();
    assert!(numbers.len() > 40, "{numbers:?}");
}

#[test]
fn one_face_is_always_the_same() {
    assert_eq!(Dice::Fair.roll(MatchId::new(1, 1), 5, 5), 5);
}
