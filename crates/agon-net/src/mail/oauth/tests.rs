//! How a token is asked for, and how it is shown to a mail server.

use lettre::transport::smtp::authentication::{Credentials, Mechanism};

use super::{OAuth2Settings, form_value, xoauth2};
use crate::http_client::EndpointUrl;

#[test]
fn a_login_by_token_is_written_as_providers_expect_it() {
    let said = xoauth2("red@league.test", "ya29.abc");
    assert_eq!(said, "user=red@league.test\u{1}auth=Bearer ya29.abc\u{1}\u{1}");
}

#[test]
fn by_smtp_the_same_is_said_as_by_imap() {
    let credentials = Credentials::new("red@league.test".into(), "ya29.abc".into());
    let said = Mechanism::Xoauth2.response(&credentials, None).unwrap();
    assert_eq!(said, xoauth2("red@league.test", "ya29.abc"));
}

#[test]
fn a_form_survives_every_sign() {
    assert_eq!(form_value("Az09-._~"), "Az09-._~");
    assert_eq!(form_value("1//a+b=c&d e%ä"), "1%2F%2Fa%2Bb%3Dc%26d%20e%25%C3%A4");
}

#[test]
fn the_settings_show_nothing_of_themselves() {
    let settings = OAuth2Settings {
        client_id: "id".into(),
        client_secret: "hush".into(),
        refresh_token: "1//x".into(),
        token_url: EndpointUrl::parse("https://token.league.test/token").unwrap(),
    };
    assert_eq!(format!("{settings:?}"), "OAuth2Settings(..)");
    let form = "grant_type=refresh_token&client_id=id&client_secret=hush&refresh_token=1%2F%2Fx";
    assert_eq!(settings.form(), form);
}
