// The machine: an instance of the WebAssembly module, which is replaced after a crash.

import type {
  About, CourseReport, Edited, MachineSpec, MachineState, Requests,
} from "./protocol";

interface Exports {
  memory: WebAssembly.Memory;
  input(bytes: number): number;
  ask(): number;
  output(): number;
  advance(microseconds: number): number;
  draw(): number;
  cells(): number;
}

/** The program to start after a crash if the last one came with a link, because its files are
 * lost. */
const FALLBACK = "queens";

/** The hardware that is used if none is named. */
const USUAL = { engine: "instruction", board: "gray1" };

/** The machine has refused a request. The message is for the user. */
export class Refusal extends Error {}

/** Returns the result of `work`. If the machine refuses a request, returns that of `refused`, which
 * gets the reason. */
export function attempt<T>(work: () => T, refused: (reason: string) => T): T {
  const handle = (error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    return refused(error.message);
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(handle) as T : result;
  } catch (error) {
    return handle(error);
  }
}

export class Machine {
  private exports!: Exports;
  private about_: About | undefined;
  /** True while a link is being opened. */
  isOpening = false;
  /** The user's sources, which a new instance needs after a crash. */
  private readonly own = new Map<string, string>();
  private readonly contents = new Map<string, string>();
  private course: Parameters<Requests["course"]> = ["", {}, ""];
  /** The last known moment, which a new instance returns to after a crash. */
  private moment = 0;
  /** Called after a crash, when another instance has continued at the same moment. */
  onRestart: () => void = () => {};

  constructor(private readonly module: WebAssembly.Module) {
    this.instantiate();
  }

  private instantiate(): void {
    const instance = new WebAssembly.Instance(this.module, {});
    this.exports = instance.exports as unknown as Exports;
  }

  /** Creates a second machine, which can run while this one stays at its moment. */
  another(): Machine {
    return new Machine(this.module);
  }

  get about(): About {
    if (!this.about_) throw new Error("no program has been started");
    return this.about_;
  }

  /** The name of the program, or an empty string. */
  get program(): string {
    return this.about_?.name ?? "";
  }

  /** The title of the program, or the message that it shows. */
  get title(): string {
    return this.about.message || this.about.title;
  }

  /** Sends a request. Throws a `Refusal` if the machine refuses it. */
  ask<Name extends keyof Requests>(
    name: Name, ...given: Parameters<Requests[Name]>
  ): ReturnType<Requests[Name]> {
    const answer = this.guarded(() => this.raw(name, ...given));
    if (answer !== null && typeof answer === "object" && "error" in answer) {
      throw new Refusal(String(answer.error));
    }
    return answer;
  }

