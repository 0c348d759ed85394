//! Reading how much room there is.

use super::*;

#[test]
fn the_room_left_is_the_fourth_column() {
    let listing = "Filesystem 1024-blocks Used Available Capacity Mounted on\n\
                   /dev/a 1000 600 400 60% /tmp\n";
    assert_eq!(available(listing), Some(400 << 10));
    assert_eq!(available("nonsense"), None);
}
