// Tests and checks of the machine, which take their time: what they say while they last, and at the
// end.

import { make } from "./dom";
import { type Machine, Refusal } from "./machine";
import type { JobOutcome } from "./protocol";

export class Jobs {
  /** Where the one under way is shown, and who waits for its end. */
  private place: HTMLElement | undefined;
  private ended: (outcome: JobOutcome) => void = () => {};

  constructor(
    private readonly machine: Machine,
    /** Lets something replace what is in the machine. */
    private readonly replace: (load: () => void) => void,
  ) {}

  /** Begins one. What it says is shown at a place; `ended` may add to the result there. */
  begin(place: HTMLElement, start: () => unknown, ended: (outcome: JobOutcome) => void): void {
    this.place = place;
    this.ended = ended;
    this.guarded(start);
    this.see();
  }

  /** Looks after the one under way. */
  see(): void {
    const { place } = this;
    if (place) this.guarded(() => this.show(place));
  }

  private show(place: HTMLElement): void {
    const job = this.machine.ask("job");
    if (job.outcome) {
      this.end();
      place.replaceChildren(make("pre", { tabIndex: 0 }, job.outcome.text));
      place.classList.toggle("bad", !job.outcome.passed);
      return this.ended(job.outcome);
    }
    let line = place.querySelector("p");
    if (!line) {
      line = make("p");
      const stop = this.button("Stop", () => {
        this.machine.ask("stopJob");
        this.end();
        place.replaceChildren();
      });
      place.replaceChildren(line, stop);
    }
    line.textContent = `Working: ${job.news}`;
  }

  /** Goes to the moment at which the last one has failed. */
  goThere(): void {
    this.guarded(() => this.replace(() => this.machine.goToFailure()));
  }

  /** Does something whose refusal is the result. */
  private guarded(work: () => unknown): void {
    try {
      work();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.place?.replaceChildren(make("pre", { tabIndex: 0 }, refusal.message));
      this.place?.classList.add("bad");
      this.end();
    }
  }

  private end(): void {
    this.place = undefined;
  }

  /** A button for the result. */
  button(textContent: string, pressed: () => void): HTMLButtonElement {
    const button = make("button", { textContent });
    button.addEventListener("click", pressed);
    return button;
  }
}
