//! What a season is called that comes after another.

use agon_proto::{DisplayName, SeasonId};

use super::SeasonSettings;

fn named(season: &str, season_number: u32) -> SeasonSettings {
    let name = DisplayName::new(season);
    SeasonSettings {
        season: SeasonId::new(season),
        season_number,
        name,
        ..SeasonSettings::default()
    }
}

/// Season and number of what was meant as `meant`, after `last`.
#[track_caller]
fn check(meant: &SeasonSettings, last: &SeasonSettings, season: &str, number: u32) {
    let next = meant.clone().after(last);
    assert_eq!((next.season.as_str(), next.season_number), (season, number));
    assert_eq!(next.name.as_str(), season);
}

#[test]
fn the_same_season_again_has_a_name_of_its_own() {
    check(&named("S01", 1), &named("S01", 1), "S01-2", 2);
    check(&named("S01", 1), &named("S01-2", 2), "S01-3", 3);
    check(&named("S01", 1), &named("S01-9", 99), "S01-10", 1);
    check(&named("SEASON_2026-02", 7), &named("SEASON_2026-02", 7), "SEASON_2026-02-2", 8);
}

#[test]
fn another_season_is_called_as_it_was_meant() {
    check(&named("S02", 2), &named("S01", 1), "S02", 2);
    check(&named("S01", 1), &named("S01x", 4), "S01", 1);
    check(&named("S01", 5), &named("S01-final", 4), "S01", 5);
}

#[test]
fn a_name_for_people_stays() {
    let mut meant = named("S01", 1);
    meant.name = DisplayName::new("Spring");
    assert_eq!(meant.clone().after(&named("S01", 1)).name.as_str(), "Spring");
}
