//! Compares the times of two implementations. They run alternately, so that noise affects both, and
//! the results are medians, so that outliers do not matter.
#![allow(dead_code, reason = "every benchmark uses its own part")]
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]
#![allow(clippy::cast_precision_loss, reason = "figures for people have four digits")]

use std::time::{Duration, Instant};

use gray1_isa::Image;
use gray1_isa::format::{Contents, load};

/// The number of runs of each side.
const ROUNDS: usize = 201;

/// Something to measure. Only `run` is timed, not `prepare`.
pub(crate) struct Side<'a, T> {
    pub(crate) name: &'a str,
    pub(crate) prepare: &'a dyn Fn() -> T,
    pub(crate) run: &'a dyn Fn(&mut T),
}

/// The image of a built-in program, as `gray1` assembles it.
pub(crate) fn load_image(program: &str) -> Image {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gray1"))
        .args(["convert", program, "--format", "bin", "-o", "-"])
        .output()
        .expect("gray1 can be started");
    match load(&output.stdout) {
        Ok(Contents::Image(image)) => *image,
        other => panic!("{program} became {other:?}"),
    }
}

/// Runs both sides `ROUNDS` times. Prints the median rates in `unit`s per second and the ratio of
/// ours to the baseline. A run does `count` units.
pub(crate) fn compare<A, B>(count: u64, unit: &str, baseline: &Side<A>, ours: &Side<B>) -> f64 {
    compare_rounds(ROUNDS, count, unit, baseline, ours)
}

/// Compares two sides as [`compare`] does, but with `rounds` runs, for sides that take a long time.
pub(crate) fn compare_rounds<A, B>(
    rounds: usize,
    count: u64,
    unit: &str,
    baseline: &Side<A>,
    ours: &Side<B>,
) -> f64 {
    let (mut baseline_times, mut our_times) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        baseline_times.push(time(baseline));
        our_times.push(time(ours));
    }
    let rate = |name: &str, times: Vec<Duration>| {
        let rate = count as f64 / median(times).as_secs_f64();
        println!("  {name:<32} {:>9.3} M {unit}/s", rate / 1e6);
        rate
    };
    let ratio = rate(baseline.name, baseline_times).recip() * rate(ours.name, our_times);
    println!("  ratio {ratio:.2}");
    ratio
}

fn time<T>(side: &Side<T>) -> Duration {
    let mut state = (side.prepare)();
    let start = Instant::now();
    (side.run)(&mut state);
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
