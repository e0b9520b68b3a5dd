// The requests and the answers of the machine: the other side is web/src/request.rs.

export type Engine = "instruction" | "chips" | "timed";
export type Led = "dark" | "green" | "red" | "yellow";
export type Button =
  | "play" | "pause" | "back" | "forward" | "earlierResult" | "laterResult"
  | "slower" | "faster" | "reset";

/** A byte a row of each colour; bit 0 is the leftmost LED. */
export interface Leds {
  green: number[];
  red: number[];
}

/** What a program runs on; what is left out has its default. */
export interface Hardware {
  engine?: Engine | undefined;
  board?: string | undefined;
}

export interface About {
  name: string;
  title: string;
  legend: { led: Led; text: string }[];
  /** The program's word for one of its results. */
  result: string;
  readsButtons: boolean;
  engine: Engine;
  /** The name of the board. */
  board: string;
  /** What is to be said about these. */
  note: string | null;
  /** The files that the program is made from. */
  files: string[];
  /** The source, as it is in the machine. */
  text: string;
}

export interface State {
  status: "paused" | "running" | "searching" | "halted";
  now: number;
  start: number;
  end: number;
  isWhole: boolean;
  pace: string;
  leds: Leds;
  caption: string;
  /** How many results are shown, how many there are, and the moment of the last. */
  results: [shown: number, count: number, moment: number];
  lines: number;
  /** The line of the source at which the machine stands, and those with breaks; from 1. */
  line: number | null;
  breaks: number[];
  remark: string | null;
  held: string[];
}

export interface Result {
  moment: number;
  line: number;
  text: string;
  leds: Leds;
}

export interface Program {
  name: string;
  title: string;
  isOwn: boolean;
}

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Location {
  uri: string;
  range: Range;
}

export interface TextEdit {
  range: Range;
  newText: string;
}

export interface WorkspaceEdit {
  changes: Record<string, TextEdit[]>;
}

export interface MarkupContent {
  value: string;
}

export interface Diagnostic {
  range: Range;
  severity: number;
  code?: string;
  message: string;
  relatedInformation?: { location: Location; message: string }[];
}

export interface Edited {
  diagnostics: Diagnostic[];
  tokens: [line: number, character: number, length: number, type: string][];
}

export interface Hover {
  contents: MarkupContent;
  range: Range;
}

export interface CompletionItem {
  label: string;
  kind: number;
  detail?: string;
  documentation?: MarkupContent;
  textEdit: TextEdit;
}

export interface SignatureHelp {
  signatures: { label: string; parameters: { label: [number, number] }[] }[];
  activeParameter: number;
}

export interface Lesson {
  name: string;
  /** The name of the student's program. */
  file: string;
  title: string;
  page: string;
  /** How many hints there are. */
  hints: number;
  skeleton: string;
  /** The best costs of the programs that have solved it. */
  score: string | null;
}

export interface Course {
  title: string;
  /** The name of its folder; empty for the built-in course. */
  folder: string;
  ending: string;
  lessons: Lesson[];
  /** The place of the present lesson. */
  present: number;
  bar: string;
  /** What is to be kept for the next time. */
  progress: string;
}

/** The result of tests or a check. */
export interface Outcome {
  text: string;
  passed: boolean;
  /** Whether there is a moment of a failure to go to. */
  leads: boolean;
}

export type Job = { news: string; outcome?: undefined } | { outcome: Outcome } | null;

/** What the panes ask of the page. */
export interface Wishes {
  leaves?: boolean;
  opens?: string;
  edits?: { name: string; line: number };
}

/** A request without an answer worth a look has the answer `unknown`. */
export interface Answers {
  programs: Program[];
  start: About;
  state: State;
  results: Result[];
  output: { first: number; lines: string[] };
  transport: unknown;
  seek: unknown;
  runTo: unknown;
  hold: unknown;
  break: unknown;
  resize: unknown;
  pane: unknown;
  key: Wishes;
  mouse: Wishes;
  text: string[];
  source: string;
  edit: Edited;
  keep: unknown;
  forget: unknown;
  contents: unknown;
  boards: string[];
  renamable: Range;
  rename: WorkspaceEdit;
  hover: Hover | null;
  complete: CompletionItem[] | null;
  signature: SignatureHelp | null;
  definition: Location[] | null;
  format: TextEdit[] | null;
  eprom: string;
  link: string;
  openLink: unknown;
  opening: { progress: [now: number, at: number] } | { progress?: undefined; about: About };
  course: Course;
  courseFiles: string[];
  lesson: Course;
  hint: { text: string; course: Course };
  check: unknown;
  test: unknown;
  job: Job;
  stopJob: unknown;
  failure: About;
}
