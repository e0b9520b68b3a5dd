// Why an LED is as it is: a sentence, and the steps that led there, each a moment to go to.

import { byId, make, setText } from "./dom";
import { ledAt } from "./leds";
import type { Machine } from "./machine";
import type { MachineState, ToldStep, ToldStory } from "./protocol";

export class Why {
  private readonly box = byId("why");
  /** The question without an answer yet, and its moment. */
  private asked: { question: string; at: number } | undefined;
  private cell: HTMLElement | undefined;
  /** The LED of the question, and the answer about it. */
  private square: [number, number] = [0, 0];
  private told: ToldStory | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly changed: () => void,
    private readonly ring: (squares: [number, number][]) => void,
  ) {
    byId("why-close").addEventListener("click", () => this.close());
    document.addEventListener("keydown", (event) => {
      const isElsewhere = (event.target as HTMLElement).closest("#door") !== null;
      if (event.key === "Escape" && !this.box.hidden && !isElsewhere) this.close();
    });
  }

  /** Asks about an LED, which a cell of the table stands for. A machine that runs stands then. */
  ask(row: number, column: number, cell: HTMLElement): void {
    this.machine.ask("transport", "pause");
    this.end();
    this.asked = { question: `led ${row}, ${column}`, at: this.machine.state().now };
    this.cell = cell;
    this.square = [row, column];
    cell.ariaSelected = "true";
    // A screen reader announces the answer because it changes a box that is shown already.
    setText(byId("why-sentence"), "…");
    this.box.hidden = false;
    this.changed();
  }

  /** Follows the machine: the box closes when the machine plays on, or moves before the answer. */
  show({ status, now, leds }: MachineState): void {
    if (this.box.hidden) return;
    if (status === "running") return this.end();
    if (this.told) this.compare(this.told, now, ledAt(leds, ...this.square));
    if (!this.asked) return;
    if (now !== this.asked.at) return this.end();
    const story = this.machine.ask("why", this.asked.question);
    if (story) this.tell(story, this.asked.question);
  }

  /** Says where an earlier moment shows another colour than the answer explains. */
  private compare({ moment, led }: ToldStory, now: number, shown: string): void {
    const differs = led !== null && led !== shown;
    const when = now < moment ? `was still ${shown}` : `is ${shown}`;
    const then = differs ? `At ${now.toLocaleString("en")} it ${when}.` : "";
    setText(byId("why-then"), then);
  }

  private tell(story: ToldStory, question: string): void {
    this.asked = undefined;
    this.told = story;
    const { moment, sentence, squares, steps, lines } = story;
    setText(byId("why-sentence"), sentence);
    setText(byId("why-question"), question);
    this.ring(squares);
    const start = { text: "The moment of the question", caption: null, depth: 0, moment };
    byId("why-steps").replaceChildren(...this.items([start, ...steps]));
    byId("why-lines").replaceChildren(...this.items(lines));
    byId<HTMLDetailsElement>("why-all").open = steps.length === 0;
    this.box.scrollTop = 0;
  }

  /** The buttons of steps. */
  private items(steps: ToldStep[]): HTMLElement[] {
    return steps.map(({ text, caption, depth, moment }) => {
      const at = moment === null ? [] : [make("b", {}, moment.toLocaleString("en")), " "];
      const button = make("button", { disabled: moment === null }, ...at, text);
      if (caption) button.append(make("span", {}, caption));
      button.addEventListener("click", () => {
        if (moment !== null) this.machine.ask("runTo", moment);
        this.changed();
      });
      const item = make("li", {}, button);
      item.style.marginLeft = `${depth}em`;
      return item;
    });
  }

  /** Closes the box, and stops looking for the answer. */
  close(): void {
    if (this.asked) this.machine.ask("transport", "pause");
    const { cell } = this;
    const hasFocus = this.box.contains(document.activeElement);
    this.end();
    if (hasFocus) cell?.focus();
    this.changed();
  }

  /** Forgets the question: another program is in the machine, or it plays on. */
  end(): void {
    this.asked = undefined;
    this.cell?.removeAttribute("aria-selected");
    this.told = undefined;
    this.box.hidden = true;
    this.ring([]);
    for (const id of ["why-steps", "why-lines"]) byId(id).replaceChildren();
    setText(byId("why-then"), "");
  }
}
