// The address bar, which follows the program in the machine, and the link back to the moment that
// the visitor left.

import { byId, setText } from "./dom";
import { type Machine, Refusal } from "./machine";

/** A moment that the visitor left. */
interface Left {
  link: string;
  words: string;
  runs: boolean;
}

export class Address {
  /** The moment that the link leads back to, from before the visitor tried out programs. */
  private left: Left | undefined;
  private readonly line = byId<HTMLButtonElement>("back");

  constructor(private readonly machine: Machine, open: (left: Left) => void) {
    this.line.addEventListener("click", () => {
      const { left } = this;
      if (!left) return;
      this.forget();
      this.enter("pushState", left.link);
      open(left);
    });
  }

  /** Loads another program. If the visitor only tries it out, adds a link back to the current
   * moment. */
  follow(load: () => void, isTried: boolean): void {
    const before = this.hardware;
    const left = this.here();
    load();
    const isOther = this.hardware !== before;
    if (!isTried) this.left = undefined;
    else if (isOther) this.left ??= left;
    this.show();
    // Make the browser's back button lead to the moment as well.
    if (isOther && left) this.enter("replaceState", left.link);
    this.enter(isOther ? "pushState" : "replaceState", this.present);
  }

  /** Removes the link back. */
  forget(): void {
    this.left = undefined;
    this.show();
  }

  private show(): void {
    this.line.hidden = !this.left;
    setText(this.line, `Back to ${this.left?.words}`);
  }

  /** The program, the engine and the board, as one string. */
  private get hardware(): string {
    const { name, engine, board } = this.machine.about;
    return `${name} ${engine} ${board}`;
  }

  /** The fragment for the current program: its name if every page has it, or else a link. */
  private get present(): string | undefined {
    const [, name] = this.hardware.match(/^([\w-]+) instruction gray1$/) ?? [];
    return this.machine.about.message ? this.link : name ?? this.link;
  }

  /** A link to this moment, or undefined if its inputs are no longer recorded. */
  private get link(): string | undefined {
    try {
      return this.machine.ask("link");
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return undefined;
    }
  }

  private here(): Left | undefined {
    const { link } = this;
    if (link === undefined) return undefined;
    const { title, result } = this.machine.about;
    const { now, status } = this.machine.state();
    const present = this.machine.ask("results").find(({ moment }) => moment === now);
    const moment = now > 0 ? `, moment ${now.toLocaleString("en")}` : "";
    const words = `${title}${present ? `, ${result} ${present.line}` : moment}`;
    return { link, words, runs: status === "running" };
  }

  /** Records the open door, so that a reload opens it again. The address does not change. */
  keepDoor(door: string): void {
    this.enter("replaceState", location.hash.slice(1), { door });
  }

  private enter(
    how: "pushState" | "replaceState", hash: string | undefined, state = history.state,
  ): void {
    try {
      if (hash !== undefined) history[how](state, "", hash && `#${hash}`);
    } catch {
      // Some frames have no history, and browsers limit the number of changes.
    }
  }
}
