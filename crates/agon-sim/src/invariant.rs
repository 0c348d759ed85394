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

use crate::audit::Promise;
use crate::league::Script;
pub(crate) use gentle::question_name;
pub(crate) use letters::SECRET;

/// Those of the season that is planned.
pub(crate) fn promises(script: &Script) -> Vec<Box<dyn Promise>> {
    let mut promises: Vec<Box<dyn Promise>> = vec![
        Box::<durable_before_visible::DurableBeforeVisible>::default(),
        Box::<replay::Replay>::default(),
        Box::<fencing::Fencing>::default(),
        Box::<verdict_before_news::VerdictBeforeNews>::default(),
        Box::<sealed::Sealed>::default(),
        Box::<answered_once::AnsweredOnce>::default(),
        Box::<capacity::Capacity>::default(),
        Box::<places::Places>::default(),
        Box::<news_in_order::NewsInOrder>::default(),
        Box::<nobody_left_alone::NobodyLeftAlone>::default(),
        Box::<reports_arrive::ReportsArrive>::default(),
        Box::<letters::SecretKept>::default(),
        Box::<letters::CountsOnce>::default(),
    ];
    if script.plan.is_gentle {
        promises.push(Box::<gentle::AskedOnce>::default());
        promises.push(Box::new(gentle::CostsNobody::new(script)));
    }
    promises
}
