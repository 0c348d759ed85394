//! Access tokens from a token server on loopback.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use agon_net::mail::{OAuth2, OAuth2Settings, TokenError};
use agon_net::{Busy, Door, EndpointUrl, Incoming, Page, Reply};
use bytes::Bytes;

use crate::support::{Server, client, server_config, start};

/// Counts how often it was asked, and answers with a token of that number.
#[derive(Clone)]
struct TokenServer {
    asked: Arc<AtomicU32>,
    heard: Arc<Mutex<Bytes>>,
    answer: &'static str,
}

impl Door for TokenServer {
    fn handle(&self, incoming: Incoming) -> Result<(), Busy> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        *self.heard.lock().unwrap() = incoming.body;
        let answer = self.answer.replace("NUMBER", &number.to_string());
        incoming.reply.send(Reply::json(answer.into()));
        Ok(())
    }

    fn get(&self, _path: &str) -> Option<Page> {
        None
    }
}

async fn tokens(answer: &'static str) -> (Server, TokenServer, OAuth2) {
    let door = TokenServer { asked: Arc::default(), heard: Arc::default(), answer };
    let server = start(server_config(), door.clone()).await;
    let settings = OAuth2Settings {
        client_id: "agon".into(),
        client_secret: "hush".into(),
        refresh_token: "1//refresh".into(),
        token_url: server.endpoint(),
    };
    (server, door, OAuth2::new(settings, client()))
}

#[tokio::test]
async fn a_token_is_kept_while_it_is_good() {
    let (_server, door, source) =
        tokens(r#"{"access_token":"t-NUMBER","expires_in":3600,"token_type":"Bearer"}"#).await;
    for _ in 0..3 {
        assert_eq!(source.token().await.unwrap(), "t-1");
    }
    let form = "grant_type=refresh_token&client_id=agon&client_secret=hush\
                &refresh_token=1%2F%2Frefresh";
    assert_eq!(*door.heard.lock().unwrap(), form);
}

#[tokio::test]
async fn a_token_near_its_end_is_fetched_anew() {
    let (_server, _door, source) = tokens(r#"{"access_token":"t-NUMBER","expires_in":30}"#).await;
    assert_eq!(source.token().await.unwrap(), "t-1");
    assert_eq!(source.token().await.unwrap(), "t-2");
}

#[tokio::test]
async fn an_answer_without_a_token_is_not_repeated() {
    let (_server, _door, source) = tokens(r#"{"refresh_token":"NUMBER-hush"}"#).await;
    let error = source.token().await.unwrap_err();
    assert!(matches!(error, TokenError::Strange));
    assert!(!format!("{error} {error:?}").contains("hush"));
}

#[tokio::test]
async fn a_token_server_is_called_encrypted_or_here() {
    let settings = OAuth2Settings {
        client_id: String::new(),
        client_secret: String::new(),
        refresh_token: String::new(),
        token_url: EndpointUrl::parse("http://token.example.org/token").unwrap(),
    };
    let error = OAuth2::new(settings, client()).token().await.unwrap_err();
    assert!(matches!(error, TokenError::Exposed));
}
