// The machine: an instance of the WebAssembly module, and a new one where one has died.

import type {
  About, Edited, MachineSpec, MachineState, Requests, ShownCourse,
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

/** The program that takes the place of one that came with a link and went with its instance. */
const FALLBACK = "queens";

/** What is meant if nothing is named. */
const USUAL = { engine: "instruction", board: "gray1" };

/** A request that the machine has refused, in words for the user. */
export class Refusal extends Error {}

export class Machine {
  private exports!: Exports;
  private about_: About | undefined;
  private opens = false;
  /** The user's own sources, which a new instance has to be told again. */
  private readonly own = new Map<string, string>();
  private readonly contents = new Map<string, string>();
  private course: Parameters<Requests["course"]> = ["", {}, ""];
  /** The moment that was seen last, for a new instance. */
  private moment = 0;
  /** Called after an instance has died and another one stands where it stood. */
  onRestart: () => void = () => {};

  constructor(private readonly module: WebAssembly.Module) {
    this.instantiate();
  }

  private instantiate(): void {
    const instance = new WebAssembly.Instance(this.module, {});
    this.exports = instance.exports as unknown as Exports;
  }

  /** Another machine, which plays while this one stays where it is. */
  another(): Machine {
    return new Machine(this.module);
  }

  /** The program in the machine. */
  get about(): About {
    if (!this.about_) throw new Error("no program has been started");
    return this.about_;
  }

  /** The name of the program, if there is one. */
  get program(): string {
    return this.about_?.name ?? "";
  }

  /** Asks; a refusal is an exception. */
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

  /** Whether a link is being opened. */
  get isOnTheWay(): boolean {
    return this.opens;
  }

  /** Starts a program, from its beginning; it runs, or stands. */
  start(program: string, hardware = this.hardware, paused = false): void {
    this.about_ = this.ask("start", program, hardware, paused);
    [this.moment, this.opens] = [0, false];
  }

  /** The text of a file, if it is there. */
  source(name: string): string | undefined {
    try {
      return this.ask("source", name);
    } catch {
      return undefined;
    }
  }

  /** Lets a message scroll over the LEDs. */
  write(message: string): void {
    this.about_ = this.ask("write", message, this.hardware);
    [this.moment, this.opens] = [0, false];
  }

  /** Begins the tests of a file. An engine or a board that was chosen counts more than the tests. */
  test(name: string): void {
    const { engine, board } = this.hardware;
    const chosen = {
      engine: engine === USUAL.engine ? undefined : engine,
      board: board === USUAL.board ? undefined : board,
    };
    this.ask("test", name, chosen);
  }

  /** Takes the machine to where the last tests or the last check have failed. */
  goToFailure(): void {
    this.about_ = this.ask("failure");
    this.opens = false;
  }

  /** Opens a course. */
  enterCourse(...course: Parameters<Requests["course"]>): ShownCourse {
    const answer = this.ask("course", ...course);
    this.course = course;
    return answer;
  }

  /** Sets out for the moment of a link. */
  open(link: string): void {
    this.ask("openLink", link);
    this.opens = true;
  }

  /** Stays where the machine has come to on the way to the moment of a link. */
  stopOpening(): void {
    this.ask("stopOpening");
  }

  /** The progress of a link that is being opened; `true` once it has arrived. */
  arrives(): true | [now: number, at: number] | undefined {
    if (!this.opens) return undefined;
    const progress = this.ask("progress");
    if (progress) return progress;
    this.opens = false;
    this.about_ = this.ask("about");
    return true;
  }

  state(): MachineState {
    const state = this.ask("state");
    this.moment = state.now;
    return state;
  }

  /** Keeps a file of the user's. */
  keep(name: string, text: string): void {
    this.own.set(name, text);
    this.ask("keep", name, text);
  }

  /** Keeps the contents of a chip. */
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

  /** Says what is wrong with a text; one of the user's is kept. */
  edit(name: string, text: string, isOwn: boolean): Edited {
    if (isOwn) this.own.set(name, text);
    return this.ask("edit", name, text);
  }

  /** Lets time pass, and works for so many milliseconds at most. */
  advance(elapsed: number, budget: number): void {
    const end = performance.now() + budget;
    this.guarded(() => {
      let more = this.exports.advance(Math.round(elapsed * 1000));
      while (more && performance.now() < end) more = this.exports.advance(0);
    });
  }

  /** The cells of the panes; valid until the next call. */
  draw(): Uint32Array {
    return this.guarded(() => {
      const length = this.exports.draw();
      return new Uint32Array(this.exports.memory.buffer, this.exports.cells(), length);
    });
  }

  /** Whether a program can be started again by its name. */
  private has(program: string): boolean {
    return this.raw("programs").some(([name]) => name === program);
  }

  /** After a trap an instance is dead. Another one takes over with what the user had. */
  private guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (trap) {
      if (!(trap instanceof WebAssembly.RuntimeError)) throw trap;
      const program = this.about_?.name;
      this.instantiate();
      this.opens = false;
      for (const [name, text] of this.own) this.raw("keep", name, text);
      for (const [name, base64] of this.contents) this.raw("keepContents", name, base64);
      this.raw("course", ...this.course);
      if (this.about_?.message) this.raw("write", this.about_.message, USUAL);
      if (program !== undefined) {
        const isKnown = this.has(program);
        const hardware = isKnown ? this.hardware : USUAL;
        this.about_ = this.raw("start", isKnown ? program : FALLBACK, hardware, false);
        for (let n = 0; n < 10_000 && this.exports.advance(0); n++);
        if (isKnown) this.raw("seek", this.moment);
      }
      this.onRestart();
      throw new Refusal("The machine had to be started again; it stands where it stood.");
    }
  }
}
