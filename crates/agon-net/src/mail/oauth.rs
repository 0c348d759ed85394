//! Access tokens instead of passwords: fetched with a refresh token, and kept until they run out.
//!
//! What a token server answers is never repeated, because it may hold a token.

use std::fmt;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::header::HeaderValue;
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::http_client::{CallError, Client, EndpointUrl, Scheme};

const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");
const REFRESH_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a token is used when nobody says how long it is good.
const USUAL_LIFE: Duration = Duration::from_secs(300);
/// A token that is this near its end is not begun with.
const MARGIN: Duration = Duration::from_secs(60);

/// Where tokens come from, as the provider handed it out.
#[derive(Clone)]
pub struct OAuth2Settings {
    pub client_id: String,
    pub client_secret: String,
    pub refresh_token: String,
    pub token_url: EndpointUrl,
}

/// A source of access tokens.
pub struct OAuth2 {
    settings: OAuth2Settings,
    http: Client,
    /// A token, and how long it is used.
    held: Mutex<Option<(String, Instant)>>,
}

/// Why there is no access token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error(
        "the token server would have to be called unencrypted; its URL must begin with https://"
    )]
    Exposed,
    #[error("the token server could not be called")]
    Call(#[source] CallError),
    #[error(
        "the token server answered with status {status}; the refresh token, the client id or the \
         client secret may be wrong or have run out"
    )]
    Refused { status: u16 },
    #[error("the token server's answer holds no access token")]
    Strange,
}

/// What a token server answers; everything else in it is left alone.
#[derive(Deserialize)]
struct Granted {
    access_token: String,
    expires_in: Option<u64>,
}

impl OAuth2 {
    pub fn new(settings: OAuth2Settings, http: Client) -> Self {
        Self { settings, http, held: Mutex::new(None) }
    }

    /// A token that is good now; whoever asks meanwhile waits for the same one.
    ///
    /// # Errors
    /// When the token server does not give one.
    pub async fn token(&self) -> Result<String, TokenError> {
        let mut held = self.held.lock().await;
        if let Some((token, until)) = &*held
            && Instant::now() < *until
        {
            return Ok(token.clone());
        }
        let Granted { access_token, expires_in } = self.refresh().await?;
        let life = expires_in.map_or(USUAL_LIFE, Duration::from_secs);
        let until = Instant::now() + life.saturating_sub(MARGIN);
        *held = Some((access_token.clone(), until));
        Ok(access_token)
    }

    /// The next token is fetched anew: a server did not accept this one.
    pub(super) async fn forget(&self) {
        *self.held.lock().await = None;
    }

    async fn refresh(&self) -> Result<Granted, TokenError> {
        let url = &self.settings.token_url;
        let here = url.host() == "localhost" || url.address().is_some_and(|ip| ip.is_loopback());
        if url.scheme() == Scheme::Http && !here {
            return Err(TokenError::Exposed);
        }
        let answer = self.http.post_as(FORM, url, self.settings.form(), REFRESH_TIMEOUT);
        let answer = answer.await.map_err(TokenError::Call)?;
        if answer.status != 200 {
            return Err(TokenError::Refused { status: answer.status });
        }
        serde_json::from_slice(&answer.body).map_err(|_may_quote_a_token| TokenError::Strange)
    }
}

impl OAuth2Settings {
    fn form(&self) -> Bytes {
        let fields = [
            ("grant_type", "refresh_token"),
            ("client_id", &self.client_id),
            ("client_secret", &self.client_secret),
            ("refresh_token", &self.refresh_token),
        ];
        let field = |(name, value): (&str, &str)| format!("{name}={}", form_value(value));
        fields.map(field).join("&").into()
    }
}

/// Everything but letters, digits and four signs is written as its number.
fn form_value(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let written = |byte: u8| {
        if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    text.bytes().map(written).collect()
}

/// What a client says to log in with a token, before it is written in base64.
pub(super) fn xoauth2(user: &str, token: &str) -> String {
    format!("user={user}\x01auth=Bearer {token}\x01\x01")
}

impl fmt::Debug for OAuth2Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OAuth2Settings(..)")
    }
}

#[cfg(test)]
mod tests;