  private raw<Name extends keyof Requests>(
    name: Name, ...given: Parameters<Requests[Name]>
  ): ReturnType<Requests[Name]> {
    const bytes = new TextEncoder().encode(JSON.stringify([name, ...given]));
    const at = this.exports.input(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    const length = this.exports.ask();
    const answer = new Uint8Array(this.exports.memory.buffer, this.exports.output(), length);
    return JSON.parse(new TextDecoder().decode(answer));
  }

  /** The engine and the board in use. */
  get hardware(): MachineSpec {
    return { engine: this.about_?.engine, board: this.about_?.board };
  }

  /** Starts a program from its beginning, running or paused. */
  start(program: string, hardware = this.hardware, paused = false): void {
    this.about_ = this.ask("start", program, hardware, paused);
    [this.moment, this.isOpening] = [0, false];
  }

  /** Returns the contents of a file, if it exists. */
  source(name: string): string | undefined {
    try {
      return this.ask("source", name);
    } catch {
      return undefined;
    }
  }

  /** Starts the program that scrolls a message over the LEDs. */
  write(message: string): void {
    this.about_ = this.ask("write", message, this.hardware);
    [this.moment, this.isOpening] = [0, false];
  }

  /** Starts the tests of a file. The engine and the board that the user chose take precedence. */
  test(name: string): void {
    const { engine, board } = this.hardware;
    const chosen = {
      engine: engine === USUAL.engine ? undefined : engine,
      board: board === USUAL.board ? undefined : board,
    };
    this.ask("test", name, chosen);
  }

  /** Moves the machine to the moment at which the last test or check failed. */
  goToFailure(): void {
    this.about_ = this.ask("failure");
    this.isOpening = false;
  }

  enterCourse(...course: Parameters<Requests["course"]>): CourseReport {
    const answer = this.ask("course", ...course);
    this.course = course;
    return answer;
  }

  /** Starts to open a link. */
  open(link: string): void {
    this.ask("openLink", link);
    this.isOpening = true;
  }

  /** Returns the progress of the link that is being opened, or `true` once it has arrived. */
  updateOpening(): true | [now: number, at: number] | undefined {
    if (!this.isOpening) return undefined;
    const progress = this.ask("progress");
    if (progress) return progress;
    this.isOpening = false;
    this.about_ = this.ask("about");
    return true;
  }

  state(): MachineState {
    const state = this.ask("state");
    this.moment = state.now;
    return state;
  }

  /** Stores one of the user's files. */
  keep(name: string, text: string): void {
    this.own.set(name, text);
    this.ask("keep", name, text);
  }

  /** Stores the contents of a chip. */
  keepContents(name: string, base64: string): void {
    this.contents.set(name, base64);
    this.ask("keepContents", name, base64);
  }

  forgetContents(name: string): void {
    this.contents.delete(name);
    this.ask("forgetContents", name);
  }

  forget(name: string): void {
    this.own.delete(name);
    this.ask("forget", name);
  }

  /** Analyses a source. Stores it if it is one of the user's files. */
  edit(name: string, text: string, isOwn: boolean): Edited {
    if (isOwn) this.own.set(name, text);
    return this.ask("edit", name, text);
  }

  /** Advances time, and works for at most `budget` milliseconds. */
  advance(elapsed: number, budget: number): void {
    const end = performance.now() + budget;
    this.guarded(() => {
      let more = this.exports.advance(Math.round(elapsed * 1000));
      while (more && performance.now() < end) more = this.exports.advance(0);
    });
  }

  /** Draws the panes. The cells are valid until the next call. */
  draw(): Uint32Array {
    return this.guarded(() => {
      const length = this.exports.draw();
      return new Uint32Array(this.exports.memory.buffer, this.exports.cells(), length);
    });
  }

  /** Returns true if a program can be started by its name. */
  private has(program: string): boolean {
    return this.raw("programs").some(([name]) => name === program);
  }

  /** Runs `work`. If the instance crashes, replaces it with a new one that has the user's files. */
  private guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (trap) {
      if (!(trap instanceof WebAssembly.RuntimeError)) throw trap;
      const [program, before] = [this.about_?.name, this.moment];
      this.instantiate();
      this.isOpening = false;
      for (const [name, text] of this.own) this.raw("keep", name, text);
      for (const [name, base64] of this.contents) this.raw("keepContents", name, base64);
      this.raw("course", ...this.course);
      if (this.about_?.message) this.raw("write", this.about_.message, USUAL);
      if (program !== undefined) {
        const isKnown = this.has(program);
        const hardware = isKnown ? this.hardware : USUAL;
        this.about_ = this.raw("start", isKnown ? program : FALLBACK, hardware, false);
        for (let n = 0; n < 10_000 && this.exports.advance(0); n++);
        if (isKnown) this.raw("seek", before);
      }
      this.onRestart();
      const isBack = program === undefined || this.raw("state").now === before;
      const where = !isBack ? "It could not go back to where it was."
        : this.about_?.readsButtons ? "It is at the same moment, without the buttons that were pressed."
        : "It is where it was before.";
      throw new Refusal(`The machine was restarted. ${where}`);
    }
  }
}
