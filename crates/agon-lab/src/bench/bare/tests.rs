//! Reading a record.

use super::*;

#[test]
fn calls_of_the_season_are_put_in_the_order_in_which_they_went_out() {
    let places = HashMap::from([("http://127.0.0.1:1/mcp", 0), ("http://127.0.0.1:2/mcp", 1)]);
    let text = "30 2 300 31 http://127.0.0.1:2/mcp\n\
                20 5 200 21 http://127.0.0.1:1/mcp\n\
                25 1 250 26 http://127.0.0.1:9/mcp\n\
                9 7 90 10 http://127.0.0.1:1/mcp\n\
                41 7 410 42 http://127.0.0.1:1/mcp\n\
                not a line\n";
    let window = (Timestamp::from_micros(10), Timestamp::from_micros(40));
    let expected = [
        Call { to: 0, request: 200, answer: 21, abreast: 5 },
        Call { to: 1, request: 300, answer: 31, abreast: 2 },
    ];
    assert_eq!(parse(text, window, &places), expected);
}

#[test]
fn the_port_names_the_file() {
    assert_eq!(address("http://127.0.0.1:8101/mcp").unwrap().port(), 8101);
    assert!(address("nonsense").is_err());
}
