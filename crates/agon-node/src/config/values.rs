//! Values as people write them: times as a positive number of seconds, with a fraction if they
//! like; an empty text for nothing said.

use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::time::Duration;

use agon_core::AdmissionPolicy;
use agon_core::format::FormatKind;
use agon_net::{BadNetwork, Network};
use agon_proto::{Address, Contact};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};

/// A year. Nothing here waits longer, and sums of such times stay far from any overflow.
const SECONDS_MAX: f64 = 31_536_000.0;
/// A tenth of a millisecond: the shortest time that still means something to a network.
const SECONDS_MIN: f64 = 0.0001;

/// A time, as it is written in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl Deref for Seconds {
    type Target = Duration;

    fn deref(&self) -> &Duration {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = Seconds;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of seconds between 0.0001 and a year")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Seconds, E> {
                let fits = (SECONDS_MIN..=SECONDS_MAX).contains(&number);
                let time = Duration::try_from_secs_f64(number).ok().filter(|_| fits);
                time.map(Seconds).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Seconds, E> {
                // What an `i32` cannot hold is out of bounds anyway, and so is the maximum.
                Number
                    .visit_f64(i32::try_from(number).unwrap_or(i32::MAX).into())
                    .map_err(|_: E| E::invalid_value(Unexpected::Signed(number), &self))
            }
        }
        source.deserialize_f64(Number)
    }
}

/// `deserialize_with` for a text that may be left out: an empty one stands for nothing said.
pub(super) fn text<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    String::deserialize(source).map(|text| Some(text).filter(|text| !text.is_empty()))
}

/// `deserialize_with` for addresses and networks.
pub(super) fn networks<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<Network>, D::Error> {
    let texts = Vec::<String>::deserialize(source)?;
    let read = |text: &String| {
        let expected = &"addresses or networks, such as 10.0.0.0/8";
        text.parse().map_err(|_: BadNetwork| Error::invalid_value(Unexpected::Str(text), expected))
    };
    texts.iter().map(read).collect()
}

/// `deserialize_with` for who may come unasked: a word, or a list of endpoints and mail addresses.
pub(super) fn policy<'de, D: Deserializer<'de>>(source: D) -> Result<AdmissionPolicy, D::Error> {
    struct Policy;
    impl<'de> Visitor<'de> for Policy {
        type Value = AdmissionPolicy;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("\"open\", \"local\", \"invited\", \"approved\", or a list of addresses")
        }

        fn visit_str<E: Error>(self, word: &str) -> Result<AdmissionPolicy, E> {
            match word {
                "open" => Ok(AdmissionPolicy::Open),
                "local" => Ok(AdmissionPolicy::Local),
                "invited" => Ok(AdmissionPolicy::Invited),
                "approved" => Ok(AdmissionPolicy::Approved),
                _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
            }
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<AdmissionPolicy, A::Error> {
            let mut contacts = Vec::new();
            while let Some(text) = list.next_element::<String>()? {
                let address = Address::new(&text);
                if !address.is_endpoint() && !text.contains('@') {
                    return Err(A::Error::invalid_value(
                        Unexpected::Str(&text),
                        &"an endpoint such as http://10.0.0.5:8101/mcp, or a mail address",
                    ));
                }
                contacts.push(Contact::of(&address));
            }
            Ok(AdmissionPolicy::Listed(contacts))
        }
    }
    source.deserialize_any(Policy)
}

/// `deserialize_with` for a format that may be left out, with `-` or `_`.
pub(super) fn format<'de, D: Deserializer<'de>>(source: D) -> Result<Option<FormatKind>, D::Error> {
    let Some(said) = text(source)? else { return Ok(None) };
    let name = said.replace('_', "-");
    let known = FormatKind::ALL.into_iter().find(|format| format.name() == name);
    known.map(Some).ok_or_else(|| {
        let names = FormatKind::ALL.map(FormatKind::name).join(", ");
        D::Error::custom(format!("there is no format {said:?}; the formats are {names}"))
    })
}

/// `deserialize_with` for the name of a file that may be left out.
pub(super) fn file<'de, D: Deserializer<'de>>(source: D) -> Result<Option<PathBuf>, D::Error> {
    text(source).map(|text| text.map(PathBuf::from))
}
