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
  /** The position after the last character. */
  end: Position;
}

/** A part of a document, with the document's URI. */
export interface Location {
  uri: string;
  range: Range;
}

/** A replacement of a part of a document. */
export interface TextEdit {
  /** The part to replace. Empty for an insertion. */
  range: Range;
  /** The replacement. */
  newText: string;
}

/** Changes of several documents, by their URIs. */
export interface WorkspaceEdit {
  /** The changes of each document. They do not overlap. */
  changes: Record<string, TextEdit[]>;
}

/** A string in Markdown. */
export interface MarkupContent {
  kind: string;
  value: string;
}

/** The explanation of a word. */
export interface Hover {
  contents: MarkupContent;
  /** The word in the document. */
  range: Range;
}

/** A proposed completion at the cursor. */
export interface CompletionItem {
  /** The string shown in the list. */
  label: string;
  /** The number of its kind, `CompletionItemKind`. */
  kind: number;
  /** Its parameters or its value. */
  detail?: string | undefined;
  /** Its explanation. */
  documentation?: MarkupContent | undefined;
  /** The change that inserts it. */
  textEdit: TextEdit;
}

/** The signature of the statement or the call at the cursor. */
export interface SignatureHelp {
  /** Always one. */
  signatures: [SignatureInformation];
  /** Always 0, the index of the only signature. */
  activeSignature: number;
  /** The index of the operand at the cursor. It may be past the last operand. */
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
  /** Its range in the signature's label: the first UTF-16 code unit, and the one after the last. */
  label: [number, number];
}

/** An edit that applies the suggestion of a diagnostic. Only the web page uses this form. */
export interface Fix {
  /** What it does, such as ``Change `3` to `#3` ``. */
  title: string;
  /** The document that it changes. */
  uri: string;
  edit: TextEdit;
}

/** An error or a warning in a document. */
export interface Diagnostic {
  /** Its place. */
  range: Range;
  /** 1 is an error, 2 a warning. */
  severity: number;
  /** The name of the warning. */
  code?: string | undefined;
  /** The tool that reports it: `gray1`. */
  source: string;
  /** The message, with the help. */
  message: string;
  /**
   * The notes with a place that the client can show, including the macro calls and includes that
   * led to the problem.
   */
  relatedInformation?: DiagnosticRelatedInformation[] | undefined;
  /** 1 marks unused code. */
  tags?: number[] | undefined;
}

/** A place that is related to a diagnostic. */
export interface DiagnosticRelatedInformation {
  location: Location;
  /** How it is related. */
  message: string;
}

/** The colour of a square of the display, which has a green and a red LED. */
export type Led = "dark" | "green" | "red" | "yellow";

/** The state of the 8x8 display. Each row has a byte of green and a byte of red LEDs. */
export interface Display {
  /** The green LEDs by row. Bit 0 is the leftmost column. */
  green: number[];
  /** The red LEDs by row. Bit 0 is the leftmost column. */
  red: number[];
}

/** A part of a chip's contents. */
export interface Lookup {
  /** The parts of the contents that can be shown, such as opcodes. Empty if there is only one. */
  views: string[];
  /** The part that is shown. */
  view: number;
  /** What the rows stand for, with the labels of the rows. */
  rows: LookupAxis;
  /** What the columns stand for, with the labels of the columns. */
  columns: LookupAxis;
  /** The cells, row by row. */
  cells: LookupCell[];
  /** The index of the cell that the chip reads now. Null if it is not in this part. */
  present: number | null;
  /** The names and levels of the wires that also belong to the address. */
  others: string;
  /**
   * A sentence about any cell. `{row}`, `{column}`, `{cell}` and `{address}` stand for its
   * labels, its text and its address.
   */
  reading: string;
  /** A sentence about the order of the cells. May be empty. */
  remark: string;
  /** For a counter, the number of its codes and the number of the present code. */
  ring: [number, number] | null;
  /** The number of addresses at which the table shows the present cell with the same byte. */
  alike: number;
}

/** The rows or the columns of a table. */
export interface LookupAxis {
  /** What they stand for. */
  name: string;
  labels: string[];
}

/** A byte of the contents. */
export interface LookupCell {
  /** The address: a bit for each address pin, of which pin 0 is the lowest. */
  address: number;
  /** The meaning of the byte, such as a hexadecimal digit with a `+` for a carry. */
  text: string;
}

/** The user's choice of a machine. Omitted settings have their defaults. */
export interface MachineSpec {
  /** The engine. The default is the instruction engine. */
  engine?: string | undefined;
  /** The name or path of the board. The default is the stock board. */
  board?: string | undefined;
  /** The contents of data memory, A and C at power-up. The default is zero. */
  ram?: string | undefined;
  /** The seed for random delays of the timed engine. The default is 0. */
  seed?: number | undefined;
  /**
   * The probability of a glitch on the timed engine, as one in this many changes of an address
   * wire at a ROM. There are none by default.
   */
  glitch?: number | undefined;
  /** The maximum length of a glitch, in ns. The default is 24. */
  pulse?: number | undefined;
}

