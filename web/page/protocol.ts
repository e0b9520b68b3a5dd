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

/** A request of the page, as JSON: `{"do": "seek", "moment": 12}`. */
export interface Requests {
  /** The programs at hand, with their titles. */
  programs: {};
  /** Put a program into the machine, and let it run, or stand. */
  start: {
    /** Its name. */
    program: string;
    /** What it runs on. */
    hardware?: MachineSpec | undefined;
    /** Whether it stands. */
    paused?: boolean | undefined;
  };
  /** The names of the boards. */
  boards: {};
  /** Everything that changes from frame to frame. */
  state: {};
  /** The results so far, and those ahead. */
  results: {};
  /** The last printed lines. */
  output: {};
  /** A button of the transport. */
  transport: {
    /** Which one. */
    button: Transport;
  };
  /** Go to a moment, or the nearest one that is known. */
  seek: {
    /** The moment. */
    moment: number;
  };
  /** Go to a moment, if need be by running there. */
  runTo: {
    /** The moment. */
    moment: number;
  };
  /**
   * Why something is as it is at the present moment. This stops the machine, and is asked again
   * until there is an answer.
   */
  why: {
    /** What is asked about: `led 4, 3`, or another question that `gray1 why` knows. */
    question: string;
  };
  /** Set a break on a line of the program's own source, or remove it. */
  break: {
    /** The line, counted from 1. */
    line: number;
  };
  /** Hold these buttons of the panel, and release the others. */
  hold: {
    /** Their names, joined by `+`; `-` for none. */
    buttons: string;
  };
  /** Give the panes this size, in cells. */
  resize: {
    /** Cells side by side. */
    columns: number;
    /** Cells one above the other. */
    rows: number;
    /** Whether the background is light. */
    light: boolean;
  };
  /** Bring the pane of this name to the front. */
  pane: {
    /** Its name. */
    name: string;
  };
  /** A key for the panes. */
  key: {
    /** Its name, as browsers call it. */
    key: string;
    /** Whether control was held. */
    control?: boolean | undefined;
    /** Whether alt was held. */
    alt?: boolean | undefined;
  };
  /** The mouse or a finger on the panes. */
  mouse: {
    /** The action. */
    kind: Mouse;
    /** The column. */
    x: number;
    /** The row. */
    y: number;
  };
  /** What the panes tell the user. */
  note: {};
  /** The lines of the panes, as text. */
  text: {};
  /** The board as a drawing: SVG without a style. The board pane has to be in front. */
  drawing: {};
  /** What the drawing shows at the present moment. */
  wires: {
    /** The number of the chip that is looked at. */
    chip: number | null;
  };
  /** The text of a source. */
  source: {
    /** Its name, or its path below `programs/`. */
    name: string;
  };
  /** Keep the text of a file. */
  keep: {
    /** Its name. */
    name: string;
    /** Its text. */
    text: string;
  };
  /** Forget a file. */
  forget: {
    /** Its name. */
    name: string;
  };
  /** Keep the text of a file, and say what is wrong with it and what its words are. */
  edit: {
    /** Its name. */
    name: string;
    /** Its text. */
    text: string;
  };
  /** Keep the contents of a chip for a board. */
  contents: {
    /** The name of the file. */
    name: string;
    /** Its bytes, in base64. */
    base64: string;
  };
  /** Explain the word at a place of the source that was edited last. */
  hover: {
    /** The place. */
    at: Position;
  };
  /** The words that fit there. */
  complete: {
    /** The place. */
    at: Position;
  };
  /** The operands that belong there. */
  signature: {
    /** The place. */
    at: Position;
  };
  /** The definition of the name there. */
  definition: {
    /** The place. */
    at: Position;
  };
  /** The name there, if it can be replaced by another one. */
  renamable: {
    /** The place. */
    at: Position;
  };
  /** The changes that replace it in all of the user's own sources that belong together. */
  rename: {
    /** The place. */
    at: Position;
    /** The new name. */
    name: string;
  };
  /** The changes that format the source that was edited last. */
  format: {};
  /** The EPROM of a program, as Intel HEX. */
  eprom: {
    /** The name of the program. */
    name: string;
  };
  /** A link to the present moment: the fragment of a URL. */
  link: {};
  /** Open a link. The machine is on its way then, which takes time. */
  openLink: {
    /** A fragment, or a URL with one. */
    text: string;
  };
  /** Stay where the machine has come to on the way to the moment of a link. */
  stopOpening: {};
  /** Forget the contents of a chip. */
  forgetContents: {
    /** The name of the file. */
    name: string;
  };
  /** The progress of the link that is being opened, and what it has opened once it has arrived. */
  opening: {};
  /** The lessons: those that are built in, or those of a folder. */
  course: {
    /** The name of the folder; empty for the built-in lessons. */
    folder?: string | undefined;
    /** Its files, by their paths in it. */
    files?: Record<string, string> | undefined;
    /** The progress that was kept the last time; empty if there is none. */
    progress?: string | undefined;
  };
  /** The files of a course whose `course.ron` has this text, besides that. */
  courseFiles: {
    /** The folder, as messages call it. */
    folder: string;
    /** The text. */
    text: string;
  };
  /** Go to a lesson. */
  lesson: {
    /** Its name. */
    name: string;
  };
  /** The next hint of the current lesson. */
  hint: {};
  /** Does a program solve a lesson? This begins the check, which takes time. */
  check: {
    /** The name of the lesson. */
    lesson: string;
    /** The name of the program. */
    program: string;
  };
  /** Begin the tests of a program, or those in a test file. */
  test: {
    /** The name of the program, or of the test file. */
    name: string;
    /** What they run on. */
    hardware?: MachineSpec | undefined;
  };
  /** The progress of the tests or the check, or the result. */
  job: {};
  /** Give the tests or the check up. */
  stopJob: {};
  /** Put the machine at the moment at which the last test or check has failed. */
  failure: {};
}

