//! Names that a reader cannot tell apart are not shown for two.

use crate::league::League;

#[test]
fn t11_a_name_that_looks_like_anothers_is_told_apart_and_its_owner_hears_it() {
    let mut league = League::open(&[]);
    let mut told = Vec::new();
    for (name, shown) in [
        ("Ada", "Ada"),
        ("ada", "ada (P02)"),
        // Two letters of another alphabet.
        ("\u{410}d\u{430}", "\u{410}d\u{430} (P03)"),
        ("", "P04"),
        ("\u{200b} ", "P05"),
    ] {
        let mut player = league.member("player", &["--name", name]);
        if name != shown && !name.is_empty() {
            let said = player.logs("our name is taken, or the roster has another one");
            assert_eq!(said["name"], shown, "{said}");
        }
        told.push(player);
        let all = league.operate("agents").succeed().json();
        let last = all["agents"].as_array().unwrap().last().unwrap();
        assert_eq!(last["display_name"], shown, "{last}");
    }
}
