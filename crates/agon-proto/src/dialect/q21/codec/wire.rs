//! One table for both ways: what is said stands there once, with the names that its fields go by.
//!
//! ```text
//! field = reader(["read", "also read"]) or "what it must be"
//!     => writer("with") ["written", "also written"],
//! + "written" = |said, letter| Some(what only the writer knows),
//! ..what the rest is that letters do not tell
//! ```
//!
//! A reader is a method of [`Reading`]; it is given all names, the preferred one first. What it
//! does not find is a flaw if it says what there must be, else the usual value of the field's type,
//! or nothing. Written is the first name, unless there is a list of its own; a writer is a function
//! that says the value otherwise. The order is that of the page, and of the checks.
//!
//! Spec: docs/protocol/q21.md

use super::Unreadable;
use super::read::Reading;
use super::write::Writing;
use crate::dialect::q21::Context;

/// What stands in a letter as an object: a payload, a row of a list.
pub(crate) trait Wire {
    /// What the fields say.
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable>
    where
        Self: Sized;

    /// Puts every field.
    fn write(&self, to: &mut Writing<'_>);

    /// Adds the season and the game that it names to what the letter is about.
    fn tell(&self, _context: &mut Context) {}
}

impl<T: Wire> Wire for Box<T> {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        T::read(from).map(Self::new)
    }

    fn write(&self, to: &mut Writing<'_>) {
        T::write(self, to);
    }

    fn tell(&self, context: &mut Context) {
        T::tell(self, context);
    }
}

/// What stands in a field, made of what was found there.
pub(crate) trait Settle<T> {
    /// The value.
    fn settle(self) -> Result<T, Unreadable>;
}

impl<T: Default> Settle<T> for Option<T> {
    fn settle(self) -> Result<T, Unreadable> {
        Ok(self.unwrap_or_default())
    }
}

impl<T> Settle<Option<T>> for Option<T> {
    fn settle(self) -> Result<Option<T>, Unreadable> {
        Ok(self)
    }
}

impl<T> Settle<T> for Result<T, Unreadable> {
    fn settle(self) -> Result<T, Unreadable> {
        self
    }
}

/// How letters spell structs: each field with its names.
macro_rules! spelling {
    ($(
        $name:ident {$(
            $(..$whole:ident::$rest:ident())?
            $(
                $field:ident = $reader:ident $(::<$of:ty>)? ($names:expr)
                    $(or $($needs:literal)? $($owner:ident::$const:ident)?)?
                    $(=> $($writer:ident $(($($with:literal),*))?)? [$($written:literal),*])?
            )?
            $(+ $extra:literal = $make:expr)?
        ),*}
    )*) => {$(
        impl $crate::dialect::q21::codec::Wire for $name {
            fn read(
                from: &$crate::dialect::q21::codec::Reading<'_>,
            ) -> Result<Self, $crate::dialect::q21::Unreadable> {
                use $crate::dialect::q21::codec::Settle;
                Ok(Self {$($(
                    $field: from.$reader$(::<$of>)?(&$names)
                        $(.ok_or_else(|| from.bad($names[0], $($needs)? $($owner::$const)?)))?
                        .settle()?,
                )? $(..$whole::$rest())?)*})
            }

            fn write(&self, to: &mut $crate::dialect::q21::codec::Writing<'_>) {
                $($(
                    let said = &self.$field;
                    $($(let said = &$writer(said $($(, $with)*)?);)?)?
                    to.put_as(&[$(&[$($written),*])?], &$names, said);
                )?
                $(to.put_made($extra, self, $make);)?)*
            }

            fn tell(&self, context: &mut $crate::Context) {
                $($(
                    let said = &self.$field;
                    $($(let said = &$writer(said $($(, $with)*)?);)?)?
                    $crate::dialect::q21::codec::Put::tell(said, context);
                )?)*
            }
        }
    )*};
}

pub(crate) use spelling;
