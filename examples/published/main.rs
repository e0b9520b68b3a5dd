//! Native programs for the published methods for the eight queens that docs/QUEENS.md describes.
//! Compare them with the Gray-1, or read them together with `programs/`.
//!
//! ```text
//! cargo run --release --example published -- bits
//! cargo run --release --example published -- repair --n 1000 --png queens.png
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

mod bits;
mod odometer;
mod packed;
mod permute;
mod picture;
mod repair;

use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use gray1_isa::SplitMix64;

use repair::Progress;

/// The number of rows, columns and queens.
pub(crate) const SIDE: usize = 8;

/// The column of the queen in each row, counted from 0.
pub(crate) type Arrangement = [u8; SIDE];

/// Finds arrangements of queens by a method that was published for another machine.
#[derive(Parser)]
struct SearchOptions {
    /// The method
    #[arg(value_enum)]
    method: Method,
    /// The number of queens; only `repair` takes a number other than 8
    #[arg(long, default_value_t = SIDE, value_parser = parse_count)]
    n: usize,
    /// The seed of the random rows of `repair`
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw the arrangement that `repair` finds to this file
    #[arg(long)]
    png: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// Backtracking over a packed board
    Packed,
    /// Bit-parallel descent
    Bits,
    /// Self-correcting queens
    Repair,
    /// All boards with one queen in each row
    Odometer,
    /// All permutations
    Permute,
}

fn parse_count(text: &str) -> Result<usize, String> {
    let n = text.parse().ok().filter(|n| *n == 1 || (4..=100_000).contains(n));
    n.ok_or_else(|| "expected 1, or a number from 4 to 100000".to_owned())
}

fn main() -> ExitCode {
    let options = SearchOptions::parse();
    let search = match options.method {
        Method::Repair => return finish(repair(&options)),
        _ if options.n != SIDE || options.png.is_some() => {
            eprintln!("--n and --png are for `repair`");
            return ExitCode::from(2);
        }
        Method::Packed => packed::search,
        Method::Bits => bits::search,
        Method::Odometer => odometer::search,
        Method::Permute => permute::search,
    };
    finish(print_all(search))
}

fn finish(result: io::Result<()>) -> ExitCode {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Prints all arrangements, with columns counted from 1.
fn print_all(search: fn(&mut dyn FnMut(Arrangement))) -> io::Result<()> {
    let start = Instant::now();
    let mut all = Vec::new();
    search(&mut |arrangement| all.push(arrangement));
    let time = start.elapsed();
    let mut out = BufWriter::new(io::stdout().lock());
    for arrangement in &all {
        writeln!(
            out,
            "{}",
            arrangement.map(|column| char::from(b'1' + column)).iter().collect::<String>()
        )?;
    }
    out.flush()?;
    eprintln!("{} arrangements in {time:.1?}", all.len());
    Ok(())
}

/// Finds one arrangement, and prints or draws it.
fn repair(options: &SearchOptions) -> io::Result<()> {
    let start = Instant::now();
    let report = |progress: Progress| {
        let Progress { shuffles, moves, safe } = progress;
        let n = options.n;
        eprintln!(
            "{safe} of {n} safe; {shuffles} shuffles, {moves} moves, {:.1?}",
            start.elapsed()
        );
    };
    let mut random = SplitMix64::new(options.seed);
    let (rows, progress) = repair::search(options.n, &mut random, &mut |progress| report(progress));
    report(progress);
    if let Some(path) = &options.png {
        return std::fs::write(path, picture::png(&rows)?);
    }
    let rows: Vec<_> = rows.iter().map(|row| (row + 1).to_string()).collect();
    let space = if options.n < 10 { "" } else { " " };
    writeln!(io::stdout(), "{}", rows.join(space))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The 92 known arrangements, with columns counted from 0.
    fn known() -> Vec<Arrangement> {
        let lines = include_str!("../../tests/data/arrangements.txt").lines();
        lines.map(|line| std::array::from_fn(|row| line.as_bytes()[row] - b'1')).collect()
    }

    fn all(search: fn(&mut dyn FnMut(Arrangement))) -> Vec<Arrangement> {
        let mut all = Vec::new();
        search(&mut |arrangement| all.push(arrangement));
        all
    }

    #[test]
    fn every_search_finds_the_92() {
        assert_eq!(all(packed::search), known());
        assert_eq!(all(bits::search), known());
        assert_eq!(all(odometer::search), known());
        let mut permutations = all(permute::search);
        permutations.sort_unstable();
        assert_eq!(permutations, known());
    }

    #[test]
    fn self_correcting_queens_find_the_92_in_time() {
        let known: BTreeSet<_> = known().into_iter().collect();
        let mut random = SplitMix64::new(1);
        let mut found = BTreeSet::new();
        for _ in 0..20_000 {
            let (rows, _) = repair::search(SIDE, &mut random, &mut |_| ());
            found.insert(std::array::from_fn(|queen| rows[queen] as u8));
        }
        assert_eq!(found, known);
    }

    #[test]
    fn self_correcting_queens_solve_large_boards() {
        for n in [1, 4, 5, 6, 7, 9, 20, 100] {
            let (rows, progress) = repair::search(n, &mut SplitMix64::new(7), &mut |_| ());
            assert_eq!((rows.len(), progress.safe), (n, n));
            let diagonal = |sign: isize| {
                let line = move |(column, row): (usize, &usize)| {
                    row.cast_signed() + sign * column.cast_signed()
                };
                rows.iter().enumerate().map(line).collect::<BTreeSet<_>>()
            };
            for lines in [diagonal(0), diagonal(1), diagonal(-1)] {
                assert_eq!(lines.len(), n);
            }
        }
    }

    #[test]
    fn a_picture_shows_each_queen_once() {
        let rows = [1, 3, 0, 2];
        let bytes = picture::png(&rows).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (512, 512));
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
            let (x, y) = (column * 128 + 64, row * 128 + 64);
            let is_white = pixels[y * 64 + x / 8] & (0x80 >> (x % 8)) != 0;
            assert_eq!(is_white, rows[column] != row, "row {row}, column {column}");
        }
    }
}
