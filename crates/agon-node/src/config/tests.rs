//! The default file, the order of the layers, and what errors say.

use std::error::Error as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use toml::Table;

use agon_core::TieBreaker;
use agon_core::format::FormatKind;

use super::{Config, ConfigError, DEFAULT_FILE, LogFormat, NoShow, Seconds, Tls};

/// The layers above the default file, each as text.
#[derive(Default)]
struct Layers<'a> {
    file: &'a str,
    env: &'a [(&'a str, &'a str)],
    flags: &'a str,
}

impl Layers<'_> {
    fn load(&self) -> Result<Config, ConfigError> {
        let folder = TempDir::new().unwrap();
        let path: PathBuf = folder.path().join("agon.toml");
        fs::write(&path, self.file).unwrap();
        let env = self.env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::load(Some(&path), env, self.flags.parse::<Table>().unwrap())
    }

    /// Loads, and expects an error whose whole chain says all of these.
    #[track_caller]
    fn check_refused(&self, says: &[&str]) {
        let error = self.load().unwrap_err();
        let cause = error.source().map(ToString::to_string).unwrap_or_default();
        let text = format!("{error}: {cause}");
        for part in says {
            assert!(text.contains(part), "{part:?} is not in: {text}");
        }
    }
}

fn file(text: &str) -> Layers<'_> {
    Layers { file: text, ..Layers::default() }
}

fn millis(millis: u64) -> Seconds {
    Seconds(Duration::from_millis(millis))
}

pub(crate) fn defaults() -> Config {
    Config::load(None, std::iter::empty(), Table::new()).unwrap()
}

/// Who wrote its configuration when there was one such game goes on with it.
#[test]
fn the_section_of_letters_goes_by_the_name_of_a_game_too() {
    let by_game = file("[q21]\nrounds = 3\nwarmup_s = 7").load().unwrap();
    let by_letters = file("[letters]\nrounds = 3\nwarmup_s = 7").load().unwrap();
    assert_eq!(by_game, by_letters);
    assert_eq!((by_game.letters.rounds, by_game.letters.warmup_s.as_secs()), (3, 7));
    file("[q21]\nruonds = 3").check_refused(&["letters.ruonds", "letters.rounds"]);
    file("[even_odd]\nrounds = 3").check_refused(&["even_odd", "`letters`"]);
}

#[test]
fn a_variable_may_list_who_is_let_in() {
    let listed = r#"["http://10.0.0.5:8001/mcp"]"#;
    let by_variable = Layers { env: &[("AGON_ADMISSION__REFEREES", listed)], ..Layers::default() };
    let by_file = format!("[admission]\nreferees = {listed}");
    assert_eq!(by_variable.load().unwrap(), file(&by_file).load().unwrap());
    // Elsewhere a text is a text, whatever it looks like.
    let named = Layers { env: &[("AGON_PLAYER__NAME", "[1]")], ..Layers::default() };
    assert_eq!(named.load().unwrap().player.name.as_str(), "[1]");
    let wrong = Layers { env: &[("AGON_ADMISSION__REFEREES", "[1]")], ..Layers::default() };
    wrong.check_refused(&["admission.referees", "AGON_ADMISSION__REFEREES"]);
}

#[test]
fn the_default_file_holds_the_numbers_of_the_specification() {
    let config = defaults();
    let seconds = Duration::from_secs;
    let times = &config.times;
    assert_eq!(*times.join_s, seconds(5));
    assert_eq!(*times.choice_s, seconds(30));
    assert_eq!(times.ask_backoff_s, [2, 4, 8].map(|wait| Seconds(seconds(wait))));
    assert_eq!(times.registration_tries, 3);
    assert_eq!(config.league.id.as_str(), "league_2026_even_odd");
    assert_eq!(config.league.no_show, NoShow::TechnicalLoss);
    assert_eq!(config.league.tie_breakers[2], TieBreaker::HeadToHead);
    assert_eq!(config.manager.listen.port(), 8000);
    assert_eq!(config.log.format, LogFormat::Auto);

    let link = config.link();
    assert_eq!(link.breaker.failures_max, 5);
    assert_eq!(link.breaker.open_for, seconds(30));
    assert_eq!(link.notices_max, 256);
    assert_eq!(link.waits, [2, 4, 8].map(seconds));
}

#[test]
fn every_key_of_the_default_file_is_explained() {
    let mut before = "";
    for line in DEFAULT_FILE.lines() {
        let explained = before.starts_with("# ");
        let needs_it = !line.starts_with('#') && (line.contains('=') || line.starts_with('['));
        assert!(explained || !needs_it, "no comment above: {line}");
        before = line;
    }
}

