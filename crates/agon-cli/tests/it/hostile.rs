//! Peers that mean harm, over real HTTP. The page docs/hostile.md names a test for every case.

mod answers;
mod requests;

/// Text as a gzip file that any decoder takes: one block, stored as it is.
fn gzip(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap();
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    file.extend(length.to_le_bytes());
    file.extend((!length).to_le_bytes());
    file.extend(text.bytes());
    file.extend(crc32(text.as_bytes()).to_le_bytes());
    file.extend(u32::from(length).to_le_bytes());
    file
}

fn crc32(bytes: &[u8]) -> u32 {
    let shift = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), shift))
}

#[test]
fn what_we_call_a_gzip_file_is_one() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    assert_eq!(gzip("{}").len(), 10 + 5 + 2 + 8);
}
