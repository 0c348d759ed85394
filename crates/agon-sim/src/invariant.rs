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
    let durable = Box::<durable_before_visible::DurableBeforeVisible>::default();
    let mut promises: Promises = vec![
        ("durable-before-visible", durable),
        ("replay", Box::new(replay::replay)),
        ("fencing", Box::<fencing::Fencing>::default()),
        ("verdict-before-news", Box::new(verdict_before_news::verdict_before_news)),
        ("sealed", Box::new(sealed::sealed)),
        ("answered-once", Box::<answered_once::AnsweredOnce>::default()),
        ("capacity", Box::new(capacity::capacity)),
        ("places", Box::new(places::Places::new(script.plan.in_flight_max))),
        ("news-in-order", Box::<news_in_order::NewsInOrder>::default()),
        ("nobody-left-alone", Box::<nobody_left_alone::NobodyLeftAlone>::default()),
        ("reports-arrive", Box::<reports_arrive::ReportsArrive>::default()),
        ("secret-kept", Box::<letters::SecretKept>::default()),
        ("counts-once", Box::<letters::CountsOnce>::default()),
    ];
    if script.plan.is_gentle {
        promises.push(("asked-once", Box::<gentle::AskedOnce>::default()));
        promises.push(("costs-nobody", Box::new(gentle::CostsNobody::new(script))));
    }
    promises
}
