//! How long it takes to read and to write one request. Run it with `--profile dist`.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use agon_proto::{Call, Limits, decode_request, encode_request};

const GOLDEN: &[u8] = include_bytes!("../golden/league.v2/GAME_INVITATION.json");
const ROUNDS: u32 = 1_000_000;

fn main() -> io::Result<()> {
    let limits = Limits { depth_max: 32 };
    let request = decode_request(GOLDEN, limits).map_err(io::Error::other)?;
    let Call::Message(envelope) = request.call else {
        return Err(io::Error::other("the golden file carries no message"));
    };
    let mut out = Vec::with_capacity(1024);
    let encode = per_round(|| {
        out.clear();
        encode_request(1101, black_box(&envelope), &mut out);
    });
    let decode = per_round(|| {
        black_box(decode_request(black_box(GOLDEN), limits).is_ok());
    });
    let bytes = GOLDEN.len();
    writeln!(io::stdout(), "{bytes} bytes: decode {decode:.0} ns, encode {encode:.0} ns")
}

fn per_round(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..ROUNDS {
        work();
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS)
}
