// "Run as I type": runs an edited program again after a pause in typing.

import { byId } from "./dom";
import { type Files, isSource } from "./files";
import { type Machine, attempt } from "./machine";
import type { Store } from "./store";

/** The pause in typing after which a changed program runs again, in milliseconds. */
const PAUSE = 600;

export class Again {
  /** The time at which the program runs again. */
  private due = Infinity;

  /** `run` starts a program in the machine. */
  constructor(
    private readonly machine: Machine,
    private readonly store: Store,
    private readonly files: Files,
    private readonly run: (program: string, paused: boolean) => void,
  ) {
    byId("again").addEventListener("click", () => this.switch(!this.isOn));
    this.switch(this.isOn);
  }

  /** True if a program runs again automatically after an edit. */
  get isOn(): boolean {
    return this.store.get("again") !== "";
  }

  private switch(on: boolean): void {
    this.store.set("again", on ? "yes" : "");
    byId("again").ariaPressed = String(on);
  }

  /** Runs the program again after a pause in typing. */
  plan(): void {
    this.due = performance.now() + PAUSE;
  }

  cancel(): void {
    this.due = Infinity;
  }

  /** Runs the program with this edited file again, if the pause is over. */
  update(file: string): void {
    if (performance.now() >= this.due) this.runAgain(file);
  }

  /** Runs the program with this edited file again, without waiting for the pause. */
  hurry(file: string): void {
    if (this.due < Infinity) this.runAgain(file);
  }

  /** Returns true if one of the user's files is part of the program in the machine. */
  isPart(file: string): boolean {
    const { name, files, board } = this.machine.about;
    // A built-in program does not include the user's files.
    const parts = this.files.has(name) ? files : [];
    return [name, board, ...parts].some((part) => this.files.adoptedAs(part) === file);
  }

  /** Runs an edited program again. If the file is part of the program in the machine, that program
   * restarts. A paused program stays paused, and breakpoints are kept. Any other program starts
   * running, unless it is only included by others. */
  private runAgain(file: string): void {
    this.cancel();
    const { program } = this.machine;
    if (!this.isOn || this.machine.isOpening) return;
    const isPart = this.isPart(file);
    if (!isPart && (!isSource(file) || this.files.isIncluded(file))) return;
    const isPaused = this.machine.state().status === "paused";
    const again = isPart ? this.files.adoptedAs(program) : file;
    const staysPaused = isPart && isPaused && !this.files.isShared(program);
    // If another file of the program has an error, the current program continues.
    attempt(() => this.run(again, staysPaused), () => {});
  }
}
