//! Sheets as Parquet files, written here because the format asks for little when nothing is compressed: one row group,
//! one page for each column, plain values, all of them required. The footer is in Thrift's compact protocol.
//!
//! The format: Apache Parquet, <https://parquet.apache.org/docs/file-format>.
//!
//! Not here: reading such files.

use super::Column;

/// The four bytes at the beginning and at the end of every file.
const MAGIC: &[u8] = b"PAR1";

/// Physical types of columns.
const INT64: i64 = 2;
const DOUBLE: i64 = 5;
const BYTE_ARRAY: i64 = 6;
/// Converted types: what a physical type means.
const UTF8: i64 = 0;
const UINT_64: i64 = 14;
/// The repetition of a column that has a value in every row.
const REQUIRED: i64 = 0;
/// Encodings of values and of levels.
const PLAIN: i64 = 0;
const RLE: i64 = 3;
/// The kind of a page that holds values.
const DATA_PAGE: i64 = 0;
/// The codec for columns that are not compressed.
const UNCOMPRESSED: i64 = 0;

/// A column in the file: where its page is and how many bytes it takes, its header included.
struct Chunk {
    offset: usize,
    bytes: usize,
}

/// Returns the bytes of a file with these columns.
pub(super) fn bytes(columns: &[(&'static str, Column)]) -> Vec<u8> {
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    let mut file = MAGIC.to_vec();
    let mut chunks = Vec::new();
    for (_, column) in columns {
        let offset = file.len();
        let page = page(column);
        file.extend(page_header(rows, page.len()));
        file.extend(page);
        chunks.push(Chunk { offset, bytes: file.len() - offset });
    }
    let footer = footer(columns, rows, &chunks);
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(MAGIC);
    file
}

/// Returns the plain values of a column.
fn page(column: &Column) -> Vec<u8> {
    match column {
        Column::Count(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        Column::Number(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        Column::Text(values) => {
            let mut bytes = Vec::new();
            for value in values {
                bytes.extend((value.len() as u32).to_le_bytes());
                bytes.extend(value.as_bytes());
            }
            bytes
        }
    }
}

fn page_header(rows: usize, bytes: usize) -> Vec<u8> {
    let mut values = Struct::default();
    values.i32(1, rows as i64);
    values.i32(2, PLAIN);
    values.i32(3, RLE);
    values.i32(4, RLE);
    let mut header = Struct::default();
    header.i32(1, DATA_PAGE);
    header.i32(2, bytes as i64);
    header.i32(3, bytes as i64);
    header.nested(5, values);
    header.end()
}

fn footer(columns: &[(&'static str, Column)], rows: usize, chunks: &[Chunk]) -> Vec<u8> {
    let mut root = Struct::default();
    root.text(4, "sheet");
    root.i32(5, columns.len() as i64);
    let schema = std::iter::once(root).chain(columns.iter().map(|(name, column)| {
        let (physical, converted) = types(column);
        let mut element = Struct::default();
        element.i32(1, physical);
        element.i32(3, REQUIRED);
        element.text(4, name);
        if let Some(converted) = converted {
            element.i32(6, converted);
        }
        element
    }));
    let mut group = Struct::default();
    group.list(
        1,
        columns.iter().zip(chunks).map(|((name, column), chunk)| {
            let mut metadata = Struct::default();
            metadata.i32(1, types(column).0);
            metadata.numbers(2, &[PLAIN]);
            metadata.texts(3, &[name]);
            metadata.i32(4, UNCOMPRESSED);
            metadata.i64(5, rows as i64);
            metadata.i64(6, chunk.bytes as i64);
            metadata.i64(7, chunk.bytes as i64);
            metadata.i64(9, chunk.offset as i64);
            let mut column = Struct::default();
            column.i64(2, chunk.offset as i64);
            column.nested(3, metadata);
            column
        }),
    );
    group.i64(2, chunks.iter().map(|chunk| chunk.bytes as i64).sum());
    group.i64(3, rows as i64);
    let mut file = Struct::default();
    file.i32(1, 1);
    file.list(2, schema);
    file.i64(3, rows as i64);
    file.list(4, std::iter::once(group));
    file.text(6, "portolan");
    file.end()
}

/// Returns the physical type of a column, and what it means if that is not plain.
fn types(column: &Column) -> (i64, Option<i64>) {
    match column {
        Column::Text(_) => (BYTE_ARRAY, Some(UTF8)),
        Column::Count(_) => (INT64, Some(UINT_64)),
        Column::Number(_) => (DOUBLE, None),
    }
}

/// A structure in Thrift's compact protocol. Fields are added in the order of their numbers.
#[derive(Default)]
struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

/// The types of fields in the compact protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Struct {
    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn zigzag(&mut self, value: i64) {
        self.varint((value << 1 ^ value >> 63) as u64);
    }

    fn i32(&mut self, number: u8, value: i64) {
        self.field(number, I32);
        self.zigzag(value);
    }

    fn i64(&mut self, number: u8, value: i64) {
        self.field(number, I64);
        self.zigzag(value);
    }

    fn binary(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    fn text(&mut self, number: u8, text: &str) {
        self.field(number, BINARY);
        self.binary(text);
    }

    fn nested(&mut self, number: u8, inner: Struct) {
        self.field(number, STRUCT);
        self.bytes.extend(inner.end());
    }

    fn list_header(&mut self, number: u8, count: usize, kind: u8) {
        self.field(number, LIST);
        if count < 15 {
            self.bytes.push((count as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            self.varint(count as u64);
        }
    }

    fn list(&mut self, number: u8, structs: impl Iterator<Item = Struct>) {
        let structs: Vec<Struct> = structs.collect();
        self.list_header(number, structs.len(), STRUCT);
        for inner in structs {
            self.bytes.extend(inner.end());
        }
    }

    fn numbers(&mut self, number: u8, values: &[i64]) {
        self.list_header(number, values.len(), I32);
        for &value in values {
            self.zigzag(value);
        }
    }

    fn texts(&mut self, number: u8, texts: &[&str]) {
        self.list_header(number, texts.len(), BINARY);
        for text in texts {
            self.binary(text);
        }
    }

    /// Returns the bytes of the whole structure.
    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}
