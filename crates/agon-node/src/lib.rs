//! The corridor of Agon: the loop, clock, links and configuration that join the rooms.
