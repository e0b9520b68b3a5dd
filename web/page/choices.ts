// The lists from which the user chooses the program, the engine and the board.

import { byId, make } from "./dom";
import { isFocusedByKey } from "./keys";
import type { Machine } from "./machine";
import type { MachineSpec } from "./protocol";

export class Choices {
  private readonly program = byId<HTMLSelectElement>("program");
  private readonly engine = byId<HTMLSelectElement>("engine");
  private readonly board = byId<HTMLSelectElement>("board");

  /** `chosen` starts a program on the chosen engine and board. */
  constructor(
    private readonly machine: Machine, chosen: (program: string, paused: boolean) => void,
  ) {
    this.program.addEventListener("change", () => {
      chosen(this.program.value, false);
      // The next keys are for the program, not for the list.
      if (machine.about.readsButtons || !isFocusedByKey(this.program)) this.program.blur();
    });
    for (const list of [this.engine, this.board]) {
      // A paused machine stays paused, because the user may want to compare the first steps.
      list.addEventListener("change", () =>
        chosen(machine.program, machine.state().status === "paused"));
    }
  }

  /** The chosen engine and board. */
  get hardware(): MachineSpec {
    return { engine: this.engine.value, board: this.board.value };
  }

  /** Lists the programs and boards, and selects those in use. */
  show(): void {
    const groups = new Map<string, HTMLOptGroupElement>();
    for (const [value, title, label] of this.machine.ask("programs")) {
      const group = groups.get(label) ?? make("optgroup", { label });
      groups.set(label, group);
      const place = value.startsWith("link/") ? "from the link" : value;
      const textContent = title ? `${title} (${place})` : value.replace(/^link\//, "");
      group.append(make("option", { value, textContent }));
    }
    this.program.replaceChildren(...groups.values());
    this.program.value = this.machine.program;
    const boards = this.machine.ask("boards");
    this.board.replaceChildren(...boards.map((value) => make("option", { value, textContent: value })));
    const { engine, board } = this.machine.hardware;
    this.board.value = board || "gray1";
    this.engine.value = engine || "instruction";
  }
}
