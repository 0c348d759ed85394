//! Processor time by match.

use super::*;

#[test]
fn processor_time_is_shared_out_among_all_matches() {
    let season = Cpu {
        manager: Duration::from_millis(100),
        referee: Duration::from_millis(200),
        players: Duration::from_millis(300),
    };
    let each = CpuPerMatch::of(&[season, season], 1000);
    assert_eq!([each.manager, each.referee, each.players], [100.0, 200.0, 300.0]);
}
