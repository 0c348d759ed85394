//! An advisor as the mind of a node.

use agon_node::{Advising, Mind};
use agon_proto::q21::callback::Consultation;

use super::Advisor;

/// Hands consultations on to an advisor.
pub struct Consultant(Box<dyn Advisor>);

impl Consultant {
    pub fn new(advisor: Box<dyn Advisor>) -> Self {
        Self(advisor)
    }
}

impl<M> Mind<M> for Consultant {
    fn consult(&mut self, asked: &Consultation) -> Advising {
        self.0.advise(asked)
    }
}
