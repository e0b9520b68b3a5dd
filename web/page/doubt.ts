// For visitors who doubt: changes a cell of a chip, and checks that the chips do what the
// instructions say.

import { announce, byId, download, setText } from "./dom";
import type { Jobs } from "./jobs";
import { type Machine, Refusal, attempt } from "./machine";
import type { Note } from "./note";

/** A cell of a chip's table. */
export interface Cell {
  chip: number;
  view: number;
  address: number;
  /** The number of addresses that show this cell. */
  alike: number;
  /** True if the chip reads this cell now. */
  isPresent: boolean;
}

export interface Events {
  /** The picked cell of the chosen chip, or the one that it reads, if it is shown. */
  cell(): Cell | undefined;
  /** Opens a moment of a run, and then says these words. */
  open(link: string, words: string): void;
  /** Loads another machine, with a link back to this one. */
  replace(load: () => void): void;
  /** Opens the file of a board. */
  edit(board: string): void;
}

export class Doubt {
  private cell: Cell | undefined;

  constructor(
    private readonly machine: Machine,
    note: Note,
    private readonly jobs: Jobs,
    private readonly events: Events,
  ) {
    const acts: Record<string, () => void> = {
      "change-cell": () => this.offer(),
      "change-burn": () => this.burn(),
      "restore": () => this.restore(),
      "compare": () => this.compare(),
      "save-drawing": () => this.saveDrawing(),
      "show-board": () => events.edit(this.soundBoard),
    };
    for (const [id, act] of Object.entries(acts)) {
      byId(id).addEventListener("click", () => {
        if (!id.startsWith("change-")) return note.guard(act);
        attempt(act, (reason) => {
          setText(byId("change-report"), reason);
          announce(reason);
        });
      });
    }
  }

  /** Handles another program or board in the machine. */
  begin(): void {
    byId("damaged").hidden = this.machine.about.soundBoard === null;
    byId("change-form").hidden = true;
    for (const id of ["change-report", "compare-report", "prove-report"]) {
      byId(id).replaceChildren();
    }
  }

  /** Offers to change the cell that the visitor sees. */
  private offer(): void {
    this.cell = this.events.cell();
    byId("change-form").hidden = !this.cell;
    if (!this.cell) throw new Refusal("First click the cell to change.");
    byId("change-report").replaceChildren();
    const { address, alike: count, isPresent } = this.cell;
    setText(byId("change-at"), `0x${address.toString(16).padStart(4, "0")}`);
    const all = isPresent ? `${count} addresses show this cell: change all of them`
      : "Change it at every address that shows this cell";
    setText(byId("change-count"), all);
    byId("change-count").parentElement!.hidden = count === 1;
    byId<HTMLInputElement>("change-all").checked = false;
    byId<HTMLInputElement>("change-byte").value = "";
    byId("change-byte").focus();
  }

  /** Changes the cell in a copy of the board, and shows what the copy does. */
  private burn(): void {
    const text = byId<HTMLInputElement>("change-byte").value;
    if (!this.cell || !/^[0-9a-f]{1,2}$/i.test(text)) throw new Refusal("Type a byte, from 00 to ff.");
    const { chip, view, address } = this.cell;
    const all = byId<HTMLInputElement>("change-all").checked;
    const change = { chip, view, address, byte: parseInt(text, 16), all };
    const begin = () => this.machine.ask("compare", change);
    this.jobs.begin(byId("change-report"), begin, ({ text, link }) => {
      if (link) this.events.open(link, text);
    });
  }

  private restore(): void {
    const { program } = this.machine;
    const hardware = { engine: "instruction", board: this.soundBoard };
    this.events.replace(() => this.machine.start(program, hardware));
  }

  /** The board in the machine, without damage. */
  private get soundBoard(): string {
    const { soundBoard, board } = this.machine.about;
    return soundBoard ?? board;
  }

  /** Runs the program on the instructions and on the chips, and then proves what it does. The proof
   * is about instructions, so a damaged board has none. */
  private compare(): void {
    byId("prove-report").replaceChildren();
    const isDamaged = this.machine.about.soundBoard !== null;
    this.timed("compare-report", () => this.machine.ask("compare", null), (report) => {
      if (isDamaged) report?.append(" This is the damaged board.");
      else this.timed("prove-report", () => this.machine.ask("prove"), () => {});
    });
  }

  /** Starts a job, and shows how long it took if it succeeds. */
  private timed(id: string, start: () => unknown, ended: (report: Element | null) => void): void {
    const began = performance.now();
    this.jobs.begin(byId(id), start, ({ passed }) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(2);
      const report = byId(id).lastElementChild;
      if (passed) report?.append(`, in ${seconds} s`);
      ended(report);
    });
  }

  private saveDrawing(): void {
    const svg = this.machine.ask("drawing") ?? "";
    download(new File([svg], "gray1.svg", { type: "image/svg+xml" }));
  }
}
