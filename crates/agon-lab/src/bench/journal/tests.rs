//! Reading how much room there is.

use super::*;

#[test]
fn the_room_left_is_told_of_a_folder_that_is_there() {
    let dir = temporary_folder().unwrap();
    assert!(free_space(dir.path()).unwrap() > 0);
    assert_eq!(free_space(&dir.path().join("nothing")), None);
}