/** A kind of mouse event. */
export type MouseKind = "press" | "drag" | "wheelUp" | "wheelDown";

/** A button of the transport. */
export type Transport = "play" | "pause" | "back" | "forward" | "earlierResult" | "laterResult" | "slower" | "faster" | "reset";

/** The program in the machine and its hardware, which do not change while it runs. */
export interface About {
  name: string;
  title: string;
  /** A description of the program, or instructions for its use. Empty if there is none. */
  usage: string;
  /** The meanings of the colours. */
  legend: [Led, string][];
  /** The program's name for one of its results. */
  result: string;
  /** True if some of its instructions have captions. */
  hasCaptions: boolean;
  readsButtons: boolean;
  /** The name of the engine. */
  engine: string;
  /** The name of the board. */
  board: string;
  /** The name of the sound board, if this is a copy with changed contents. */
  soundBoard: string | null;
  /** A note about the engine and the board. */
  note: string | null;
  /** The source files of the program. */
  files: string[];
  /** A built-in program that solves this game automatically. */
  rival: Rival | null;
  /**
   * The message that it shows. Empty for the sample message, null if the program does not show
   * messages.
   */
  message: string | null;
  /** The comment at the start of the source. */
  introduction: string;
}

/** A program that solves a game automatically. */
export interface Rival {
  name: string;
  /** The number of instructions until its first result. */
  instructions: number;
  /** The time that they take at the speed of a game, in seconds. */
  seconds: number;
}

/** The activity of the machine. */
export type MachineStatus = "paused" | "running" | "searching" | "halted";

