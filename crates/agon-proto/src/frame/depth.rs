//! How deeply JSON is nested, found out before it is parsed.

/// Whether objects and lists are nested more than `depth_max` deep.
pub(crate) fn exceeds(json: &[u8], depth_max: usize) -> bool {
    // Nearly everything ends here, and counting is far cheaper than the scan below.
    nested(json) > depth_max && deepest(json) > depth_max
}

/// How deep it can be at most: as deep as something opens that does not directly follow its
/// sibling. In `},{` the second object stands where the first one stood, so it adds no depth. A
/// comma before an opening is never part of a text, and so is what stands before that comma.
///
/// Counts in pieces that a byte can count, so that the compiler can take many bytes at a time;
/// `[` and `{` differ in one bit, and so do `]` and `}`.
fn nested(json: &[u8]) -> usize {
    let opens = |byte: u8| byte | 0x20 == b'{';
    let head = json.iter().take(2).filter(|byte| opens(**byte)).count();
    let (Some(before), Some(comma), Some(here)) =
        (json.get(..json.len().saturating_sub(2)), json.get(1..), json.get(2..))
    else {
        return head;
    };
    let pieces = here.chunks(128).zip(comma.chunks(128)).zip(before.chunks(128));
    let counts = pieces.map(|((here, comma), before)| {
        let bytes = here.iter().zip(comma).zip(before);
        let new = bytes.map(|((here, comma), before)| {
            u8::from(opens(*here)) & !(u8::from(*comma == b',') & u8::from(before | 0x20 == b'}'))
        });
        new.sum::<u8>()
    });
    counts.map(usize::from).sum::<usize>() + head
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
