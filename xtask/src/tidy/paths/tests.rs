//! Private paths. They are put together here, so that this file is no finding itself.

use super::super::tests::check as on;
use super::check;

#[test]
fn a_private_path_is_found_in_any_file() {
    let folder = ["", "home", "ann"].join("/");
    let text = format!("Fine.\nSee {folder}/notes.\n");
    on(check, &[("docs/a.md", &text)], &["docs/a.md:2: a path under /home"]);
}

#[test]
fn a_part_of_a_longer_path_is_fine() {
    let text = "https://example.org/home/ and ./root/x and $HOME/.cache and /homely/\n";
    on(check, &[("docs/a.md", text)], &[]);
}
