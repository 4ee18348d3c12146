//! Rows and columns of results for other programs: [`Sheet`], written as TSV, as CSV or as Parquet.
//!
//! Not here: what the columns mean.

use crate::error::FileError;
use crate::replace::replace_file;
use std::path::Path;

mod parquet_file;

/// The values of a column, one for each row.
#[derive(Clone, PartialEq, Debug)]
pub enum Column {
    /// Texts.
    Text(Vec<String>),
    /// Whole numbers.
    Count(Vec<u64>),
    /// Numbers.
    Number(Vec<f64>),
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Column::Text(values) => values.len(),
            Column::Count(values) => values.len(),
            Column::Number(values) => values.len(),
        }
    }

    fn cell(&self, row: usize) -> String {
        match self {
            Column::Text(values) => values[row].clone(),
            Column::Count(values) => values[row].to_string(),
            Column::Number(values) => values[row].to_string(),
        }
    }
}

/// Columns of equal length, each with a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheet {
    columns: Vec<(&'static str, Column)>,
}

/// The formats in which a sheet is written.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum SheetKind {
    /// Tabs between cells.
    Tsv,
    /// Commas between cells, and quotes.
    Csv,
    /// Apache Parquet, without compression.
    Parquet,
}

impl SheetKind {
    /// Returns the format that the end of a file's name says, if it says one.
    pub fn of(path: &Path) -> Option<SheetKind> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "tsv" => Some(SheetKind::Tsv),
            "csv" => Some(SheetKind::Csv),
            "parquet" => Some(SheetKind::Parquet),
            _ => None,
        }
    }
}

impl Sheet {
    /// Returns a sheet of these columns.
    ///
    /// # Panics
    /// When columns differ in length.
    pub fn new(columns: Vec<(&'static str, Column)>) -> Sheet {
        assert!(columns.windows(2).all(|pair| pair[0].1.len() == pair[1].1.len()), "columns have equal lengths");
        Sheet { columns }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    /// Returns the lines of the sheet as cells, the names first.
    fn lines(&self) -> impl Iterator<Item = Vec<String>> {
        let names = self.columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        let line = |row| self.columns.iter().map(|(_, column)| column.cell(row)).collect();
        std::iter::once(names).chain((0..self.rows()).map(line))
    }

    /// Returns the bytes of a file of this kind.
    pub fn bytes(&self, kind: SheetKind) -> Vec<u8> {
        match kind {
            SheetKind::Tsv => tsv(self.lines()).into_bytes(),
            SheetKind::Csv => csv(self.lines()).into_bytes(),
            SheetKind::Parquet => parquet_file::bytes(&self.columns),
        }
    }

    /// Writes the sheet to a file, by [`replace_file`].
    ///
    /// # Errors
    /// When the system would not write the file.
    pub fn write(&self, path: &Path, kind: SheetKind) -> Result<(), FileError> {
        let io = |source| FileError::Io { path: path.to_path_buf(), source };
        replace_file(path, &self.bytes(kind)).map_err(io)
    }
}

/// Returns lines with tabs between cells and a line feed at the end of each line. Tabs and line ends within a cell become
/// blanks.
pub fn tsv(lines: impl Iterator<Item = Vec<String>>) -> String {
    joined(lines, "\t", "\n", |cell| cell.replace(['\t', '\r', '\n'], " "))
}

/// Returns lines as RFC 4180 describes them: commas between cells, a carriage return and a line feed at the end of each
/// line, and quotes around cells that contain any of these or quotes, which are doubled.
pub fn csv(lines: impl Iterator<Item = Vec<String>>) -> String {
    joined(lines, ",", "\r\n", |cell| {
        if cell.contains([',', '"', '\r', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
    })
}

fn joined(
    lines: impl Iterator<Item = Vec<String>>,
    between: &str,
    end: &str,
    safe: impl Fn(String) -> String,
) -> String {
    let line = |cells: Vec<String>| cells.into_iter().map(&safe).collect::<Vec<_>>().join(between) + end;
    lines.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        Sheet::new(vec![
            ("name", Column::Text(vec!["a, \"b\"".into(), "c\td".into()])),
            ("count", Column::Count(vec![1, u64::MAX])),
            ("number", Column::Number(vec![0.5, -2.0])),
        ])
    }

    #[test]
    fn text_is_made_safe() {
        let text = |kind| String::from_utf8(sheet().bytes(kind)).unwrap();
        assert_eq!(text(SheetKind::Tsv), format!("name\tcount\tnumber\na, \"b\"\t1\t0.5\nc d\t{}\t-2\n", u64::MAX));
        let csv = format!("name,count,number\r\n\"a, \"\"b\"\"\",1,0.5\r\nc\td,{},-2\r\n", u64::MAX);
        assert_eq!(text(SheetKind::Csv), csv);
    }

    #[test]
    fn kinds_are_told_by_the_end_of_the_name() {
        let kinds = ["a.tsv", "b.CSV", "c.parquet", "d.txt", "e"].map(|name| SheetKind::of(Path::new(name)));
        assert_eq!(kinds, [Some(SheetKind::Tsv), Some(SheetKind::Csv), Some(SheetKind::Parquet), None, None]);
    }

    #[test]
    fn a_parquet_file_has_its_pages_where_the_footer_says() {
        let bytes = sheet().bytes(SheetKind::Parquet);
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
        let length = bytes.len() - 8;
        let footer = u32::from_le_bytes(bytes[length..length + 4].try_into().unwrap()) as usize;
        let text = String::from_utf8_lossy(&bytes[length - footer..length]).into_owned();
        assert!(["sheet", "name", "count", "number", "portolan"].iter().all(|word| text.contains(word)), "{text}");
        // The pages: 4 + 6 + 4 + 3 bytes of texts and twice 16 bytes of numbers, each after a header of 17 bytes.
        assert_eq!(length - footer, 4 + 3 * 17 + 17 + 16 + 16);
        let counts = [1_u64.to_le_bytes(), u64::MAX.to_le_bytes()].concat();
        assert_eq!(bytes[4 + 17 + 17 + 17..][..16], counts);
    }
}
