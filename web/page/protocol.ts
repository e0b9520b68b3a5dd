// The requests to the machine and its answers. Made by web/tests/protocol.rs from the types of the
// machine: do not edit.

/** A place in a document. */
export interface Position {
  /** Counted from 0. */
  line: number;
  /** In UTF-16 code units from the start of the line. */
  character: number;
}

/** A part of a document. */
export interface Range {
  /** The first character. */
  start: Position;
  /** Behind the last character. */
  end: Position;
}

/** A part of a document, and which document that is. */
export interface Location {
  /** The document. */
  uri: string;
  /** The part. */
  range: Range;
}

/** A text in the place of another. */
export interface TextEdit {
  /** The text that goes; empty, if something is inserted. */
  range: Range;
  /** The text that comes. */
  newText: string;
}

/** Changes of several documents, by their URIs. */
export interface WorkspaceEdit {
  /** The changes of each document, none of which overlap. */
  changes: Record<string, TextEdit[]>;
}

/** A text in Markdown. */
export interface MarkupContent {
  kind: string;
  /** The text. */
  value: string;
}

/** The explanation of a word. */
export interface Hover {
  /** The explanation. */
  contents: MarkupContent;
  /** The word. */
  range: Range;
}

/** A text that fits where the cursor is. */
export interface CompletionItem {
  /** The text. */
  label: string;
  /** The number of its kind, `CompletionItemKind`. */
  kind: number;
  /** Its parameters or its value. */
  detail?: string | undefined;
  /** Its explanation. */
  documentation?: MarkupContent | undefined;
  /** The change that puts it in. */
  textEdit: TextEdit;
}

/** The operands of the statement or the call that the cursor is in. */
export interface SignatureHelp {
  /** There is one. */
  signatures: [SignatureInformation];
  /** Its number, 0. */
  activeSignature: number;
  /** The number of the operand at the cursor. There may be no such operand. */
  activeParameter: number;
}

/** A statement or a call, as its definition shows it. */
export interface SignatureInformation {
  /** Its name and its operands. */
  label: string;
  /** Its explanation. */
  documentation?: MarkupContent | undefined;
  /** The operands, in order. */
  parameters: ParameterInformation[];
}

/** An operand of a signature. */
export interface ParameterInformation {
  /** Its part of the signature's label: the first UTF-16 code unit, and the one behind the last. */
  label: [number, number];
}

/** Something that is wrong with a document. */
export interface Diagnostic {
  /** Its place. */
  range: Range;
  /** 1 is an error, 2 a warning. */
  severity: number;
  /** The name of the warning. */
  code?: string | undefined;
  /** Who says so: `gray1`. */
  source: string;
  /** What is wrong, and what could be done about it. */
  message: string;
  /** Other places that have to do with it. */
  relatedInformation?: DiagnosticRelatedInformation[] | undefined;
  /** 1 marks what is not used. */
  tags?: number[] | undefined;
}

/** Another place that has to do with a diagnostic. */
export interface DiagnosticRelatedInformation {
  /** The place. */
  location: Location;
  /** What it has to do with it. */
  message: string;
}

/** The colours of a square of the display. */
export type Led = "dark" | "green" | "red" | "yellow";

/** The 8x8 display: a byte of green and one of red a row. */
export interface Display {
  /** Green LEDs by row; bit 0 is the leftmost column. */
  green: number[];
  /** Red LEDs by row; bit 0 is the leftmost column. */
  red: number[];
}

/** A choice of a machine. What it leaves open has its default. */
export interface MachineSpec {
  /** The engine; by default the instruction engine. */
  engine?: string | undefined;
  /** The board, by name or path; by default the stock board. */
  board?: string | undefined;
  /** What data memory, A and C hold at power-up; by default zero. */
  ram?: string | undefined;
  /** The seed of the random delays of the timed engine; by default 0. */
  seed?: number | undefined;
  /**
   * Makes one in so many arrivals of an address wire at a ROM a glitch, on the timed engine; by
   * default none.
   */
  glitch?: number | undefined;
  /** The longest glitch, in ns; by default 24. */
  pulse?: number | undefined;
}

