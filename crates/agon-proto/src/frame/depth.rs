//! How deeply JSON is nested, found out before it is parsed.

/// Whether objects and lists are nested more than `depth_max` deep.
pub(super) fn exceeds(json: &[u8], depth_max: usize) -> bool {
    // What opens no more often than it may nest is not too deep. Nearly everything ends here, and
    // counting is far cheaper than the scan below.
    opened(json) > depth_max && deepest(json) > depth_max
}

/// How many objects and lists are opened at most. Counts in pieces that a byte can count, so that
/// the compiler can take many bytes at a time; `[` and `{` differ in one bit.
fn opened(json: &[u8]) -> usize {
    let pieces = json.chunks(128);
    let counts = pieces.map(|piece| piece.iter().map(|byte| u8::from(byte | 0x20 == b'{')).sum());
    counts.map(|count: u8| usize::from(count)).sum()
}

fn deepest(json: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_text, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
