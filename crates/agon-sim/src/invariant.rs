//! Promises about what only the stage of a simulation sees: messages, effects, deliveries and
//! deaths. One file each.

mod answered_once;
mod capacity;
mod durable_before_visible;
mod fencing;
mod news_in_order;
mod nobody_left_alone;
mod places;
mod replay;
mod reports_arrive;
mod sealed;
mod verdict_before_news;

use crate::audit::Promise;
pub(crate) use answered_once::AnsweredOnce;
pub(crate) use replay::Replay;

/// Those of a season by calls.
pub(crate) fn promises() -> Vec<Box<dyn Promise>> {
    vec![
        Box::<durable_before_visible::DurableBeforeVisible>::default(),
        Box::<Replay>::default(),
        Box::<fencing::Fencing>::default(),
        Box::<verdict_before_news::VerdictBeforeNews>::default(),
        Box::<sealed::Sealed>::default(),
        Box::<AnsweredOnce>::default(),
        Box::<capacity::Capacity>::default(),
        Box::<places::Places>::default(),
        Box::<news_in_order::NewsInOrder>::default(),
        Box::<nobody_left_alone::NobodyLeftAlone>::default(),
        Box::<reports_arrive::ReportsArrive>::default(),
    ]
}
