//! The golden journals of a season by mail.

use super::crowd::Crowd;
use super::office::Office;
use super::programs::wait_for;
use crate::golden;

#[test]
fn u11_golden_journals_of_q21_by_mail_open() {
    golden::check("q21_by_mail", "q21", |dir| {
        let office = Office::open(3);
        let mut crowd = Crowd::with_manager(&office, "3");
        for team in 1..=3 {
            for role in ["player", "referee"] {
                crowd.agent(role, team, &[]);
                wait_for(&mut crowd, ["SENT", "SIGNUP-RESPONSE"]);
            }
        }
        crowd.see_home();
        drop(crowd);
        for (folder, role) in [("manager", "manager"), ("r1", "referee"), ("p1", "player")] {
            std::fs::rename(office.path().join(folder), dir.join(role)).unwrap();
        }
    });
}
