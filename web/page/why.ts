// Explains an LED: a sentence, and the steps that led to it, each with a link to its moment.

import { byId, make, setText } from "./dom";
import { ledAt } from "./leds";
import type { Machine } from "./machine";
import type { ExplanationReport, ExplanationStep, MachineState } from "./protocol";

export class Why {
  private readonly box = byId("why");
  /** The question that is waiting for an answer, and its moment. */
  private asked: { question: string; at: number } | undefined;
  private cell: HTMLElement | undefined;
  /** The LED of the question, and its explanation. */
  private square: [number, number] = [0, 0];
  private explanation: ExplanationReport | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly changed: () => void,
    private readonly ring: (squares: [number, number][]) => void,
  ) {
    byId("why-close").addEventListener("click", () => this.close());
    for (const sign of ["scroll", "toggle"]) this.box.addEventListener(sign, () => this.mark(), true);
    new ResizeObserver(() => this.mark()).observe(this.box);
    document.addEventListener("keydown", (event) => {
      const isElsewhere = (event.target as HTMLElement).closest("#door") !== null;
      if (event.key === "Escape" && !this.box.hidden && !isElsewhere) this.close();
    });
  }

  /** Asks about the LED at this row and column. `cell` is its cell in the table. Pauses a running
   * machine. */
  ask(row: number, column: number, cell: HTMLElement): void {
    this.machine.ask("transport", "pause");
    this.end();
    this.asked = { question: `led ${row}, ${column}`, at: this.machine.state().now };
    this.cell = cell;
    this.square = [row, column];
    cell.ariaSelected = "true";
    // Show the box before the answer arrives, because a screen reader announces only changes of a
    // visible box.
    setText(byId("why-sentence"), "…");
    this.box.hidden = false;
    this.changed();
  }

  /** Closes the box when the machine continues, or when it moves before there is an answer. */
  show({ status, now, leds }: MachineState): void {
    if (this.box.hidden) return;
    if (status === "running") return this.end();
    if (this.explanation) this.compare(this.explanation, now, ledAt(leds, ...this.square));
    if (!this.asked) return;
    if (now !== this.asked.at) return this.end();
    const explanation = this.machine.ask("why", this.asked.question);
    if (explanation) this.showExplanation(explanation, this.asked.question);
  }

  /** Adds a note if the LED now has another colour than at the explained moment. */
  private compare({ moment, led }: ExplanationReport, now: number, shown: string): void {
    const differs = led !== null && led !== shown;
    const when = now < moment ? `was still ${shown}` : `is ${shown}`;
    const then = differs ? `At ${now.toLocaleString("en")} it ${when}.` : "";
    setText(byId("why-then"), then);
  }

  private showExplanation(explanation: ExplanationReport, question: string): void {
    this.asked = undefined;
    this.explanation = explanation;
    const { moment, sentence, squares, steps, lines } = explanation;
    setText(byId("why-sentence"), sentence);
    setText(byId("why-question"), question);
    this.ring(squares);
    const start = { text: "The moment of the question", caption: null, depth: 0, moment };
    byId("why-steps").replaceChildren(...this.makeItems([start, ...steps]));
    byId("why-lines").replaceChildren(...this.makeItems(lines));
    byId<HTMLDetailsElement>("why-all").open = steps.length === 0;
    this.box.scrollTop = 0;
    this.mark();
  }

  /** Marks the box while there is more of the answer below. */
  private mark(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.box;
    this.box.classList.toggle("more", scrollTop + clientHeight < scrollHeight - 12);
  }

  /** Creates a list item with a button for each step. */
  private makeItems(steps: ExplanationStep[]): HTMLElement[] {
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

  /** Closes the box, and stops the search for the answer. */
  close(): void {
    if (this.asked) this.machine.ask("transport", "pause");
    const { cell } = this;
    const hasFocus = this.box.contains(document.activeElement);
    this.end();
    if (hasFocus) cell?.focus();
    this.changed();
  }

  /** Forgets the question, because another program was loaded or the machine continues. */
  end(): void {
    this.asked = undefined;
    this.cell?.removeAttribute("aria-selected");
    this.explanation = undefined;
    this.box.hidden = true;
    this.ring([]);
    for (const id of ["why-steps", "why-lines"]) byId(id).replaceChildren();
    setText(byId("why-then"), "");
  }
}
