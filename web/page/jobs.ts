// Tests and checks, which run for some time: shows their progress and their result.

import { announce, firstSentence, make } from "./dom";
import { type Machine, attempt } from "./machine";
import type { JobOutcome } from "./protocol";

export class Jobs {
  /** The element that shows the current job, and the callback for its end. */
  private place: HTMLElement | undefined;
  private ended: (outcome: JobOutcome) => void = () => {};

  constructor(
    private readonly machine: Machine,
    /** Loads another program, with a link back to the current one. */
    private readonly replace: (load: () => void) => void,
  ) {}

  /** Starts a job and shows its progress in `place`. `ended` can add to the result there. */
  begin(place: HTMLElement, start: () => unknown, ended: (outcome: JobOutcome) => void): void {
    // The machine gives up the previous job, so its progress goes.
    if (this.place !== place) this.place?.replaceChildren();
    this.place = place;
    this.ended = ended;
    this.guarded(start);
    this.update();
  }

  /** Updates the progress of the current job. */
  update(): void {
    const { place } = this;
    if (place) this.guarded(() => this.show(place));
  }

  private show(place: HTMLElement): void {
    const job = this.machine.ask("job");
    if (job.outcome) {
      this.end();
      this.report(place, job.outcome.text);
      const { details } = job.outcome;
      if (details) {
        place.append(make("details", {}, make("summary", {}, "In the words of the debugger"), details));
      }
      place.classList.toggle("bad", !job.outcome.passed);
      return this.ended(job.outcome);
    }
    let line = place.querySelector("p");
    if (!line) {
      line = make("p");
      const onclick = () => {
        const found = this.machine.ask("stopJob");
        this.end();
        place.replaceChildren();
        if (found !== null) this.report(place, found);
      };
      place.replaceChildren(line, make("button", { textContent: "Stop", onclick }));
    }
    line.textContent = `Working: ${job.news}`;
  }

  /** Goes to the moment at which the last job failed. */
  goToFailure(): void {
    this.guarded(() => this.replace(() => this.machine.goToFailure()));
  }

  /** Runs `work`. If the machine refuses a request, shows the reason as the result. */
  private guarded(work: () => unknown): void {
    attempt(work, (reason) => {
      if (this.place) this.report(this.place, reason);
      this.place?.classList.add("bad");
      this.end();
    });
  }

  private report(place: HTMLElement, text: string): void {
    place.replaceChildren(make("pre", { tabIndex: 0 }, text));
    announce(firstSentence(text));
  }

  private end(): void {
    this.place = undefined;
  }
}
