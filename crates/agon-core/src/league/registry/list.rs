//! The agents of one role, in the order of registration.
//!
//! They stand in blocks that never move: a single growing block would be copied again and again
//! while a league fills up, and leave room behind of its size for nothing.
//!
//! Spec: docs/protocol/registration.md

use super::RegisteredAgent;

/// Agents in a block. A small league fills no more than one.
const BLOCK: usize = 64;

#[derive(Debug, Default)]
pub(super) struct AgentList(Vec<Vec<RegisteredAgent>>);

impl AgentList {
    pub(super) fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * BLOCK + last.len())
    }

    pub(super) fn get(&self, place: usize) -> Option<&RegisteredAgent> {
        self.0.get(place / BLOCK)?.get(place % BLOCK)
    }

    pub(super) fn get_mut(&mut self, place: usize) -> Option<&mut RegisteredAgent> {
        self.0.get_mut(place / BLOCK)?.get_mut(place % BLOCK)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &RegisteredAgent> {
        self.0.iter().flatten()
    }

    pub(super) fn push(&mut self, agent: RegisteredAgent) {
        match self.0.last_mut().filter(|last| last.len() < BLOCK) {
            Some(last) => last.push(agent),
            None => {
                let mut block = Vec::with_capacity(BLOCK);
                block.push(agent);
                self.0.push(block);
            }
        }
    }
}

#[cfg(test)]
mod tests;
