//! The form of messages on the socket, in both directions: a head of JSON and arrays of numbers, as
//! `page/protocol.d.ts` describes it.
//!
//! Not here: what any message means.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most arrays that a message may have.
const MOST_PARTS: usize = 32;
/// Arrays begin at multiples of this many bytes, so that a page can read them in place.
const ALIGNMENT: usize = 4;

/// An array of numbers of one kind.
#[derive(Clone, PartialEq, Debug)]
pub enum Numbers {
    /// Bytes.
    U8(Vec<u8>),
    /// Whole numbers of two bytes each.
    U16(Vec<u16>),
    /// Whole numbers of four bytes each.
    U32(Vec<u32>),
    /// Floating-point numbers of four bytes each.
    F32(Vec<f32>),
}

#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Kind {
    U8,
    U16,
    U32,
    F32,
}

impl Kind {
    fn size(self) -> usize {
        match self {
            Kind::U8 => 1,
            Kind::U16 => 2,
            Kind::U32 | Kind::F32 => 4,
        }
    }
}

impl Numbers {
    fn kind(&self) -> Kind {
        match self {
            Numbers::U8(_) => Kind::U8,
            Numbers::U16(_) => Kind::U16,
            Numbers::U32(_) => Kind::U32,
            Numbers::F32(_) => Kind::F32,
        }
    }

    fn len(&self) -> usize {
        match self {
            Numbers::U8(numbers) => numbers.len(),
            Numbers::U16(numbers) => numbers.len(),
            Numbers::U32(numbers) => numbers.len(),
            Numbers::F32(numbers) => numbers.len(),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Numbers::U8(numbers) => bytes.extend_from_slice(numbers),
            Numbers::U16(numbers) => write(bytes, numbers, u16::to_le_bytes),
            Numbers::U32(numbers) => write(bytes, numbers, u32::to_le_bytes),
            Numbers::F32(numbers) => write(bytes, numbers, f32::to_le_bytes),
        }
    }

    fn read(kind: Kind, bytes: &[u8]) -> Numbers {
        match kind {
            Kind::U8 => Numbers::U8(bytes.to_vec()),
            Kind::U16 => Numbers::U16(read(bytes, u16::from_le_bytes)),
            Kind::U32 => Numbers::U32(read(bytes, u32::from_le_bytes)),
            Kind::F32 => Numbers::F32(read(bytes, f32::from_le_bytes)),
        }
    }
}

fn write<T: Copy, const N: usize>(bytes: &mut Vec<u8>, numbers: &[T], spelled: impl Fn(T) -> [u8; N]) {
    let start = bytes.len();
    bytes.resize(start + N * numbers.len(), 0);
    for (place, &number) in bytes[start..].chunks_exact_mut(N).zip(numbers) {
        place.copy_from_slice(&spelled(number));
    }
}

fn read<T, const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|&spelled| number(spelled)).collect()
}

impl From<Vec<u8>> for Numbers {
    fn from(numbers: Vec<u8>) -> Numbers {
        Numbers::U8(numbers)
    }
}

impl From<Vec<u16>> for Numbers {
    fn from(numbers: Vec<u16>) -> Numbers {
        Numbers::U16(numbers)
    }
}

impl From<Vec<u32>> for Numbers {
    fn from(numbers: Vec<u32>) -> Numbers {
        Numbers::U32(numbers)
    }
}

/// Arrays by name, in the order they are sent.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Parts(Vec<(String, Numbers)>);

impl Parts {
    /// Adds an array.
    pub fn push(&mut self, name: impl Into<String>, numbers: impl Into<Numbers>) {
        self.0.push((name.into(), numbers.into()));
    }

    /// Returns the array of that name.
    pub fn get(&self, name: &str) -> Option<&Numbers> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, numbers)| numbers)
    }

    /// Removes the array of that name and returns it. The order of the others may change.
    pub fn take(&mut self, name: &str) -> Option<Numbers> {
        let index = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(index).1)
    }

    /// Moves all arrays of `more` behind those that are here.
    pub fn append(&mut self, mut more: Parts) {
        self.0.append(&mut more.0);
    }

    fn table(&self) -> Vec<(&str, Kind, usize)> {
        self.0.iter().map(|(name, numbers)| (name.as_str(), numbers.kind(), numbers.len())).collect()
    }
}

/// A message as it goes over the socket.
#[derive(Clone, PartialEq, Debug)]
pub enum Frame {
    /// A head alone.
    Text(String),
    /// A head and arrays.
    Binary(Vec<u8>),
}

impl Frame {
    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        match self {
            Frame::Text(text) => text.len(),
            Frame::Binary(bytes) => bytes.len(),
        }
    }

    /// Returns whether the message has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Why a message cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The head is not JSON.
    #[error("the head is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The head is JSON, but not an object.
    #[error("the head is not an object")]
    NoObject,
    /// The list of arrays does not have the right form.
    #[error("the list of parts is not one: {0}")]
    Table(serde_json::Error),
    /// There are too many arrays.
    #[error("a message has at most {MOST_PARTS} parts, not {0}")]
    TooMany(usize),
    /// The message is shorter than its head says.
    #[error("the message ends in the midst of {0}")]
    Short(&'static str),
    /// The message is longer than its head says.
    #[error("{0} bytes follow the last part")]
    Long(usize),
}

#[derive(Serialize)]
struct Head<'a, T> {
    id: u64,
    #[serde(flatten)]
    body: &'a T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<(&'a str, Kind, usize)>,
}

