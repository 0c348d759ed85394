//! Promises about what only the stage of a simulation sees: messages, effects, deliveries and
//! deaths. One file for each theme.

mod clocks;
mod deliveries;
mod fair;
mod once;
mod visible;

use crate::audit::Promises;
use crate::league::Script;
pub(crate) use once::question_name;
pub(crate) use visible::SECRET;

/// Those of the season that is planned.
pub(crate) fn promises(script: &Script) -> Promises {
    let mut promises: Promises = vec![
        ("durable-before-visible", visible::durable_before_visible()),
        ("replay", Box::new(fair::replay)),
        ("fencing", fair::fencing()),
        ("verdict-before-news", Box::new(visible::verdict_before_news)),
        ("sealed", Box::new(visible::sealed)),
        ("answered-once", once::answered_once()),
        ("clocks", clocks::clocks()),
        ("capacity", fair::capacity(script)),
        ("places", deliveries::places(script.plan.in_flight_max)),
        ("news-in-order", deliveries::news_in_order()),
        ("nobody-left-alone", deliveries::nobody_left_alone()),
        ("reports-arrive", deliveries::reports_arrive()),
        ("secret-kept", visible::secret_kept()),
        ("counts-once", once::counts_once()),
    ];
    if script.plan.is_gentle {
        promises.push(("asked-once", once::asked_once()));
        promises.push(("costs-nobody", fair::costs_nobody(script)));
    }
    promises
}
