//! Processor time by match.

use super::*;

#[test]
fn processor_time_is_shared_out_among_all_matches() {
    let season: Cpu = [100, 200, 300].map(Duration::from_millis);
    let each = CpuPerMatch::of(&[season, season], 1000);
    assert_eq!([each.manager, each.referee, each.players], [100.0, 200.0, 300.0]);
}
