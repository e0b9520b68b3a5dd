//! `gray1 why` explains the cause of a value. Its answers are compared with those of a model in
//! Python that carries causes forwards (`model.py`).

mod mistakes;
mod truth;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use gray1_debugger::why::{Asked, CausalNode, Cell, Fact, FactOrigin, Leaf, Question, Subject};
use gray1_debugger::{Debugger, Goal, History, Input};
use gray1_isa::panel::{BUTTONS, Buttons};
use gray1_isa::{Image, Op, PowerUp, RamAddr, RomIndex, SplitMix64, Word};
use gray1_sim::{Machine, Registers};
use serde_json::{Value, json};

use crate::support::{Bench, are_installed, root};

/// The number of words of a random program. The rest of program memory is erased.
const WORDS: u64 = 48;
/// The number of bytes of data memory that a random program uses, in addition to the buttons.
const BYTES: u64 = 8;
/// The maximum number of causes followed from one question.
const STEPS: usize = 20;
const QUESTIONS: usize = 25;

/// The node of a fact, without its causes.
fn node(debugger: &mut Debugger, fact: Fact) -> CausalNode {
    let asked = Asked::Subject(fact.subject);
    debugger.ask(Question { asked, depth: 0, is_folded: false }, fact.moment);
    while debugger.is_busy() {
        debugger.advance(0);
    }
    debugger.explanation().expect("it was asked").nodes[0].node
}

fn random_program(random: &mut SplitMix64) -> Vec<Word> {
    let word = |index| {
        let address = match random.below(BYTES + 1) {
            BYTES => BUTTONS,
            byte => RamAddr::truncate(byte as u16),
        };
        // A word never jumps to itself and the last word jumps back, so few programs end.
        let target = RomIndex::truncate(((index + 1 + random.below(WORDS - 1)) % WORDS) as u16);
        match random.below(16) {
            _ if index + 1 == WORDS => Word::jump(Op::Jmp, RomIndex::default()),
            0 | 1 => Word::ldi(random.next() as u8),
            2 => Word::shr(),
            3..=5 => Word::data(Op::Ld, address),
            6..=8 => Word::data(Op::St, address),
            9 | 10 => Word::data(Op::Add, address),
            11..=13 => Word::data(Op::Nand, address),
            14 => Word::jump(Op::Jc, target),
            _ if random.below(3) == 0 => Word::jump(Op::Jmp, target),
            _ => Word::jump(Op::Jc, target),
        }
    };
    (0..WORDS).map(word).collect()
}

fn random_input(random: &mut SplitMix64, debugger: &Debugger) -> (Input, Value) {
    let (now, byte) = (debugger.position().moment, random.next() as u8);
    match random.below(8) {
        0 | 1 => (Input::Reset, json!([now, "reset"])),
        2 | 3 => (Input::Hold(Buttons(byte)), json!([now, "hold", byte])),
        4 | 5 => {
            let address = random.below(BYTES) as u16;
            (Input::Poke(RamAddr::truncate(address), byte), json!([now, "poke", address, byte]))
        }
        _ => {
            let Registers { mut a, mut carry, mut pc } = debugger.engine().registers();
            match random.below(3) {
                0 => a = byte,
                1 => carry = !carry,
                _ => pc = RomIndex::truncate(random.below(WORDS) as u16),
            }
            let registers = Registers { a, carry, pc };
            let values = json!([now, "load", a, u8::from(carry), pc.get()]);
            (Input::Load(registers), values)
        }
    }
}

/// Runs a random program for a random time with all kinds of input. Returns the debugger and the
/// input for the model.
fn random_run(random: &mut SplitMix64, length: u64) -> (Debugger, Value) {
    let power_up = PowerUp::Random(random.next());
    let (words, contents) = (random_program(random), power_up.contents());
    let image = Image::from_words(&words).unwrap();
    let history = History::new(Box::new(Machine::new(&image, power_up)));
    let mut debugger = Debugger::new(image.into(), history);
    let mut inputs = Vec::new();
    for _ in 0..random.below(12) {
        debugger.go(Goal::Instructions(random.below(1 + length / 6))).unwrap();
        while debugger.is_busy() {
            debugger.advance(u64::MAX);
        }
        let (input, json) = random_input(random, &debugger);
        // The end of a program releases the buttons, but in the debugger they stay held.
        debugger.give(input);
        inputs.push(json);
    }
    let case = json!({
        "words": words.iter().map(|word| word.bits()).collect::<Vec<_>>(),
        "a": contents.a, "c": u8::from(contents.carry), "ram": contents.ram[..BYTES as usize],
        "inputs": inputs,
    });
    (debugger, case)
}

