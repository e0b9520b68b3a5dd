//! Tests that links can be opened again, both intact and damaged ones.

use base64::engine::general_purpose::STANDARD_NO_PAD;
use gray1_isa::SplitMix64;

use super::*;

/// Creates a link to a moment of a built-in program.
fn link(program: &str, at: u64) -> Link {
    let texts = crate::FILES.iter().map(|file| (file.path.to_owned(), file.text.to_owned()));
    Link {
        program: format!("{program}.asm"),
        sources: Sources(texts.collect()),
        at,
        ..Link::default()
    }
}

fn open(link: &Link) -> History {
    let (image, setup) = (Arc::new(link.image().unwrap()), link.machine().unwrap().setup);
    let mut history = link.history(&setup, &image).unwrap();
    while !history.advance_to(link.at) {}
    history
}

#[test]
fn a_link_reads_back_unchanged() {
    let board = LinkedBoard {
        name: "mine.ron".into(),
        text: "(chips: [])".into(),
        contents: [("pcl.bin".into(), STANDARD_NO_PAD.encode([0, 255, 7]))].into(),
        sound: Some("gray1".into()),
    };
    let everything = Link {
        engine: EngineKind::Timed,
        board: Some(board),
        ram: PowerUp::Random(u64::MAX),
        seed: 7,
        pace: -3,
        defines: vec!["N=3".to_owned(), "TEXT=\"a b\"".to_owned()],
        glitch: NonZeroU64::new(9),
        pulse: NonZeroU32::new(60),
        inputs: vec![
            (0, LinkInput::Hold("left+a".parse().unwrap())),
            (5, LinkInput::Poke(0x1fff, 255)),
            (5, LinkInput::Load(1, true, 0x1fff)),
            (u64::MAX, LinkInput::Reset),
        ],
        ..link("snake", u64::MAX)
    };
    for link in [link("queens", 0), everything] {
        let text = link.encode();
        assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)), "{text}");
        assert_eq!(Link::decode(&text), Ok(link.clone()));
        let url = format!("  https://example.org/gray1.html?a#b#{text}&embed\n");
        assert_eq!(Link::decode(&url), Ok(link));
    }
}

/// A link can have any number of inputs at one moment. Each call gives the machine one of them, so
/// that opening can be cancelled.
#[test]
fn a_cancelled_opening_has_only_the_inputs_so_far() {
    let poke = |byte| LinkInput::Poke(3, byte);
    let inputs = vec![(0, poke(1)), (0, poke(2)), (0, poke(3)), (9, poke(4))];
    let link = Link { inputs, ..link("queens", 20) };
    let (image, setup) = (Arc::new(link.image().unwrap()), link.machine().unwrap().setup);
    let mut history = link.history(&setup, &image).unwrap();
    assert!(!history.advance_to(20) && !history.advance_to(20));
    let history = history.without_schedule();
    assert_eq!((history.moment(), history.given().len(), history.engine().ram()[3]), (0, 2, 2));
    assert_eq!(open(&link).given().len(), 4);
}

#[test]
fn a_link_survives_mail_and_chat() {
    let expected = link("queens", 8547);
    let text = expected.encode();
    let [escaped, again] = [("%2E", "%2D", "%5f"), ("%252e", "%252d", "%255F")]
        .map(|(dot, minus, line)| text.replace('.', dot).replace('-', minus).replace('_', line));
    let broken = |by: &str| format!("{}{by}{}", &text[..61], &text[61..]);
    let added = ")|>|**|.|,|\"|'|]|>,|).|\u{201d}|%22|%3E|%E2%80%9D| and so on|_|__|A|\n\nBob|&amp;embed|%26embed";
    let added = added.split('|').map(|added| format!("{text}{added}"));
    let inside =
        "\n|\r\n> |%0A|%0D%0A| |%20|\u{ad}|%C2%AD|\u{200b}|%E2%80%8B|=\n|+".split('|').map(broken);
    let before = ["<", " ", "https://example.org/#", "https://example.org/%23", "%20"];
    let before = before.map(|before| format!("{before}{text}"));
    for changed in added.chain(inside).chain(before).chain([escaped, again]) {
        assert_eq!(Link::decode(&changed).as_ref(), Ok(&expected), "{changed}");
    }
}