/** A kind of mouse event. */
export type MouseKind = "press" | "drag" | "wheelUp" | "wheelDown";

/** A button of the transport. */
export type Transport = "play" | "pause" | "back" | "forward" | "earlierResult" | "laterResult" | "slower" | "faster" | "reset";

/** The program in the machine, and its hardware: all that does not change while it runs. */
export interface About {
  name: string;
  title: string;
  /** What it does, or how to use it; empty if it does not say so. */
  usage: string;
  /** The meanings of the colours. */
  legend: [Led, string][];
  /** The program's word for one of its results. */
  result: string;
  /** Whether some of its instructions have captions. */
  hasCaptions: boolean;
  readsButtons: boolean;
  /** The name of the engine. */
  engine: string;
  /** The name of the board. */
  board: string;
  /** A remark on these. */
  note: string | null;
  /** The files that the program is made from. */
  files: string[];
  /**
   * A built-in program that finds the results of this game by itself: its name, and the
   * instructions until its first result.
   */
  rival: [string, number] | null;
  /** The message that it shows, empty for its sample; null if it shows none. */
  message: string | null;
  /** The comment with which its source begins. */
  introduction: string;
}

/** The activity of the machine. */
export type MachineStatus = "paused" | "running" | "searching" | "halted";

/** The state of the machine, which may change with every frame. */
export interface MachineState {
  status: MachineStatus;
  now: number;
  start: number;
  end: number;
  /** Whether `end` is where the program halts. */
  isWhole: boolean;
  pace: string;
  leds: Display;
  /** The caption that the program gives to what it does. */
  caption: string;
  /** The number of results shown, the number of all, and the moment of the last. */
  results: [number, number, number];
  /** The number of printed lines. */
  lines: number;
  /** The line that has no end yet. */
  unfinished: string;
  /** The line of the source at which the machine stands, counted from 1. */
  line: number | null;
  /** The lines of the source that have breaks. */
  breaks: number[];
  /** The remark on the last command. */
  remark: string | null;
}

/** The LEDs at the end of a printed line. */
export interface PrintedResult {
  moment: number;
  /** The number of the line, counted from 1. */
  line: number;
  text: string;
  leds: Display;
}

/** Why something is as it is. */
export interface ToldStory {
  /** The moment that was asked about. */
  moment: number;
  sentence: string;
  /** The colour of the LED that was asked about. */
  led: Led | null;
  /** The squares that the sentence speaks of, by row and column. */
  squares: [number, number][];
  /** The steps that matter, the last first. */
  steps: ToldStep[];
  /** All steps that led there. */
  lines: ToldStep[];
}

/** A step of a story. */
export interface ToldStep {
  text: string;
  /** The caption of its instruction. */
  caption: string | null;
  /** How far it is indented. */
  depth: number;
  /** The moment after it, if it has one. */
  moment: number | null;
}

/** The wishes of the panes that the page has to grant. */
export interface PaneWishes {
  /** Whether the user leaves them. */
  leaves: boolean;
  /** The program to start. */
  opens: string | null;
  /** The file to edit, and the line, counted from 1. */
  edits: [string, number] | null;
}

/**
 * What the drawing of the board shows at a moment. Bundles of wires, labels and chips are in the
 * order of the drawing.
 */
export interface BoardReport {
  /** The phase that is shown, T0 to T7. */
  phase: number;
  /** The phase of the machine, which is another one in a preview. */
  present: number;
  /** Where it stands, and what it is. */
  instruction: string;
  /** What happens in this phase; empty if the board does not say so. */
  sentence: string;
  /** The sentence of a tour. */
  tour: string | null;
  /** The ways of the bytes that chips take now: `AS → BUF → RAM`. */
  ways: string[];
  bundles: Mark[];
  labels: ShownWires[];
  chips: ChipReport[];
  chosen: ChosenChip | null;
}

/** The colour of a thing in the drawing. */
export interface Mark {
  /** Whether some of its wires have just moved. */
  hasMoved: boolean;
  /** Whether a byte that a chip takes now goes through it. */
  isOnWay: boolean;
}