/// The model's notation for a cell.
fn cell_json(cell: Cell) -> Value {
    match cell {
        Cell::A => json!("A"),
        Cell::Carry => json!("C"),
        Cell::Byte(address) => json!(address.get()),
    }
}

fn leaf_json(leaf: Leaf) -> Value {
    match leaf {
        Leaf::Constant(index) => json!(["constant", index.get()]),
        Leaf::Buttons(moment) => json!(["buttons", moment]),
        Leaf::UserChange(moment) => json!(["changed", moment]),
        Leaf::Reset(moment) => json!(["reset", moment]),
        Leaf::PowerUp => json!(["power-up"]),
        Leaf::PoolConstant(_) | Leaf::Forgotten => {
            panic!("there is no pool, and all is remembered")
        }
    }
}

/// The cell of an operand, and a mask of its bits.
fn cell_and_mask(fact: Fact) -> (Cell, u8) {
    let Subject::Bits(cell, mask) = fact.subject else { panic!("an operand is bits of a cell") };
    (cell, mask)
}

/// The single bits of facts.
fn single_bits(facts: impl IntoIterator<Item = Fact>) -> Vec<(Cell, u32, u64)> {
    let bits = facts.into_iter().flat_map(|fact| {
        let (cell, mask) = cell_and_mask(fact);
        (0..8).filter(move |bit| mask >> bit & 1 == 1).map(move |bit| (cell, bit, fact.moment))
    });
    bits.collect()
}

fn fact((cell, bit, moment): (Cell, u32, u64)) -> Fact {
    Fact::bits(cell, 1 << bit, moment)
}

/// The cause of a node and the facts that it followed from, in the model's format.
fn node_json(node: &CausalNode) -> Value {
    let made = match node.origin {
        FactOrigin::Step(step) => json!(["step", step.before]),
        FactOrigin::Leaf(leaf) => leaf_json(leaf),
    };
    let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let (facts, constant) = node.causes();
    let bits = single_bits(facts).into_iter();
    let mut causes: Vec<_> =
        bits.map(|(cell, bit, _)| [text(cell_json(cell)), bit.to_string()]).collect();
    match constant {
        Some(Leaf::Constant(index)) => {
            causes.push(["constant".to_owned(), index.get().to_string()]);
        }
        other => assert_eq!(other, None, "no other leaf is a cause of an instruction"),
    }
    causes.sort();
    json!([made, causes])
}

/// The leaves at the end of a fact's chains of causes. A leaf, such as power-up or a button press,
/// has no cause of its own.
fn leaves(debugger: &mut Debugger, fact: Fact) -> Value {
    let (mut found, mut left) = (BTreeSet::new(), vec![fact]);
    let mut seen: BTreeMap<(Cell, u64), u8> = BTreeMap::new();
    while let Some(fact) = left.pop() {
        let node = node(debugger, fact);
        if let FactOrigin::Leaf(leaf) = node.origin {
            found.insert(leaf);
        }
        let (facts, constant) = node.causes();
        found.extend(constant);
        for fact in facts {
            let (cell, mask) = cell_and_mask(fact);
            let known = seen.entry((cell, fact.moment)).or_default();
            if mask & !*known != 0 {
                left.push(Fact::bits(cell, mask & !*known, fact.moment));
                *known |= mask;
            }
        }
    }
    let mut leaves: Vec<Value> = found.into_iter().map(leaf_json).collect();
    leaves.sort_by_key(|leaf| leaf.to_string().replace('"', "'").replace(',', ", "));
    Value::from(leaves)
}