#[test]
fn a_link_opens_in_the_same_state_on_every_engine() {
    for engine in EngineKind::ALL {
        let at = if engine == EngineKind::Timed { 400 } else { 40_000 };
        let left = LinkInput::Hold("left".parse().unwrap());
        let inputs = vec![(100, left), (200, LinkInput::Reset), (300, LinkInput::Poke(0x100, 9))];
        let ram = PowerUp::Random(3);
        let link = Link { engine, inputs: inputs.clone(), ram, seed: 5, ..link("snake", at) };
        let mut expected = link.machine().unwrap().setup.engine(&link.image().unwrap()).unwrap();
        let mut now = 0;
        for (moment, given) in inputs {
            expected.run(moment - now);
            now = moment;
            match given.into() {
                Input::Reset => expected.reset(),
                Input::Hold(buttons) => expected.hold(buttons),
                Input::Poke(address, byte) => expected.poke(address, byte),
                Input::Load(registers) => assert!(expected.load(registers)),
            }
        }
        expected.run(at - now);
        let history = open(&Link::decode(&link.encode()).unwrap());
        assert_eq!(history.moment(), at);
        assert_eq!(history.engine().save(), expected.save(), "{engine}");
    }
}

#[test]
fn a_moment_after_the_halt_opens_at_the_halt() {
    let history = open(&link("fibonacci", u64::MAX));
    assert!(history.engine().halted() && history.moment() < 1_000_000);
}

#[test]
fn a_damaged_link_is_refused() {
    let text = link("queens", 123_456).encode();
    let mut random = SplitMix64::new(1);
    for _ in 0..500 {
        let at = 2 + random.byte() as usize * (text.len() - 2) / 256;
        let mut changed = text.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(changed).unwrap();
        for damaged in [&text[..at], &changed] {
            let read = Link::decode(damaged);
            let is_damaged = |it: &LinkError| it.message.starts_with("this link is damaged");
            assert!(read.as_ref().is_err_and(is_damaged), "{at}: {read:?}");
        }
    }
}

#[test]
fn an_invalid_link_has_a_readable_message() {
    let bomb = compress_to_vec_zlib(&vec![b' '; DOCUMENT_MAX + 1], LEVEL);
    let bomb = format!("1.{}", URL_SAFE_NO_PAD.encode(bomb));
    let other_field = compress_to_vec_zlib(br#"{"program":"a","sources":{},"at":0,"x":1}"#, LEVEL);
    let other_field = format!("1.{}", URL_SAFE_NO_PAD.encode(other_field));
    let texts = [
        ("", "not a link to a moment"),
        ("https://example.org/", "not a link to a moment"),
        ("2.abc", "this link has version 2, and this program understands only version 1"),
        (&bomb, "this link is damaged: its checksum is wrong, or it is too large"),
        (&other_field, "this link is damaged: unknown field `x`"),
        (&"x".repeat(TEXT_MAX + 1), "this link has more than 2097152 characters"),
    ];
    for (text, expected) in texts {
        let message = Link::decode(text).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    }
    let missing = Link { program: "nothing.asm".into(), ..link("queens", 0) };
    assert_eq!(missing.image().unwrap_err().to_string(), "the link has no file nothing.asm");
    let format_board_error = LinkedBoard { name: "b.ron".into(), ..LinkedBoard::default() };
    let format_board_error = Link { board: Some(format_board_error), ..link("queens", 0) };
    assert!(format_board_error.machine().unwrap_err().starts_with("b.ron: "));
}

#[test]
fn a_link_keeps_the_values_of_defaults() {
    let sources = [("p.asm".to_owned(), ".default N = 1\n LDI N\n HALT\n".to_owned())].into();
    let plain = Link { program: "p.asm".into(), sources: Sources(sources), ..Link::default() };
    let given = |define: &str| Link { defines: vec![define.to_owned()], ..plain.clone() };
    let operand = |link: &Link| link.image().unwrap().words()[0].operand();
    assert_eq!((operand(&plain), operand(&given("N=3"))), (1, 3));
    for (define, why) in [("N", "expected NAME=value"), ("N=1+", "expected a number")] {
        let error = given(define).image().unwrap_err().to_string();
        assert!(error.starts_with(&format!("a value of this link is wrong: {why}")), "{error}");
    }
    assert!(matches!(given("M=1").image(), Err(OpenError::Source(_))));
}
