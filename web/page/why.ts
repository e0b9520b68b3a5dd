// Why an LED is as it is: a sentence, and the steps that led there, each a moment to go to.

import { byId, make, setText } from "./dom";
import type { Machine } from "./machine";
import type { MachineState, ToldStory } from "./protocol";

export class Why {
  private readonly box = byId("why");
  private readonly steps = byId("why-steps");
  /** The question without an answer yet, and its moment. */
  private asked: { question: string; at: number } | undefined;
  private cell: HTMLElement | undefined;

  constructor(private readonly machine: Machine, private readonly changed: () => void) {
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
    cell.ariaSelected = "true";
    // A screen reader announces the answer because it changes a box that is shown already.
    setText(byId("why-sentence"), "…");
    this.box.hidden = false;
    this.changed();
  }

  /** Follows the machine: the box closes when the machine plays on, or moves before the answer. */
  show({ status, now }: MachineState): void {
    if (this.box.hidden) return;
    if (status === "running") return this.end();
    if (!this.asked) return;
    if (now !== this.asked.at) return this.end();
    const story = this.machine.ask("why", this.asked.question);
    if (story) this.tell(story);
  }

  private tell({ moment, sentence, lines }: ToldStory): void {
    this.asked = undefined;
    setText(byId("why-sentence"), sentence);
    const start = { text: "The moment of the question", caption: null, depth: 0, moment };
    this.steps.replaceChildren(...[...lines, start].map((line) => {
      const { moment } = line;
      const button = make("button", { disabled: moment === null }, line.text);
      if (line.caption) button.append(make("span", {}, line.caption));
      button.addEventListener("click", () => {
        if (moment !== null) this.machine.ask("runTo", moment);
        this.changed();
      });
      const item = make("li", {}, button);
      item.style.marginLeft = `${line.depth}em`;
      return item;
    }));
    this.box.scrollTop = 0;
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
    this.box.hidden = true;
    this.steps.replaceChildren();
  }
}
