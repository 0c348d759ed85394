//! Promises about what only the stage of a simulation sees: messages, effects, deliveries and
//! deaths. One file each.

mod answered_once;
mod capacity;
mod durable_before_visible;
mod fencing;
mod gentle;
mod letters;
mod news_in_order;
mod nobody_left_alone;
mod places;
mod replay;
mod reports_arrive;
mod sealed;
mod verdict_before_news;

use crate::audit::Promises;
use crate::league::Script;
pub(crate) use gentle::question_name;
pub(crate) use letters::SECRET;

/// Those of the season that is planned.
pub(crate) fn promises(script: &Script) -> Promises {
    let mut promises: Promises = vec![
        ("durable-before-visible", durable_before_visible::durable_before_visible()),
        ("replay", Box::new(replay::replay)),
        ("fencing", fencing::fencing()),
        ("verdict-before-news", Box::new(verdict_before_news::verdict_before_news)),
        ("sealed", Box::new(sealed::sealed)),
        ("answered-once", answered_once::answered_once()),
        ("capacity", Box::new(capacity::capacity)),
        ("places", places::places(script.plan.in_flight_max)),
        ("news-in-order", news_in_order::news_in_order()),
        ("nobody-left-alone", nobody_left_alone::nobody_left_alone()),
        ("reports-arrive", reports_arrive::reports_arrive()),
        ("secret-kept", letters::secret_kept()),
        ("counts-once", letters::counts_once()),
    ];
    if script.plan.is_gentle {
        promises.push(("asked-once", gentle::asked_once()));
        promises.push(("costs-nobody", gentle::costs_nobody(script)));
    }
    promises
}