/** The state of the machine, which can change in every frame. */
export interface MachineState {
  status: MachineStatus;
  now: number;
  start: number;
  end: number;
  /** True if the program halts at `end`. */
  isWhole: boolean;
  pace: string;
  leds: Display;
  /** The caption of the current instruction. */
  caption: string;
  /**
   * The number of results that are kept, the number of all known results, and the moment of the
   * last one.
   */
  results: [number, number, number];
  /** The number of printed lines. */
  lines: number;
  /** The line that is being printed. */
  unfinished: string;
  /** The current line of the source, counted from 1. */
  line: number | null;
  /** The lines of the source that have breakpoints. */
  breaks: number[];
  /** The response to the last command. */
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

/** The explanation of an LED, byte or register. */
export interface ExplanationReport {
  /** The moment of the question. */
  moment: number;
  sentence: string;
  /** The colour of the LED in the question. */
  led: Led | null;
  /** The squares that the sentence mentions, by row and column. */
  squares: [number, number][];
  /** The important steps, the last one first. */
  steps: ExplanationStep[];
  /** All steps that led to the value. */
  lines: ExplanationStep[];
}

/** A step of an explanation. */
export interface ExplanationStep {
  text: string;
  /** The caption of its instruction. */
  caption: string | null;
  /** The level of indentation. */
  depth: number;
  /** The moment after the step, if it has one. */
  moment: number | null;
}

/** The message of the panes. */
export interface PaneNote {
  text: string;
  /** True if it is the reason why the machine stopped, as the debugger says it. */
  isReason: boolean;
  /** The line that the program has just printed, if the machine stopped at its end. */
  printed: string | null;
}

/** Requests of the panes that only the page can carry out. */
export interface PaneRequests {
  /** True if the user leaves the panes. */
  leaves: boolean;
  /** The program to start. */
  opens: string | null;
  /** The file to edit, and the line, counted from 1. */
  edits: [string, number] | null;
}

/**
 * The contents of the board drawing at a moment. Buses, labels and chips are in the order of the
 * drawing.
 */
export interface BoardReport {
  /** The phase that is shown, from T0 to T7. */
  phase: number;
  /** The current phase of the machine. It differs from `phase` in a preview. */
  present: number;
  /** The address and the instruction. */
  instruction: string;
  /** A description of this phase. Empty if the board has none. */
  sentence: string;
  /** The sentence of a tour. */
  tour: string | null;
  /** The paths of the bytes that chips receive now, such as `AS → BUF → RAM`. */
  paths: string[];
  bundles: Mark[];
  labels: LabelReport[];
  chips: ChipReport[];
  chosen: ChipDetails | null;
}

/** The state of a part of the drawing, which decides its colour. */
export interface Mark {
  /** True if some of its wires have just changed. */
  hasMoved: boolean;
  /** True if it is on the path of a byte that a chip receives now. */
  isOnPath: boolean;
}

/** The label of some wires. */
export interface LabelReport {
  /** The number on the wires, in hexadecimal. */
  value: string;
  hasMoved: boolean;
}

/** The label of a chip. */
export interface ChipReport {
  name: string;
  /**
   * The levels of its outputs in binary and hexadecimal. Hyphens if it drives no wire. For the
   * control table, the active strobes.
   */
  value: string;
  action: string;
  mark: Mark;
}

/** The details of the selected chip. */
export interface ChipDetails {
  /** Its name, its part and its access time. */
  title: string;
  /** Its purpose. Empty if the board does not state it. */
  purpose: string;
  /** The reason for the levels of its outputs. */
  why: string;
  /** Its pins, starting with pin 1. */
  pins: PinReport[];
  /** Its contents as a table. Null for a logic part. */
  lookup: Lookup | null;
  /** Why its contents cannot be changed. Empty if they can. */
  fixed: string;
}

/** A new byte for a cell of a chip's table. */
export interface CellChange {
  /** The number of the chip. */
  chip: number;
  /** The part of the contents that is shown. */
  view: number;
  address: number;
  byte: number;
  /** True to change all addresses at which the table shows the same cell. */
  all: boolean;
}

/** A pin of a chip. */
export interface PinReport {
  number: number;
  /** The name in data sheets. */
  name: string;
  /** The wire on the pin. Empty if it is not connected. */
  wire: string;
  level: boolean | null;
  hasMoved: boolean;
}

/** The diagnostics and the semantic tokens of a file. */
export interface Edited {
  diagnostics: Diagnostic[];
  /** The fix for the first error, or for the first warning if there is no error. */
  fix: Fix | null;
  /** The line, first character, length and type of each token. */
  tokens: [number, number, number, string][];
}

/** A lesson of a course. */
export interface LessonReport {
  name: string;
  /** The name of the file with the student's program. */
  file: string;
  title: string;
  page: string;
  /** The number of hints. */
  hints: number;
  skeleton: string;
  /** The lowest costs of the student's programs that solved it. */
  score: string | null;
}

/** A course, and the student's progress. */
export interface CourseReport {
  title: string;
  /** The name of the folder. Empty for the built-in course. */
  folder: string;
  ending: string;
  lessons: LessonReport[];
  /** The index of the current lesson. */
  present: number;
  /** The progress to store for the next visit. */
  progress: string;
}

/** The state of tests or a check: in progress, finished, or neither if none was started. */
export interface JobReport {
  /** A description of the current step. */
  news: string | null;
  outcome: JobOutcome | null;
}

/** The result of tests, a check, a comparison or a proof. */
export interface JobOutcome {
  /** The result as text. */
  text: string;
  /** The result in the words of the debugger, if `text` explains it for beginners. */
  details: string | null;
  passed: boolean;
  /** True if the user can go to the moment of a failure. */
  leads: boolean;
  /** The expected and the actual LEDs in letters, if they are the reason for the failure. */
  leds: [string, string] | null;
  /** A link to the moment on the chips that a comparison has found. */
  link: string | null;
}

/** The requests, with their answers. */
export interface Requests {
  /** Returns all programs: their names, their titles (empty if there is none), and their groups. */
  programs(): [string, string, string][];
  /**
   * Starts a program in a new machine, running or paused. Breakpoints and watches are kept if it
   * is a new version of the same program.
   */
  start(program: string, hardware: MachineSpec, paused: boolean): About;
  /**
   * Starts the program that scrolls a message over the LEDs. For an empty string, the program
   * shows its sample message.
   */
  write(message: string, hardware: MachineSpec): About;
  /**
   * Returns how many more letters fit after this message, and the characters of it that the LEDs
   * cannot show, each with what stands for it. That is empty for one that is left out. Fails
   * with a reason if the message is too long.
   */
  room(message: string): [number, [string, string][]];
  /** Returns the names of the boards. */
  boards(): string[];
  /** Returns the state that can change in every frame. */
  state(): MachineState;
  /** Returns all known results, including later ones that the lookahead has found. */
  results(): PrintedResult[];
  /** Returns the printed lines that are kept. */
  output(): string[];
  /** Presses a button of the transport. */
  transport(button: Transport): null;
  /** Goes to a moment, or to the nearest known one. */
  seek(moment: number): null;
  /** Goes to a moment, running to it if necessary. */
  runTo(moment: number): null;
  /**
   * Explains an LED, byte or register at the current moment. The question is `led 4, 3` or any
   * other that `gray1 why` accepts. The machine stops. While the answer is null, ask again.
   */
  why(question: string): ExplanationReport | null;
  /** Sets or removes a breakpoint at a line of the program's main source, counted from 1. */
  toggleBreak(line: number): null;
  /** Holds exactly these buttons of the panel. Their names are joined by `+`, and `-` means none. */
  hold(buttons: string): null;
  /** Sets the size of the panes in cells, and their colours for a light or dark background. */
  resize(columns: number, rows: number, light: boolean): null;
  /** Shows the pane with this name. */
  pane(name: string): PaneRequests;
  /** Sends a key to the panes, by its name in browsers. */
  key(key: string, control: boolean, alt: boolean): PaneRequests;
  /** Sends an event of the mouse or a finger to the panes, at this column and row. */
  mouse(kind: MouseKind, x: number, y: number): PaneRequests;
  /** Returns the message of the panes: a note, or the reason why the machine stopped. */
  note(): PaneNote | null;
  /** Returns the lines of the panes as text. */
  text(): string[];
  /**
   * Returns the board drawing as SVG without styles, or null if the board's wiring differs from
   * the drawing. The board pane must be visible.
   */
  drawing(): string | null;
  /**
   * Returns the contents of the drawing at the current moment, and the details of the selected
   * chip, with the part `view` of its table. If `ahead` is true, a machine that is paused before
   * an instruction shows a phase in which a byte moves.
   */
  wires(chip: number | null, ahead: boolean, view: number | null): BoardReport | null;
  /** Returns the contents of a source, by its name or by its path below `programs/`. */
  source(name: string): string;
  /** Stores the contents of a file. */
  keep(name: string, text: string): null;
  /** Deletes a file. */
  forget(name: string): null;
  /** Stores the contents of a file, and returns its diagnostics and its semantic tokens. */
  edit(name: string, text: string): Edited;
  /** Stores the contents of a chip for a board. */
  keepContents(name: string, base64: string): null;
  /** Deletes the contents of a chip. */
  forgetContents(name: string): null;
  /** Explains the word at a position of the source that was edited last. */
  hover(at: Position): Hover | null;
  /** Returns the words that can be typed at a position. */
  complete(at: Position): CompletionItem[];
  /** Returns the signature of the statement or call at a position. */
  signature(at: Position): SignatureHelp | null;
  /** Returns the definitions of the name at a position. */
  definition(at: Position): Location[];
  /** Returns the range of the name at a position, if it can be renamed. */
  renamable(at: Position): Range;
  /**
   * Returns the edits that rename the name at a position in all of the user's sources that use
   * it.
   */
  rename(at: Position, name: string): WorkspaceEdit;
  /** Returns the edits that format the source that was edited last, or null if it has errors. */
  format(): TextEdit[] | null;
  /** Returns the EPROM of a program as Intel HEX. */
  eprom(program: string): string;
  /**
   * Adds a frame with these LEDs to a film, for a duration in hundredths of a second. Without
   * LEDs, the film ends. Returns the next part of the GIF file.
   */
  film(leds: Display | null, duration: number): number[];
  /** Returns a link to the current moment, as the fragment of a URL. */
  link(): string;
  /**
   * Opens a link, given as a fragment or a URL. The machine then takes time to get to the
   * moment. If the program has changed since the link was made, opens it at its beginning.
   */
  openLink(text: string): null;
  /** Stops at the moment that the machine has reached while opening a link. */
  stopOpening(): null;
  /**
   * Returns the moment that the machine has reached while opening a link, and the moment of the
   * link. Null if no link is being opened.
   */
  progress(): [number, number] | null;
  /** Returns the program in the machine. */
  about(): About;
  /**
   * Opens a course. `files` has the files of the folder, by their paths within it. An empty
   * folder name opens the built-in course. `progress` is the progress that was stored at the
   * last visit.
   */
  course(folder: string, files: Record<string, string>, progress: string): CourseReport;
  /**
   * Returns the paths of the other files of a course, given the contents of its `course.ron`.
   * `folder` is its name in messages.
   */
  courseFiles(folder: string, text: string): string[];
  /** Makes a lesson the current one. */
  lesson(name: string): CourseReport;
  /** Returns the next hint of the current lesson, and the state of the course after it. */
  hint(): [string, CourseReport];
  /** Starts to check whether a program solves a lesson. The check takes time. */
  check(lesson: string, program: string): null;
  /** Starts the tests of a program, or those in a test file. */
  test(name: string, hardware: MachineSpec): null;
  /**
   * Starts to compare the run of the program on the instructions with the run on the chips, or
   * on a copy of the board with a changed cell. This takes time.
   */
  compare(change: CellChange | null): null;
  /** Starts to prove what the program does for every content of memory, A and C at power-up. */
  prove(): null;
  /**
   * Returns the progress of the tests or the check. At the end, returns their result, but only
   * once.
   */
  job(): JobReport;
  /** Stops the tests or the check. Returns what a comparison or a proof has found so far. */
  stopJob(): string | null;
  /** Moves the machine to the moment at which the last test or check failed. */
  failure(): About;
}
