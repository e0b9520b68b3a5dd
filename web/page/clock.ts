// The clock of a puzzle: the player's time, and the time that a solving program needs.

import { announce, byId, setText } from "./dom";
import type { About, MachineState } from "./protocol";

/** The maximum time that is counted between two frames, in milliseconds. */
const FRAME_MAX = 1000;
/** The buttons that change the board. */
const MOVES = ["a", "b"];

export class Clock {
  private readonly box = byId("clock");
  private rival: About["rival"] = null;
  /** The moment of the first button press, and the number of printed lines at that moment. */
  private began: { now: number; lines: number } | undefined;
  /** True while the board is solved, by the player or by the machine. */
  isSolved = false;
  /** True after the player has let the machine solve the puzzle. */
  isFrozen = false;
  private time = 0;
  private seenAt = 0;

  /** Prepares the clock for another game. A program without a rival has no clock. */
  begin(rival: About["rival"]): void {
    this.rival = rival;
    this.box.hidden = rival === null;
    this.stop();
    if (!rival) return;
    const { name, instructions, seconds } = rival;
    const [count, rate] = [instructions, instructions / seconds].map((n) => n.toLocaleString("en"));
    this.box.title = `The first result of ${name}: ${count} instructions, at ${rate} a second`;
  }

  private stop(): void {
    [this.began, this.isSolved, this.isFrozen, this.time] = [undefined, false, false, 0];
  }

  /** The player's time for the present solution, if there is one. */
  get solvedIn(): string | undefined {
    return this.isSolved && !this.isFrozen ? this.shownTime : undefined;
  }

  private get shownTime(): string {
    const minutes = Math.floor(this.time / 60_000);
    const seconds = Math.floor(this.time / 1000) % 60;
    return `${minutes}:${String(seconds).padStart(2, "0")}`;
  }

  /** Starts the clock at the first button press. The Start button lets the machine solve the
   * puzzle, so the clock freezes. */
  press(button: string, { now, lines }: MachineState): void {
    if (button === "start") {
      if (!this.began || this.isSolved) this.began = { now, lines };
      [this.isSolved, this.isFrozen] = [false, true];
      return;
    }
    const isDone = this.isSolved ? MOVES.includes(button) : this.isFrozen;
    if (this.began && !isDone) return;
    this.stop();
    this.began = { now, lines };
  }

  /** Counts the time while the machine runs, until the program prints a result. */
  show({ status, now, lines }: MachineState): void {
    const passed = Math.min(performance.now() - this.seenAt, FRAME_MAX);
    this.seenAt = performance.now();
    if (!this.rival) return;
    if (this.began && (now < this.began.now || lines < this.began.lines)) this.stop();
    const time = this.shownTime;
    const { name, seconds } = this.rival;
    const machine = this.isSolved ? "You let the machine solve it." : "You let the machine play.";
    setText(this.box, this.isFrozen ? machine
      : `You ${time}, the program ${name} ${seconds.toFixed(2)} s`);
    if (!this.began || this.isSolved) return;
    this.isSolved = lines > this.began.lines;
    if (this.isFrozen) return;
    // The time of the last frame does not count, so that the clock shows what the note says.
    if (!this.isSolved) this.time += status === "running" ? passed : 0;
    else announce(`Solved in ${time}. The program ${name} needs ${seconds.toFixed(2)} s for its first result.`);
  }
}