/** The label of some wires. */
export interface ShownWires {
  /** The number on them, in hexadecimal. */
  value: string;
  hasMoved: boolean;
}

/** What is written on a chip. */
export interface ChipReport {
  name: string;
  /**
   * The levels of its outputs, and their number; or the strobes that are on; or
   * hyphens if it drives none.
   */
  value: string;
  action: string;
  mark: Mark;
}

/** All of a chip. */
export interface ChosenChip {
  /** Its name, its part and the access time. */
  title: string;
  /** What it is for; empty if the board does not say so. */
  purpose: string;
  /** Why its outputs are what they are. */
  why: string;
  /** Its pins, from pin 1 on. */
  pins: PinReport[];
  /**
   * The row of its contents that it reads: the address, and the bytes, the one that is read in
   * brackets. Null if it is not burned.
   */
  contents: string | null;
}

/** A pin of a chip. */
export interface PinReport {
  number: number;
  /** Its name in data sheets. */
  name: string;
  /** The wire on it; empty if there is none. */
  wire: string;
  level: boolean | null;
  hasMoved: boolean;
}

/** The diagnostics of a file, and its words. */
export interface Edited {
  diagnostics: Diagnostic[];
  /** Line, first character, length and type of each word. */
  tokens: [number, number, number, string][];
}

/** A lesson of a course. */
export interface ShownLesson {
  name: string;
  /** The name of the student's program. */
  file: string;
  title: string;
  page: string;
  /** The number of hints. */
  hints: number;
  skeleton: string;
  /** The best costs of the programs that have solved it. */
  score: string | null;
}

/** A course, and the progress of the student. */
export interface ShownCourse {
  title: string;
  /** The name of its folder; empty for the built-in course. */
  folder: string;
  ending: string;
  lessons: ShownLesson[];
  /** The place of the present lesson, counted from 0. */
  present: number;
  /** The progress to store for the next visit. */
  progress: string;
}

/** Tests or a check: under way, or ended, or neither if there are none. */
export interface JobReport {
  /** The current step of the work. */
  news: string | null;
  outcome: JobOutcome | null;
}

/** The result of tests or a check. */
export interface JobOutcome {
  /** The result as text. */
  text: string;
  passed: boolean;
  /** Whether there is a moment of a failure to go to. */
  leads: boolean;
  /** The LEDs that were expected and those that are lit, in letters, if they are the failure. */
  leds: [string, string] | null;
}

