//! Draws a board as a small PNG, with one bit per pixel. Large boards have one pixel per square.

use std::io;

use png::{BitDepth, ColorType, Compression, Encoder};

/// The side of the picture of a small board, in pixels.
const SMALL_PIXELS: usize = 512;

/// Draws a board with one queen in each column. `rows` holds the queens' rows. A queen is a black
/// square on white.
pub(crate) fn png(rows: &[usize]) -> io::Result<Vec<u8>> {
    let scale = (SMALL_PIXELS / rows.len()).max(1);
    let side = rows.len() * scale;
    let mut bytes = Vec::new();
    let pixels = u32::try_from(side).map_err(io::Error::other)?;
    let mut encoder = Encoder::new(&mut bytes, pixels, pixels);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::One);
    encoder.set_compression(Compression::High);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    let mut stream = writer.stream_writer().map_err(io::Error::other)?;
    let mut columns = vec![Vec::new(); rows.len()];
    for (column, &row) in rows.iter().enumerate() {
        columns[row].push(column);
    }
    for columns in &columns {
        let line = line(columns, scale, side);
        for _ in 0..scale {
            io::Write::write_all(&mut stream, &line)?;
        }
    }
    stream.finish().map_err(io::Error::other)?;
    drop(writer);
    Ok(bytes)
}

/// Returns a line of pixels that is black where there is a queen.
fn line(columns: &[usize], scale: usize, side: usize) -> Vec<u8> {
    let mut line = vec![0xFF; side.div_ceil(8)];
    for pixel in columns.iter().flat_map(|column| column * scale..(column + 1) * scale) {
        line[pixel / 8] &= !(0x80 >> (pixel % 8));
    }
    line
}