/** A button of the transport. */
export type Transport = "play" | "pause" | "back" | "forward" | "earlierResult" | "laterResult" | "slower" | "faster" | "reset";

/** An action of the mouse, or of a finger. */
export type Mouse = "press" | "drag" | "wheelUp" | "wheelDown";

/** The answer to the request of the same name. */
export interface Answers {
  programs: ProgramListing[];
  start: About;
  boards: string[];
  state: MachineState;
  results: PrintedResult[];
  output: PrintedLines;
  /** Null while the machine looks for it. */
  why: ToldStory | null;
  pane: PaneWishes;
  key: PaneWishes;
  mouse: PaneWishes;
  /** What the panes tell the user: a note, or why the machine stopped here. */
  note: string | null;
  text: string[];
  /** Null if the board is not wired as the drawing is. */
  drawing: string | null;
  /** Null if the board is not wired as the drawing is. */
  wires: BoardReport | null;
  source: string;
  edit: Edited;
  hover: Hover | null;
  complete: CompletionItem[];
  signature: SignatureHelp | null;
  definition: Location[];
  renamable: Range;
  rename: WorkspaceEdit;
  /** Null if the source has errors. */
  format: TextEdit[] | null;
  eprom: string;
  link: string;
  opening: OpeningReport;
  course: ShownCourse;
  /** Their paths in the folder. */
  courseFiles: string[];
  lesson: ShownCourse;
  hint: ShownHint;
  job: JobReport;
  failure: About;
}

/** A program that can be started. */
export interface ProgramListing {
  name: string;
  title: string;
  /** Whether it is the user's own. */
  isOwn: boolean;
}

/** The program in the machine, and its hardware: all that does not change while it runs. */
export interface About {
  name: string;
  title: string;
  /** What it does, or how to use it; empty if it does not say so. */
  usage: string;
  legend: LegendLine[];
  /** The program's word for one of its results. */
  result: string;
  readsButtons: boolean;
  /** The name of the engine. */
  engine: string;
  /** The name of the board. */
  board: string;
  /** A remark on these. */
  note: string | null;
  /** The files that the program is made from. */
  files: string[];
  /** The source, as it is in the machine. */
  text: string;
}

/** The meaning of a colour. */
export interface LegendLine {
  led: Led;
  text: string;
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
  leds: Leds;
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

/** The LEDs: a byte a row of each colour; bit 0 is the leftmost. */
export interface Leds {
  green: number[];
  red: number[];
}

/** The LEDs at the end of a printed line. */
export interface PrintedResult {
  moment: number;
  /** The number of the line, counted from 1. */
  line: number;
  text: string;
  leds: Leds;
}

/** The printed lines that are kept. */
export interface PrintedLines {
  /** The number of forgotten lines before them. */
  first: number;
  lines: string[];
}

/** Why something is as it is. */
export interface ToldStory {
  /** The moment that was asked about. */
  moment: number;
  sentence: string;
  /** The steps that led there. */
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
  /** Where to edit a file. */
  edits: FileLine | null;
}

/** A line of a file, counted from 1. */
export interface FileLine {
  name: string;
  line: number;
}

/**
 * What the drawing of the board shows at a moment. Bundles of wires, labels and chips are in the
 * order of the drawing.
 */
export interface BoardReport {
  /** The step of the instruction, 0 to 7. */
  phase: number;
  /** Where it stands, and what it is. */
  instruction: string;
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

/** The progress of a link that is being opened. */
export interface OpeningReport {
  /** The moment that the machine has reached, and that of the link; null at the end. */
  progress: [number, number] | null;
  /** The program, at the end. */
  about: About | null;
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

/** A hint, and the course after it. */
export interface ShownHint {
  text: string;
  course: ShownCourse;
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
