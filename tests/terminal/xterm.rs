//! LEDs in pictures of real windows: 64 of them in xterm, whole, with a dark gap around each, on
//! dark and on light backgrounds. Needs Xvfb, xterm, and `import` of `ImageMagick`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Bench, PATIENCE, are_installed};

/// The fonts that Debian's xterm finds on most desktops.
const FONTS: [&str; 2] = ["DejaVu Sans Mono", "Liberation Mono"];

/// What an LED and its panel look like where there are sixteen colours, by xterm's own numbers.
const GREEN: [u8; 3] = [0x00, 0xcd, 0x00];
const UNLIT: [u8; 3] = [0x7f, 0x7f, 0x7f];
const PANEL: [u8; 3] = [0x00, 0x00, 0x00];

/// A program that stands in a window of its own, or does not stand any more.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Self {
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        Self(quiet.spawn().expect("the program can be started"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A screen of X in memory.
struct Display {
    _server: Running,
    name: String,
}

impl Display {
    fn start(folder: &Path) -> Self {
        let number = folder.join("display");
        let file = fs::File::create(&number).expect("the folder is writable");
        // It chooses a free number, and writes it to its standard output.
        let mut server = Command::new("Xvfb");
        // It would begin anew whenever the last client leaves, and lose one that is just coming.
        server.args(["-noreset", "-displayfd", "1", "-screen", "0", "1280x800x24"]);
        server.args(["-nolisten", "tcp"]);
        let server = server.stdout(file).stderr(Stdio::null()).spawn();
        let server = Running(server.expect("Xvfb starts"));
        let start = Instant::now();
        loop {
            let text = fs::read_to_string(&number).expect("it was made");
            if text.ends_with('\n') {
                return Self { _server: server, name: format!(":{}", text.trim()) };
            }
            assert!(start.elapsed() < *PATIENCE, "Xvfb does not start");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A picture of everything.
    fn picture(&self) -> Picture {
        let mut import = Command::new("import");
        import.args(["-display", &self.name, "-window", "root", "-depth", "8", "rgb:-"]);
        let output = import.output().expect("import starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let pixels = output.stdout.as_chunks::<3>().0.to_vec();
        assert_eq!(pixels.len(), Picture::WIDTH * Picture::HEIGHT);
        Picture(pixels)
    }
}

/// The pixels of the screen, row by row.
struct Picture(Vec<[u8; 3]>);

/// The left, upper, right and lower edges of a region, all inside it, and its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Region {
    edges: [usize; 4],
    pixels: usize,
}

impl Picture {
    const WIDTH: usize = 1280;
    const HEIGHT: usize = 800;

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.0[y * Self::WIDTH + x]
    }

    /// The connected regions of a colour.
    fn regions(&self, color: [u8; 3]) -> Vec<Region> {
        let mut is_free: Vec<bool> = self.0.iter().map(|pixel| *pixel == color).collect();
        let (mut regions, mut from) = (Vec::new(), 0);
        while let Some(start) = (from..is_free.len()).find(|at| is_free[*at]) {
            from = start;
            let mut region = Region { edges: [usize::MAX, usize::MAX, 0, 0], pixels: 0 };
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                if !std::mem::take(&mut is_free[at]) {
                    continue;
                }
                let (x, y) = (at % Self::WIDTH, at / Self::WIDTH);
                let [left, top, right, bottom] = region.edges;
                region.edges = [left.min(x), top.min(y), right.max(x), bottom.max(y)];
                region.pixels += 1;
                let beside =
                    [x.checked_sub(1).map(|_| at - 1), (x + 1 < Self::WIDTH).then_some(at + 1)];
                let above = [at.checked_sub(Self::WIDTH), Some(at + Self::WIDTH)];
                let next = beside.into_iter().chain(above).flatten();
                open.extend(next.filter(|at| is_free.get(*at) == Some(&true)));
            }
            regions.push(region);
        }
        regions
    }

    /// Whether all around a region, at this distance from its edges, there is nothing but panel.
    fn stands_alone(&self, region: &Region) -> bool {
        let [left, top, right, bottom] = region.edges;
        let (xs, ys) = (left - 1..=right + 1, top - 1..=bottom + 1);
        let mut rim = xs.clone().flat_map(|x| [(x, top - 1), (x, bottom + 1)]);
        let mut sides = ys.flat_map(|y| [(left - 1, y), (right + 1, y)]);
        rim.all(|(x, y)| self.at(x, y) == PANEL) && sides.all(|(x, y)| self.at(x, y) == PANEL)
    }

    /// The LEDs of a colour, if there are 64 that are alike and stand alone; else what is wrong.
    fn leds(&self, color: [u8; 3]) -> Result<(), String> {
        // The legend has LEDs, too: small ones, of a character. Letters may have the colour.
        let regions = self.regions(color).into_iter().filter(|region| region.pixels > 100);
        let mut sizes: HashMap<[usize; 2], Vec<Region>> = HashMap::new();
        for region in regions {
            let [left, top, right, bottom] = region.edges;
            sizes.entry([right - left + 1, bottom - top + 1]).or_default().push(region);
        }
        let most = sizes.into_iter().max_by_key(|(_, regions)| regions.len());
        let ([width, height], leds) = most.ok_or("nothing has this colour")?;
        if leds.len() != 64 {
            return Err(format!("{} regions of {width}x{height} pixels", leds.len()));
        }
        match leds.iter().find(|led| !self.stands_alone(led)) {
            Some(led) => Err(format!("{led:?} has a neighbour that is not dark")),
            None => Ok(()),
        }
    }
}

/// A program that lights all LEDs in green, or none, and stops.
fn source(is_lit: bool) -> String {
    let mut source = ".title \"LEDs\"\n".to_owned();
    writeln!(source, " LDI {}", if is_lit { 255 } else { 0 }).expect("a String takes all");
    for row in 0..8 {
        writeln!(source, " ST {:#x}", 0x1fe0 + row).expect("a String takes all");
    }
    source + " HALT\n"
}

/// A window with the program in it, and what it should show.
struct Window<'a> {
    font: &'a str,
    points: u32,
    size: &'a str,
    is_light: bool,
    is_lit: bool,
}

impl Window<'_> {
    fn check(&self, bench: &Bench, display: &Display) {
        let &Self { font, points, size, is_light, is_lit } = self;
        let what = format!("{font} {points}, {size}, light {is_light}, lit {is_lit}");
        let [behind, text] = if is_light { ["white", "black"] } else { ["black", "white"] };
        let mut xterm = Command::new("xterm");
        xterm.args(["-display", &display.name, "-geometry", &format!("{size}+0+0"), "-fa", font]);
        xterm.args(["-fs", &points.to_string(), "-bg", behind, "-fg", text, "+sb", "-b", "2"]);
        let program = bench.path(if is_lit { "lit.asm" } else { "unlit.asm" });
        xterm.args(["-tn", "xterm", "-e", env!("CARGO_BIN_EXE_gray1")]).arg(program);
        xterm.env("LC_ALL", "C.UTF-8").env("XDG_STATE_HOME", bench.path("state"));
        xterm.env_remove("NO_COLOR").env_remove("COLORTERM");
        let _window = Running::start(&mut xterm);
        let color = if is_lit { GREEN } else { UNLIT };
        let start = Instant::now();
        loop {
            let picture = display.picture();
            let header = picture.at(1, 1);
            let is_painted = header == if is_light { [0xff; 3] } else { [0; 3] };
            match picture.leds(color) {
                Ok(()) if is_painted => return,
                problem => assert!(start.elapsed() < *PATIENCE, "{what}: {problem:?}, {header:?}"),
            }
        }
    }
}

#[test]
fn xterm_shows_64_whole_leds_in_every_font_on_every_background() {
    if !are_installed(&["Xvfb", "xterm", "import"]) {
        return;
    }
    let bench = Bench::new().file("lit.asm", source(true)).file("unlit.asm", source(false));
    let display = Display::start(&bench.path(""));
    for font in FONTS {
        for (points, size, is_light, is_lit) in [
            (8, "120x40", false, true),
            (10, "80x24", true, true),
            // Unlit ones have the same places.
            (10, "80x24", true, false),
            (14, "100x30", false, true),
        ] {
            Window { font, points, size, is_light, is_lit }.check(&bench, &display);
        }
    }
}
