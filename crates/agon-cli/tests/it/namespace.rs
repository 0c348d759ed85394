//! Networks of a test's own: nobody outside hears what is said in them, and they are gone with it.
//!
//! A network namespace has interfaces, addresses, ports and connections of its own. Whatever a test
//! does inside [`Namespace::enter`] happens there: its connections, its listeners, and every
//! process that it starts. Making one needs `ip` and the rights of an administrator.

use std::fs::File;
use std::os::fd::AsFd;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

/// A network namespace. Whoever is in it stays there; its name is gone when this is dropped.
pub(crate) struct Namespace {
    name: String,
}

impl Namespace {
    /// Nothing but a loopback interface, which is up.
    pub(crate) fn new() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("agon-{}-{number}", std::process::id());
        ip(&["netns", "add", &name]);
        let namespace = Self { name };
        namespace.ip(&["link", "set", "lo", "up"]);
        namespace
    }

    /// Two of them, joined by a cable, with one of these addresses each, such as `10.77.0.1/24`.
    pub(crate) fn pair(addresses: [&str; 2]) -> [Self; 2] {
        let pair = [Self::new(), Self::new()];
        let other = ["peer", "name", "cable", "netns", &pair[1].name];
        pair[0].ip(&[&["link", "add", "cable", "type", "veth"], &other[..]].concat());
        for (namespace, address) in pair.iter().zip(addresses) {
            namespace.ip(&["address", "add", address, "dev", "cable"]);
            namespace.ip(&["link", "set", "cable", "up"]);
        }
        pair
    }

    /// One in the middle, and some that are each joined to it, with one address each.
    pub(crate) fn star(hub: &str, spokes: &[&str]) -> (Self, Vec<Self>) {
        let middle = Self::new();
        middle.ip(&["address", "add", hub, "dev", "lo"]);
        let join = |(number, address): (usize, &&str)| {
            let (spoke, cable) = (Self::new(), format!("cable{number}"));
            let other = ["peer", "name", "cable", "netns", &spoke.name];
            middle.ip(&[&["link", "add", &cable, "type", "veth"], &other[..]].concat());
            middle.ip(&["link", "set", &cable, "up"]);
            middle.ip(&["route", "add", address, "dev", &cable, "src", hub]);
            spoke.ip(&["address", "add", address, "dev", "cable"]);
            spoke.ip(&["link", "set", "cable", "up"]);
            spoke.ip(&["route", "add", hub, "dev", "cable"]);
            spoke
        };
        let spokes = spokes.iter().enumerate().map(join).collect();
        (middle, spokes)
    }

    /// Does something in there, on a thread of its own.
    pub(crate) fn enter<R: Send>(&self, act: impl FnOnce() -> R + Send) -> R {
        let place = File::open(format!("/run/netns/{}", self.name)).unwrap();
        thread::scope(|scope| {
            let inside = scope.spawn(|| {
                let network = Some(LinkNameSpaceType::Network);
                move_into_link_name_space(place.as_fd(), network).unwrap();
                act()
            });
            inside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Changes its interfaces, addresses and routes.
    pub(crate) fn ip(&self, args: &[&str]) {
        ip(&[&["-n", &self.name], args].concat());
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = Command::new("ip").args(["netns", "delete", &self.name]).status();
    }
}

fn ip(args: &[&str]) {
    let ended = Command::new("ip").args(args).output().expect("`ip` is installed");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "ip {}: {said}", args.join(" "));
}