/** The requests, with their answers. */
export interface Requests {
  /** The programs at hand: their names, their titles, empty if they have none, and their groups. */
  programs(): [string, string, string][];
  /**
   * Put a program into a new machine, and let it run, or stand. If it is a new version of the
   * same program, its breaks and watches stay.
   */
  start(program: string, hardware: MachineSpec, paused: boolean): About;
  /** Let a message scroll over the LEDs; the sample if it is empty. */
  write(message: string, hardware: MachineSpec): About;
  /** How many letters fit after this message. Refused in words if it cannot be shown. */
  room(message: string): number;
  /** The names of the boards. */
  boards(): string[];
  /** Everything that changes from frame to frame. */
  state(): MachineState;
  /** The results so far, and those ahead. */
  results(): PrintedResult[];
  /** The printed lines that are kept. */
  output(): string[];
  /** A button of the transport. */
  transport(button: Transport): null;
  /** Go to a moment, or the nearest one that is known. */
  seek(moment: number): null;
  /** Go to a moment, if need be by running there. */
  runTo(moment: number): null;
  /**
   * Why something is as it is at the present moment: `led 4, 3`, or another question that
   * `gray1 why` knows. This stops the machine, and is asked again while the answer is null.
   */
  why(question: string): ToldStory | null;
  /** Set a break on a line of the program's own source, counted from 1, or remove it. */
  toggleBreak(line: number): null;
  /** The buttons of the panel that are held now: their names, joined by `+`; `-` for none. */
  hold(buttons: string): null;
  /** Give the panes this size in cells, and the colours for a light background or a dark one. */
  resize(columns: number, rows: number, light: boolean): null;
  /** Bring the pane of this name to the front. */
  pane(name: string): PaneWishes;
  /** A key for the panes, by its name in browsers. */
  key(key: string, control: boolean, alt: boolean): PaneWishes;
  /** The mouse or a finger on the panes, in this column and this row. */
  mouse(kind: MouseKind, x: number, y: number): PaneWishes;
  /** What the panes tell the user: a note, or why the machine stopped here. */
  note(): string | null;
  /** The lines of the panes, as text. */
  text(): string[];
  /**
   * The board as a drawing: SVG without a style, or null if the board is not wired as the
   * drawing is. The board pane has to be in front.
   */
  drawing(): string | null;
  /**
   * What the drawing shows at the present moment, and all of the chip of this number. Looking
   * ahead, a machine that is paused before an instruction shows a phase in which a byte moves.
   */
  wires(chip: number | null, ahead: boolean): BoardReport | null;
  /** The text of a source, by its name or by its path below `programs/`. */
  source(name: string): string;
  /** Keep the text of a file. */
  keep(name: string, text: string): null;
  /** Forget a file. */
  forget(name: string): null;
  /** Keep the text of a file, and say what is wrong with it and what its words are. */
  edit(name: string, text: string): Edited;
  /** Keep the contents of a chip for a board. */
  keepContents(name: string, base64: string): null;
  /** Forget the contents of a chip. */
  forgetContents(name: string): null;
  /** Explain the word at a place of the source that was edited last. */
  hover(at: Position): Hover | null;
  /** The words that fit there. */
  complete(at: Position): CompletionItem[];
  /** The operands that belong there. */
  signature(at: Position): SignatureHelp | null;
  /** The definition of the name there. */
  definition(at: Position): Location[];
  /** The name there, if it can be replaced by another one. */
  renamable(at: Position): Range;
  /** The changes that replace it in all of the user's own sources that belong together. */
  rename(at: Position, name: string): WorkspaceEdit;
  /** The changes that format the source that was edited last; null if it has errors. */
  format(): TextEdit[] | null;
  /** The EPROM of a program, as Intel HEX. */
  eprom(program: string): string;
  /**
   * Add LEDs to a film, for some hundredths of a second; without LEDs it ends. The answer is the
   * next part of its file, a GIF.
   */
  film(leds: Display | null, duration: number): number[];
  /** A link to the present moment: the fragment of a URL. */
  link(): string;
  /**
   * Open a link: a fragment, or a URL with one. The machine then takes time to get there. A link
   * to a program of another version of the page opens that program at its beginning.
   */
  openLink(text: string): null;
  /** Stay where the machine has come to on the way to the moment of a link. */
  stopOpening(): null;
  /**
   * The moment that the machine has reached on the way to that of a link, and that of the link;
   * null if no link is being opened.
   */
  progress(): [number, number] | null;
  /** The program in the machine. */
  about(): About;
  /**
   * The lessons: those of a folder, whose files have their paths in it, or the built-in ones if
   * the folder has no name. The progress is the one that was kept the last time.
   */
  course(folder: string, files: Record<string, string>, progress: string): ShownCourse;
  /**
   * The paths of the files of a course whose `course.ron` has this text, besides that. Messages
   * call the folder by this name.
   */
  courseFiles(folder: string, text: string): string[];
  /** Go to a lesson. */
  lesson(name: string): ShownCourse;
  /** The next hint of the current lesson, and the course after it. */
  hint(): [string, ShownCourse];
  /** Does a program solve a lesson? This begins the check, which takes time. */
  check(lesson: string, program: string): null;
  /** Begin the tests of a program, or those in a test file. */
  test(name: string, hardware: MachineSpec): null;
  /** The progress of the tests or the check, or the result, which is reported once. */
  job(): JobReport;
  /** Give the tests or the check up. */
  stopJob(): null;
  /** Put the machine at the moment at which the last test or check has failed. */
  failure(): About;
}
