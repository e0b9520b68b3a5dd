// The table of the chosen chip: its cells, the one that the chip reads now, and a sentence about
// any of them.

import { announce, byId, make, setText } from "./dom";
import { moveInGrid } from "./keys";
import type { Lookup } from "./protocol";

/** The size and the radius of the ring of a counter, in its own units. */
const [RING, RADIUS] = [100, 44];
const SVG = "http://www.w3.org/2000/svg";

export class LookupTable {
  private readonly box = byId("lookup");
  private readonly table = byId<HTMLTableElement>("lookup-cells");
  private readonly views = byId("lookup-views");
  /** What the elements were made for. */
  private made = "";
  private cells: HTMLTableCellElement[] = [];
  private lookup: Lookup | null = null;
  /** The cell that was last scrolled into view. */
  private scrolled = "";
  /** The cell that the mouse or the keyboard points at. */
  private pointed: number | undefined;
  /** The cell that was clicked or focused last. */
  private picked: number | undefined;
  /** The part of the contents that the user chose, or null for the one that is read now. */
  view: number | null = null;

  constructor(private readonly changed: () => void) {
    this.table.addEventListener("pointermove", ({ target, movementX, movementY }) => {
      // A table that scrolls below a resting mouse is not pointed at.
      if (movementX || movementY) this.point(this.indexOf(target));
    });
    this.table.addEventListener("pointerleave", () => this.point(this.indexOf(document.activeElement)));
    this.table.addEventListener("focusin", ({ target }) => {
      this.picked = this.indexOf(target);
      this.point(this.picked);
      announce(this.read());
    });
    this.table.addEventListener("focusout", () => this.point(undefined));
    this.table.addEventListener("keydown", (event) =>
      moveInGrid(event, this.cells, this.lookup?.columns.labels.length ?? 1));
  }

  /** Forgets what the user chose, because another chip is shown. */
  reset(): void {
    [this.view, this.pointed, this.picked] = [null, undefined, undefined];
  }

  /** The index of the cell that the user points at or changes, or else of the one that the chip
   * reads. */
  private get chosen(): number {
    const changed = byId("change-form").hidden ? undefined : this.picked;
    return this.pointed ?? changed ?? this.lookup?.present ?? -1;
  }

  /** The cell that the user picked, or else the one that the chip reads, if it is shown. */
  get cell(): { view: number; address: number; alike: number; isPresent: boolean } | undefined {
    const { view = 0, alike = 0, cells, present } = this.lookup ?? {};
    const index = this.picked ?? present ?? -1;
    const cell = cells?.[index];
    return cell && { view, address: cell.address, alike, isPresent: index === present };
  }

  show(name: string, lookup: Lookup | null): void {
    this.lookup = lookup;
    this.box.hidden = lookup === null;
    if (!lookup) return setText(byId("lookup-reading"), "");
    const { rows, columns, cells, views, view, present } = lookup;
    const shape = JSON.stringify([name, rows, columns, views, lookup.ring?.[0]]);
    if (shape !== this.made) this.make(name, lookup);
    this.made = shape;
    const width = columns.labels.length;
    const at = present === null ? [-1, -1] : [Math.floor(present / width), present % width];
    this.cells.forEach((cell, n) => {
      setText(cell, cells[n]?.text ?? "");
      cell.classList.toggle("present", n === present);
      cell.classList.toggle("picked", n === this.picked);
      cell.classList.toggle("beside", Math.floor(n / width) === at[0] || n % width === at[1]);
    });
    [...this.views.children].forEach((button, n) =>
      button.setAttribute("aria-pressed", String(n === view)));
    setText(byId("lookup-others"), lookup.others && `The other wires of the address: ${lookup.others}`);
    setText(byId("lookup-remark"), lookup.remark);
    setText(byId("lookup-reading"), this.read());
    const shown = `${shape} ${present}`;
    if (shown !== this.scrolled) this.cells[present ?? -1]?.scrollIntoView({ block: "nearest" });
    this.scrolled = shown;
    byId("ring-hand").setAttribute("transform",
      `rotate(${(360 * (lookup.ring?.[1] ?? 0)) / (lookup.ring?.[0] ?? 1)} 50 50)`);
  }

  private make(name: string, { rows, columns, views, ring }: Lookup): void {
    const heads = columns.labels.map((label) => make("th", { scope: "col" }, label));
    const head = make("tr", {}, make("td"), ...heads);
    const axes = rows.name && `Each row: ${rows.name}. Each column: ${columns.name}.`;
    setText(byId("lookup-axes"), axes);
    [this.cells, this.pointed, this.picked] = [[], undefined, undefined];
    const lines = rows.labels.map((label) => {
      const cells = columns.labels.map(() => make("td", { tabIndex: -1 }));
      this.cells.push(...cells);
      return make("tr", {}, make("th", { scope: "row" }, label), ...cells);
    });
    const [first] = this.cells;
    if (first) first.tabIndex = 0;
    this.table.ariaLabel = `The contents of ${name}`;
    this.table.classList.toggle("wide", columns.labels.length > 8);
    this.table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...lines));
    this.views.hidden = views.length === 0;
    this.views.replaceChildren(...views.map((textContent, n) => {
      const button = make("button", { textContent });
      button.addEventListener("click", () => {
        // The same view again follows the machine.
        this.view = this.view === n ? null : n;
        this.picked = undefined;
        this.changed();
      });
      return button;
    }));
    byId("ring").toggleAttribute("hidden", !ring);
    if (!ring) return;
    byId("ring-codes").replaceChildren(...Array.from({ length: ring[0] }, (_, n) => {
      const dot = document.createElementNS(SVG, "circle");
      const angle = (2 * Math.PI * n) / ring[0];
      dot.setAttribute("cx", String(RING / 2 + RADIUS * Math.sin(angle)));
      dot.setAttribute("cy", String(RING / 2 - RADIUS * Math.cos(angle)));
      dot.setAttribute("r", String(Math.max(1, 30 / ring[0])));
      return dot;
    }));
  }

  private indexOf(target: EventTarget | null): number | undefined {
    const index = this.cells.indexOf(target as HTMLTableCellElement);
    return index < 0 ? undefined : index;
  }

  private point(index: number | undefined): void {
    if (index === this.pointed) return;
    this.pointed = index;
    setText(byId("lookup-reading"), this.read());
    this.changed();
  }

  /** Returns the sentence about the chosen cell. */
  private read(): string {
    const { lookup, chosen: index } = this;
    const cell = lookup?.cells[index];
    if (!lookup || !cell) return "Point at a cell to read it.";
    const width = lookup.columns.labels.length;
    const values: Record<string, string | undefined> = {
      row: lookup.rows.labels[Math.floor(index / width)],
      column: lookup.columns.labels[index % width],
      address: `0x${cell.address.toString(16).padStart(4, "0")}`,
      cell: cell.text.replace("+", " and a carry") || "nothing",
    };
    return lookup.reading.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  }
}