#[test]
fn every_key_of_the_default_file_is_read() {
    let whole: Table = DEFAULT_FILE.parse().unwrap();
    for (section, keys) in &whole {
        for key in keys.as_table().unwrap().keys() {
            let mut without = whole.clone();
            without[section].as_table_mut().unwrap().remove(key);
            assert!(without.try_into::<Config>().is_err(), "nobody reads {section}.{key}");
        }
        let mut without = whole.clone();
        without.remove(section);
        assert!(without.try_into::<Config>().is_err(), "nobody reads {section}");
    }
}

#[test]
fn the_later_layer_wins() {
    let layers = Layers {
        file: "[times]\nchoice_s = 1\njoin_s = 1\nnotice_s = 1\n",
        env: &[("AGON_TIMES__CHOICE_S", "2"), ("AGON_TIMES__JOIN_S", "2.5")],
        flags: "[times]\nchoice_s = 3\n",
    };
    let times = layers.load().unwrap().times;
    assert_eq!(*times.choice_s, Duration::from_secs(3));
    assert_eq!(*times.join_s, Duration::from_millis(2500));
    assert_eq!(*times.notice_s, Duration::from_secs(1));
    assert_eq!(*times.report_s, Duration::from_secs(10));
}

#[test]
fn the_environment_can_set_every_kind_of_value() {
    let env = &[
        ("AGON_SERVER__HOSTS", r#"["league.example.org"]"#),
        ("AGON_TIMES__ASK_BACKOFF_S", "[0.5, 1, 2]"),
        ("AGON_PLAYER__NAME", "7"),
        ("AGON_LEAGUE__NO_SHOW", "cancel"),
        ("AGON_MANAGER__LISTEN", "[::1]:0"),
        ("AGON_TOKEN", "not a setting"),
        ("HOME", "not ours"),
    ];
    let config = Layers { env, ..Layers::default() }.load().unwrap();
    assert_eq!(config.server.hosts, ["league.example.org"]);
    assert_eq!(config.times.ask_backoff_s, [500, 1000, 2000].map(millis));
    assert_eq!(config.player.name.as_str(), "7");
    assert_eq!(config.league.no_show, NoShow::Cancel);
    assert!(config.manager.listen.is_ipv6());
}

#[test]
fn scale_multiplies_every_time_and_no_count() {
    let config = file("[times]\nscale = 0.1\n").load().unwrap();
    let times = &config.times;
    assert_eq!(*times.choice_s, Duration::from_secs(3));
    assert_eq!(times.retry_backoff_s, [200, 400, 800].map(millis));
    assert_eq!(*times.match_time_max_s, Duration::from_secs(24));
    assert_eq!(*times.manager_wait_s, Duration::from_secs(30));
    assert_eq!(times.breaker_failures, 5);
    assert_eq!(config.link().breaker.open_for, Duration::from_secs(3));
    assert_eq!(*config.server.body_timeout_s, Duration::from_secs(10));
}

#[test]
fn an_unknown_key_is_named_with_what_may_have_been_meant() {
    file("[times]\nchoise_s = 1").check_refused(&["agon.toml", "times.choise_s", "times.choice_s"]);
    file("[server]\nchoice_s = 1")
        .check_refused(&["server.choice_s", "did you mean `times.choice_s`"]);
    file("[log]\ncolour = 1").check_refused(&["log.colour", "[log] has `format`, `level`"]);
    file("[tines]\njoin_s = 1").check_refused(&["tines", "did you mean `times`?"]);
    file("[clocks]\njoin_s = 1").check_refused(&["clocks", "the sections are", "`times`"]);
    file("join_s = 1").check_refused(&["join_s", "the sections are"]);
    let env = &[("AGON_TIMES__CHOICE", "1")];
    Layers { env, ..Layers::default() }
        .check_refused(&["variable AGON_TIMES__CHOICE", "times.choice_s"]);
    let flags = "[league]\nplayer_max = 1";
    Layers { flags, ..Layers::default() }.check_refused(&["command line", "league.players_max"]);
}

#[test]
fn a_value_of_the_wrong_kind_is_named_with_its_place() {
    file("[times]\njoin_s = 1\nchoice_s = \"x\"").check_refused(&[
        "agon.toml",
        "`times.choice_s`",
        "a number of seconds",
    ]);
    file("[times]\nchoice_s = 0").check_refused(&["`times.choice_s`", "integer `0`"]);
    file("[times]\nchoice_s = -1").check_refused(&["`times.choice_s`", "integer `-1`"]);
    file("[times]\nchoice_s = inf").check_refused(&["`times.choice_s`", "floating point"]);
    file("[times]\nchoice_s = nan").check_refused(&["`times.choice_s`", "floating point"]);
    file("[times]\nask_backoff_s = [2, -4]").check_refused(&["`times.ask_backoff_s`", "`-4`"]);
    file("[league]\nno_show = \"shrug\"").check_refused(&["`league.no_show`", "technical_loss"]);
    file("[manager]\nlisten = \"here\"").check_refused(&["`manager.listen`", "socket address"]);
    file("times = 3").check_refused(&["`times`", "agon.toml"]);
    let env = &[("AGON_LEAGUE__DRAW_MAX", "ten")];
    Layers { env, ..Layers::default() }.check_refused(&[
        "AGON_LEAGUE__DRAW_MAX",
        "`league.draw_max`",
        "\"ten\"",
    ]);
}

#[test]
fn what_is_out_of_bounds_is_refused() {
    file("[league]\ndraw_min = 11").check_refused(&["`league.draw_min`", "11 and 10"]);
    // Every referee is told the range by these two, so nothing else may say it.
    let said = file("[league]\ngame_settings = '{\"draw_max\": 5}'");
    said.check_refused(&["`league.game_settings`", "draw_max"]);
    file("[league]\nid = \"a/b\"").check_refused(&["`league.id`"]);
    file("[league]\ngame = \"chess\"").check_refused(&["`league.game`", "chess", "even_odd"]);
    file("[league]\nplayers_max = 1").check_refused(&["`league.players_max`", "at least 2"]);
    file("[league]\ntie_breakers = [\"wins\", \"wins\"]").check_refused(&["twice"]);
    file("[league]\nformat = \"swiss\"").check_refused(&["no format \"swiss\"", "round-robin"]);
    file("[league]\nformat = \"teams\"").check_refused(&["league.format", "double-round-robin"]);
    let both = "[league]\nformat = \"double_round_robin\"\ntie_breakers = [\"draws\"]";
    let league = file(both).load().unwrap().league;
    assert_eq!(league.format, Some(FormatKind::DoubleRoundRobin));
    assert_eq!(league.tie_breakers, [TieBreaker::Draws]);
    let q21 = "[league]\ngame = \"q21\"\nformat = \"round-robin\"";
    file(q21).check_refused(&["league.format", "refereed and teams"]);
    file("[league]\ndraw_points = 4").check_refused(&["`league.draw_points`", "4 and 3"]);
    file("[league]\nwin_points = 1001").check_refused(&["`league.win_points`", "at most 1000"]);
    file("[letters]\nreferee_lost_points = 4000000000").check_refused(&["referee_lost_points"]);
    file("[times]\nscale = 0").check_refused(&["`times.scale`"]);
    file("[times]\nscale = nan").check_refused(&["`times.scale`"]);
    file("[times]\nask_backoff_s = [2]").check_refused(&["`times.ask_backoff_s`", "three"]);
    file("[times]\nretry_backoff_s = []").check_refused(&["`times.retry_backoff_s`"]);
    file("[server]\nbatch_max = 5000").check_refused(&["`server.batch_max`", "5000 and 4096"]);
    file("[client]\nnotices_max = 0").check_refused(&["`client.notices_max`", "at least 1"]);
    file("[player]\nname = \" \"").check_refused(&["`player.name`", "empty"]);
}

#[test]
fn a_certificate_needs_its_key() {
    file("[tls]\ncert = \"cert.pem\"").check_refused(&["`tls.key` and `tls.cert`", "both files"]);
    file("[tls]\nkey = \"key.pem\"").check_refused(&["`tls.key` and `tls.cert`", "both files"]);
    file("[tls]\ncert = 1").check_refused(&["`tls.cert`", "string"]);
}

#[test]
fn an_empty_text_names_no_file_and_advertises_nothing() {
    let config = defaults();
    assert_eq!(config.tls, Tls::default());
    assert_eq!(config.manager.advertise, None);
    let layers = Layers {
        file: "[tls]\ncert = \"cert.pem\"\nkey = \"key.pem\"\nca = \"ca.pem\"",
        env: &[("AGON_TLS__CA", ""), ("AGON_PLAYER__ADVERTISE", "agent.example.org")],
        flags: "",
    };
    let config = layers.load().unwrap();
    assert_eq!((config.tls.cert, config.tls.ca), (Some("cert.pem".into()), None));
    assert_eq!(config.player.advertise.as_deref(), Some("agent.example.org"));
}

#[test]
fn two_bounds_may_move_together() {
    let league = file("[league]\ndraw_min = 20\ndraw_max = 30").load().unwrap().league;
    assert_eq!((league.draw_min, league.draw_max), (20, 30));
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_if_it_was_asked_for() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("nowhere.toml");
    let error = Config::load(Some(&path), std::iter::empty(), Table::new()).unwrap_err();
    assert!(error.to_string().contains("nowhere.toml"), "{error}");
    file("[times\n").check_refused(&["agon.toml", "as TOML", "line 1"]);
}