/// Writes a message with this number, head and arrays.
///
/// # Errors
/// Returns an error if the head cannot be written as a JSON object.
pub fn encode<T: Serialize>(id: u64, body: &T, parts: &Parts) -> Result<Frame, FrameError> {
    let text = serde_json::to_string(&Head { id, body, parts: parts.table() })?;
    if parts.0.is_empty() {
        return Ok(Frame::Text(text));
    }
    let arrays: usize = parts.0.iter().map(|(_, numbers)| numbers.kind().size() * numbers.len() + ALIGNMENT).sum();
    let mut bytes = Vec::with_capacity(4 + text.len() + ALIGNMENT + arrays);
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    for (_, numbers) in &parts.0 {
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        numbers.write(&mut bytes);
    }
    Ok(Frame::Binary(bytes))
}

/// Reads the head and the arrays of a binary message. No count in the head is trusted: an array is made only if the
/// bytes hold it.
///
/// # Errors
/// Returns an error if the bytes are not exactly one message.
pub fn decode(bytes: &[u8]) -> Result<(Value, Parts), FrameError> {
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or(FrameError::Short("its first number"))?;
    let length = u32::from_le_bytes(*length) as usize;
    let head = rest.get(..length).ok_or(FrameError::Short("its head"))?;
    let mut head: Value = serde_json::from_slice(head)?;
    let table = head.as_object_mut().ok_or(FrameError::NoObject)?.remove("parts").unwrap_or(Value::Array(vec![]));
    if let Some(count) = table.as_array().map(Vec::len).filter(|&count| count > MOST_PARTS) {
        return Err(FrameError::TooMany(count));
    }
    let table: Vec<(String, Kind, usize)> = serde_json::from_value(table).map_err(FrameError::Table)?;
    let mut parts = Parts::default();
    let mut at = 4 + length;
    for (name, kind, count) in table {
        let start = at.next_multiple_of(ALIGNMENT);
        let end = count.checked_mul(kind.size()).and_then(|size| size.checked_add(start));
        let array = end.and_then(|end| bytes.get(start..end)).ok_or(FrameError::Short("a part"))?;
        parts.push(name, Numbers::read(kind, array));
        at = start + array.len();
    }
    // Padding behind the last array is allowed: the page adds it, this module does not.
    if bytes.len() > at.next_multiple_of(ALIGNMENT) {
        Err(FrameError::Long(bytes.len() - at))
    } else {
        Ok((head, parts))
    }
}

/// Reads the head of a text message.
///
/// # Errors
/// Returns an error if the text is not a JSON object.
pub fn decode_text(text: &str) -> Result<(Value, Parts), FrameError> {
    let mut head: Value = serde_json::from_str(text)?;
    head.as_object_mut().ok_or(FrameError::NoObject)?.remove("parts");
    Ok((head, Parts::default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parts() -> Parts {
        let mut parts = Parts::default();
        parts.push("bytes", vec![1_u8, 2, 3]);
        parts.push("none", Vec::<u16>::new());
        parts.push("cells", vec![1_u16, 65_535, 7]);
        parts.push("events", vec![0xF000_0001_u32]);
        parts.push("shares", Numbers::F32(vec![0.5]));
        parts
    }

    #[test]
    fn what_is_written_is_read_back() {
        for pad in 0..5 {
            let body = json!({ "do": "edit", "pad": "é".repeat(pad) });
            let Frame::Binary(bytes) = encode(7, &body, &parts()).unwrap() else { panic!("it has arrays") };
            let (head, read) = decode(&bytes).unwrap();
            assert_eq!((&head["id"], &head["do"], &read), (&json!(7), &json!("edit"), &parts()));
            assert!(head.get("parts").is_none());
        }
        let Frame::Text(text) = encode(7, &json!({ "do": "undo" }), &Parts::default()).unwrap() else {
            panic!("it has no arrays")
        };
        assert_eq!(decode_text(&text).unwrap().0, json!({ "id": 7, "do": "undo" }));
    }

    #[test]
    fn arrays_begin_at_multiples_of_four() {
        let Frame::Binary(bytes) = encode(1, &json!({}), &parts()).unwrap() else { panic!("it has arrays") };
        let head = 4 + u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let first = head.next_multiple_of(4);
        assert_eq!(bytes[first..first + 3], [1, 2, 3]);
        assert_eq!(bytes[first + 4..first + 10], [1, 0, 255, 255, 7, 0]);
        assert_eq!(bytes[first + 12..first + 16], [1, 0, 0, 0xF0]);
    }

    #[test]
    fn a_message_cut_short_or_drawn_out_is_refused() {
        let Frame::Binary(bytes) = encode(1, &json!({ "do": "edit" }), &parts()).unwrap() else { panic!("arrays") };
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end]).is_err(), "cut to {end}");
        }
        assert!(decode(&[&bytes[..], &[0; 9]].concat()).is_err());
    }

    #[test]
    fn promises_the_bytes_do_not_keep_are_refused() {
        let of = |head: &str| [&(head.len() as u32).to_le_bytes()[..], head.as_bytes()].concat();
        let fault = |head: &str| decode(&of(head)).unwrap_err().to_string();
        assert!(fault(r#"{"parts":[["a","u32",18446744073709551615]]}"#).contains("midst"));
        assert!(fault(r#"{"parts":[["a","u8",4611686018427387904]]}"#).contains("midst"));
        assert!(fault(r#"{"parts":[["a","i64",1]]}"#).contains("list of parts"));
        assert!(fault(r#"{"parts":7}"#).contains("list of parts"));
        assert!(fault("[]").contains("not an object"));
        assert!(fault(&format!(r#"{{"parts":[{}]}}"#, vec![r#"["a","u8",0]"#; 99].join(","))).contains("at most"));
        assert!(decode(&[255, 255, 255, 255]).unwrap_err().to_string().contains("head"));
        assert!(fault(&"[".repeat(10_000)).contains("JSON"));
    }
}
