//! A list keeps its text until somebody looks, and says the same before and after.

use super::Listed;
use crate::PlayerId;

fn read(text: &str) -> Result<Listed<PlayerId>, serde_json::Error> {
    serde_json::from_str(text)
}

#[test]
fn the_entries_are_there_for_whoever_looks() {
    let list = read(r#"["P01","P07"]"#).unwrap();
    assert_eq!(list.entries(), [PlayerId::new(1), PlayerId::new(7)]);
    assert_eq!(list, vec![PlayerId::new(1), PlayerId::new(7)].into());
    assert_eq!(format!("{list:?}"), "[P01, P07]");
}

#[test]
fn it_is_written_as_it_came() {
    for text in ["[]", r#"["P01"]"#] {
        let list = read(text).unwrap();
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
        list.entries();
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
    }
    let ours = Listed::from(vec![PlayerId::new(3)]);
    assert_eq!(serde_json::to_string(&ours).unwrap(), r#"["P03"]"#);
    assert_eq!(serde_json::to_string(&Listed::<PlayerId>::default()).unwrap(), "[]");
}

#[test]
fn what_is_no_list_is_refused_and_a_bad_entry_empties_it() {
    for text in ["{}", "7", r#""P01""#, "null"] {
        assert!(read(text).is_err(), "{text}");
    }
    assert!(read(r#"["P01", "Q"]"#).unwrap().entries().is_empty());
}

#[test]
fn its_size_and_whether_it_is_empty_are_known_without_reading() {
    for (text, empty) in [("[]", true), ("[ \n]", true), (r#"["P01"]"#, false), ("[[]]", false)] {
        let list = read(text).unwrap();
        assert_eq!((list.is_empty(), list.size(10)), (empty, text.len()), "{text}");
    }
    let ours = Listed::from(vec![PlayerId::new(3); 2]);
    assert_eq!((ours.is_empty(), ours.size(10)), (false, 20));
    assert!(Listed::<PlayerId>::default().is_empty());
}
