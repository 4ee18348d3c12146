//! The parts of a `.glb`: the description, and the bytes of a buffer.
//!
//! The file begins with `glTF`, the version 2 and its length; each part with its length, four letters and its bytes. Numbers
//! have four bytes, the least significant first. Not here: what the parts mean.

use crate::error::ReadError;

/// Returns the description and the bytes of the buffer, if there is one. Further parts are left out.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ReadError> {
    let number = |at: usize| bytes.get(at..at + 4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes")));
    let found = |number: Option<u32>| number.map_or("end of file".into(), |number| number.to_string());
    if number(4) != Some(2) {
        return Err(ReadError::of_whole("version 2 of the container", found(number(4))));
    }
    if number(8).map(u64::from) != Some(bytes.len() as u64) {
        return Err(ReadError::of_whole(format!("a length of {}", bytes.len()), found(number(8))));
    }
    let (text, rest) = part(&bytes[12..], *b"JSON")?;
    let buffer = if rest.is_empty() { None } else { Some(part(rest, *b"BIN\0")?.0) };
    Ok((text, buffer))
}

/// Returns the bytes of the first part, which must be of this kind, and what follows it.
fn part(bytes: &[u8], kind: [u8; 4]) -> Result<(&[u8], &[u8]), ReadError> {
    let name = kind.escape_ascii();
    let Some((head, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(ReadError::of_whole(format!("a part of kind {name}"), "end of file"));
    };
    if head[4..] != kind {
        return Err(ReadError::of_whole(format!("a part of kind {name}"), format!("'{}'", head[4..].escape_ascii())));
    }
    let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
    let parts = rest.split_at_checked(length);
    parts.ok_or_else(|| {
        ReadError::of_whole(format!("{length} bytes in the part of kind {name}"), rest.len().to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_say_what_was_expected() {
        let file =
            |version: u8, length: u8, rest: &[u8]| [&b"glTF"[..], &[version, 0, 0, 0, length, 0, 0, 0], rest].concat();
        let fault = |bytes: &[u8]| split(bytes).unwrap_err().to_string();
        assert_eq!(fault(b"glTF"), "expected version 2 of the container, found end of file");
        assert_eq!(fault(&file(1, 12, b"")), "expected version 2 of the container, found 1");
        assert_eq!(fault(&file(2, 0, b"")), "expected a length of 12, found 0");
        assert_eq!(fault(&file(2, 12, b"")), "expected a part of kind JSON, found end of file");
        assert_eq!(fault(&file(2, 20, b"\0\0\0\0JSOM")), "expected a part of kind JSON, found 'JSOM'");
        assert_eq!(fault(&file(2, 22, b"\x09\0\0\0JSON{}")), "expected 9 bytes in the part of kind JSON, found 2");
        assert_eq!(split(&file(2, 22, b"\x02\0\0\0JSON{}")), Ok((&b"{}"[..], None)));
        let both = file(2, 33, b"\x02\0\0\0JSON{}\x03\0\0\0BIN\0abc");
        assert_eq!(split(&both), Ok((&b"{}"[..], Some(&b"abc"[..]))));
    }
}