/// Asks random questions about a run. After each answer, asks about one of the causes in it.
/// Returns all questions with our answers.
fn questions(
    random: &mut SplitMix64,
    debugger: &mut Debugger,
    with_leaves: bool,
) -> Vec<(Value, Value)> {
    let end = debugger.history().end();
    let mut answers = Vec::new();
    for _ in 0..QUESTIONS {
        let moment = random.below(end + 1);
        let cell = match random.below(8) {
            0 => None,
            1 | 2 => Some(Cell::A),
            3 => Some(Cell::Carry),
            4 => Some(Cell::Byte(BUTTONS)),
            _ => Some(Cell::Byte(RamAddr::truncate(random.below(BYTES) as u16))),
        };
        let bit = if cell == Some(Cell::Carry) { 0 } else { random.below(8) as u32 };
        let (mut at, mut question) = if let Some(cell) = cell {
            (fact((cell, bit, moment)), json!([cell_json(cell), bit, moment, false]))
        } else {
            debugger.seek(moment, 0);
            let pc = debugger.engine().pc();
            (Fact::executed(pc, moment), json!(["PC", 0, moment, false]))
        };
        for _ in 0..=STEPS {
            let node = node(debugger, at);
            answers.push((question, node_json(&node)));
            let down = single_bits(node.causes().0);
            if down.is_empty() {
                break;
            }
            let (cell, bit, moment) = down[random.below(down.len() as u64) as usize];
            at = fact((cell, bit, moment));
            question = json!([cell_json(cell), bit, moment, false]);
        }
        if let (true, Some(cell)) = (with_leaves, cell) {
            let question = json!([cell_json(cell), bit, moment, true]);
            answers.push((question, leaves(debugger, fact((cell, bit, moment)))));
        }
    }
    answers
}

