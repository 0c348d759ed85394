//! Words of closed sets: what may stand in a field that holds one of a few.

/// Enums, each variant with the word for it: written, read, and shown under that name.
macro_rules! words {
    ($(
        $(#[$of_enum:meta])*
        pub enum $name:ident {$($(#[$of_word:meta])* $variant:ident = $word:literal,)*}
    )*) => {$(
        $(#[$of_enum])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {$($(#[$of_word])* #[serde(rename = $word)] $variant,)*}

        impl $name {
            /// As the protocol spells it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }
    )*};
}

pub(crate) use words;