struct Model {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Model {
    fn start() -> Self {
        let mut child = Command::new("python3")
            .arg("-B")
            .arg(root().join("tests/cli/why/model.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 can be started");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is a pipe"));
        Self { child, input, output }
    }

    fn ask(&mut self, case: &Value) -> Value {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{case}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).expect("the model answers")
    }

    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

/// Compares our answers with the model's, for one random run per seed. A run has fewer than `2 *
/// length` instructions.
fn compare(seeds: std::ops::Range<u64>, length: u64) {
    if !are_installed(&["python3"]) {
        return;
    }
    let (mut model, programs, mut executed) = (Model::start(), seeds.end - seeds.start, 0);
    for seed in seeds {
        let mut random = SplitMix64::new(seed);
        let (mut debugger, mut case) = random_run(&mut random, length);
        let answers = questions(&mut random, &mut debugger, length <= 5000);
        executed += debugger.history().end();
        case["questions"] = answers.iter().map(|(question, _)| question.clone()).collect();
        let expected = model.ask(&case);
        for ((question, answer), expected) in answers.iter().zip(expected.as_array().unwrap()) {
            assert_eq!(answer, expected, "seed {seed}: {question}");
        }
    }
    model.end();
    assert!(executed > programs * length / 4, "they end too soon: {executed}");
}

#[test]
fn answers_match_a_model_that_propagates_causes_forwards() {
    compare(0..16, 2000);
}

#[test]
fn answers_before_the_recorded_window_match_the_model() {
    compare(1000..1001, 300_000);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_answers_match_the_model() {
    compare(10_000..10_390, 5000);
    compare(20_000..20_010, 400_000);
}

/// Adds two numbers until the sum is large enough.
const SUM: &str = "\
.title \"Sum\"
.pool
.var sum
.legend green, \"large\"
;; Start with two.
        LDI 2
        ST  sum
;; Add two to it.
more:   ADD sum
        ST  sum
;; Is it large?
        ADD #-16
        JC  large
        LD  sum
        JMP more
large:  LDI 1
        ST  0x1fe0
        HALT
";

#[test]
fn an_explanation_uses_the_names_of_the_program() {
    let bench = Bench::new().file("sum.asm", SUM);
    let sentence = "\
LED 0, 0 is green (large) because `ST green row 0` (line 17) stored it, and `LDI 0x01` (line 16, \
         moment 21) set it to 0x01: \"Is it large?\".\n";
    let tree =
        "  green LED 0, 0 is 1: ST green row 0 at large+1 (sum.asm:17), moment 22  ;; Is it large?
    A.0 is 1: LDI 0x01 at large (sum.asm:16), moment 21  ;; Is it large?
    decided by this: A.0 is 1: LDI 0x01 at large (sum.asm:16), moment 21  ;; Is it large?
    here because large+1 is reached: JC large at more+3 (sum.asm:13), moment 20  ;; Is it large?
  red LED 0, 0 is 0: nothing had written red row 0 before this
";
    for led in ["led 0, 0", "led 0 0", "0, 0", "0 0"] {
        bench
            .gray1(&format!("why sum.asm '{led}' --at 22 --all"))
            .status(0)
            .stdout(format!("{sentence}{tree}"))
            .stderr("");
    }
    let ended = "note: the program ended at moment 23\n";
    let steps = "  Is it large?: green LED 0, 0 is 1: LDI 0x01; ST green row 0 at large+1 \
             (sum.asm:16-17), moment 22
  Is it large?: C is 1: LD sum; ADD sum; ADD #0xf0; JC large at more+3 (sum.asm:9-13), \
             moment 20
  Is it large?: C is 0: LD sum; ADD sum; ADD #0xf0; JC large at more+3 (sum.asm:9-13), \
             moment 14
  Add two to it: bits 3 and 4 of sum make 0x08: LD sum; ADD sum; ST sum at more+1 (sum.asm:9-10), \
             moment 12
  Add two to it: bits 2 to 4 of sum make 0x04: LDI 0x02; ST sum; ADD sum at more+1 (sum.asm:6-10), \
             moment 6
";
    let expected = format!("{sentence}{steps}");
    bench.gray1("why sum.asm 'led 0, 0' --at 100").status(0).stdout(&expected).stderr(ended);
}

#[test]
fn json_says_if_an_explanation_was_cut() {
    let bench = Bench::new().file("sum.asm", SUM);
    let ran = bench.gray1("why sum.asm sum --at 20 --depth 1 --format json").status(0);
    let json: Value = serde_json::from_slice(ran.out()).unwrap();
    let index = json!({ "moment": 18, "index": 5, "source": "sum.asm:10" });
    for (key, value) in index.as_object().unwrap() {
        assert_eq!(&json[key], value, "{json}");
    }
    let cause = json!([{
        "moment": 17, "index": 4, "source": "sum.asm:9", "caption": "Add two to it.",
        "what": "A", "value": 16, "because": [], "more": true,
    }]);
    assert_eq!(json["because"], cause);
    assert_eq!(json["executed_because"]["source"], "sum.asm:13");
    assert_eq!(json["at"], 20);
    let ran = bench.gray1("why sum.asm 'sum.4' --at 20 --depth 40 --format json").status(0);
    let text = ran.text();
    let tree = text.split("\"decision\"").next().unwrap();
    assert!(!tree.contains("more\":true") && tree.contains("\"leaf\":\"constant\""), "{text}");
}

#[test]
fn causes_end_at_the_buttons_and_repeated_steps_are_listed_once() {
    let source = ";; Look.\n LD 0x1ffe\n SHR\n SHR\n SHR\n ST 0x1fe0\n HALT\n";
    let bench = Bench::new().file("look.asm", source).file("held", "0 left+a\n");
    let ran = bench.gray1("why look.asm 'led 0, 1' --at 5 --buttons held --all").status(0);
    let text = ran.text();
    let sentence = "LED 0, 1 is green because `ST green row 0` (line 6) stored it, and it comes \
                    from the buttons, as held from moment 0 on.\n";
    assert!(text.starts_with(sentence), "{text}");
    assert!(text.contains("A.1 is 1: SHR, shifted right 3 times at 0x0003 (look.asm:5), moment 4"));
}

/// The constant alone would not explain a value that it does not have.
#[test]
fn an_instruction_that_changed_the_constant_is_named() {
    let source = ".var x\n.var y\n LDI 2\n ST x\n LD x\n ADD x\n ST y\n HALT\n";
    let bench = Bench::new().file("twice.asm", source);
    let set = "and `LDI 0x02` (line 3, moment 1) set it to 0x02.\n";
    for (asked, expected) in [
        ("A", format!("A is 0x04 because `ADD x` (line 6) changed it, {set}")),
        (
            "y",
            format!(
                "y is 0x04 because `ST y` (line 7) stored it, `ADD x` (line 6) changed it, {set}"
            ),
        ),
        ("x", format!("x is 0x02 because `ST x` (line 4) stored it, {set}")),
    ] {
        let text = bench.command("why twice.asm --all").arg(asked).output().unwrap().stdout;
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with(&expected), "{asked}: {text}");
    }
}

#[test]
fn a_chain_of_single_causes_is_followed_to_its_end_or_the_answer_says_that_it_stops() {
    let source = ".pool\n.var n\n LDI 3\n ST n\nl: LD n\n ADD #1\n ST n\n JMP l\n";
    let bench = Bench::new().file("n.asm", source);
    for (at, value, times) in [(499, "0x7f", 124), (2999, "0xf0", 749), (99_999, "0xaa", 24_999)] {
        let explanation = format!(
            "\
n is {value} because `ST n` (line 7) changed it {times} times, and `LDI 0x03` (line 3, moment 3) \
             set it to 0x03.
  n is {value}: ST n, repeated {times} times at l+2 (n.asm:7), moment {at}
    n is 0x03: ST n at 0x0003 (n.asm:4), moment 4
    A is 0x03: LDI 0x03 at 0x0002 (n.asm:3), moment 3
    decided by this: A is 0x03: LDI 0x03 at 0x0002 (n.asm:3), moment 3
    here because l+2 is reached: power-up
"
        );
        bench.gray1(&format!("why n.asm n --at {at} --all")).status(0).stdout(&explanation);
    }
    let stops = "\
n is 0x92 because `ST n` (line 7) changed it 85599 times, and `ADD #0x01` (line 6, moment 657606) \
         computed it, 256795 steps back, where this answer stops.
  n is 0x92: ST n, repeated 85598 times ... at l+2 (n.asm:7), moment 999999
    followed to this: A is 0x34: ADD #0x01 at l+1 (n.asm:6), moment 657606
    here because l+2 is reached: power-up
";
    bench.gray1("why n.asm n --at 1000000 --all").status(0).stdout(stops);
    for (at, stops) in [(99_999, Value::Null), (1_000_000, json!(true))] {
        let ran = bench.gray1(&format!("why n.asm n --at {at} --format json")).status(0);
        let json: Value = serde_json::from_slice(ran.out()).unwrap();
        assert_eq!(json["stops"], stops, "{at}");
    }
}

/// An LED that was lit by a store does not count as unwritten because its bit comes from power-up.
#[test]
fn an_led_that_comes_from_power_up_names_its_store() {
    let bench = Bench::new()
        .file("d.asm", ".allow unwritten\n.var d\n LD d\n ST 0x1fe0\n HALT\n")
        .file("a.asm", " ST 0x1fe0\n HALT\n")
        .file("none.asm", " HALT\n");
    for (run, answer) in [
        (
            "d.asm --ram ones",
            "because `ST green row 0` (line 4) copied `d` there, and line 3 read `d` before \
             anything had written it",
        ),
        (
            "a.asm --ram ones",
            "because `ST green row 0` (line 1) stored it, and it comes from power-up",
        ),
        ("none.asm --ram ones", "the program has not written to this row since power-up"),
    ] {
        let out = bench.command(&format!("why -q {run}")).arg("led 0, 1").output().unwrap();
        let out = String::from_utf8(out.stdout).unwrap();
        assert!(out.contains(answer), "{answer}\n{out}");
    }
}

#[test]
fn buttons_that_do_not_change_a_bit_are_not_its_cause() {
    let keep = " LDI 4\n ST 0x1ffe\ne: JMP e\n";
    let clear = " LDI 0x20\n ST 0x1ffe\n LDI 0\n ST 0x1ffe\n SHR\n ST 0x1ffe\ne: JMP e\n";
    for (program, bit, at, held, changed) in [
        ("keep", 2, 2, "0 left\n1 left+right\n", "1: the buttons, as held from moment 0 on"),
        ("keep", 2, 2, "0 right\n1 left+right\n", "1: the buttons, as held from moment 1 on"),
        ("clear", 5, 6, "5 left\n", "0: ST buttons at 0x0003 (clear.asm:4), moment 4"),
        ("clear", 3, 6, "5 left\n", "0: the reset at moment 0"),
    ] {
        let bench = Bench::new().file("held", held).file("keep.asm", keep).file("clear.asm", clear);
        let question = format!("why {program}.asm 0x1ffe.{bit} --at {at} --buttons held --all");
        let expected = format!("changed before that: buttons.{bit} is {changed}\n");
        let ran = bench.gray1(&question).status(0);
        assert!(ran.text().contains(&expected), "{held}: {}", ran.text());
    }
}

#[test]
fn an_invalid_question_is_refused_with_a_message() {
    let bench = Bench::new().file("sum.asm", SUM);
    for (question, why) in [
        ("nosuch", "nosuch: column 1: the program has no `nosuch`"),
        ("C.1", "C.1: column 1: the program has no `C.1`"),
        ("PC.3", "PC.3: column 1: the program has no `PC.3`"),
        ("more + 1.0", "more + 1.0: column 1: the program has no `more + 1.0`"),
        ("led 0, 8", "led 0, 8: column 8: expected a row and a column from 0 to 7, found 8"),
    ] {
        bench.gray1(&format!("why sum.asm '{question}' --at 1")).error(why);
    }
    bench.gray1("why sum.asm sum --at 3 --depth 0").status(2);
    let never = bench.gray1("why sum.asm large --at 3").status(0);
    never.stdout("this instruction was not executed\n");
}
