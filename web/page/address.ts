// The address of the page, which follows the program in the machine, and the line that leads back to
// what was there before.

import { byId, setText } from "./dom";
import { type Machine, Refusal } from "./machine";

/** A moment that was left. */
interface Left {
  link: string;
  words: string;
  runs: boolean;
}

export class Address {
  /** Where the line leads: what was there before the visitor tried programs out. */
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

  /** Lets another program into the machine. One that is only tried out leaves a way back. */
  follow(load: () => void, isTried: boolean): void {
    const before = this.hardware;
    const left = this.here();
    load();
    const isOther = this.hardware !== before;
    if (!isTried) this.left = undefined;
    else if (isOther) this.left ??= left;
    this.show();
    // The button of the browser leads back to the moment, too.
    if (isOther && left) this.enter("replaceState", left.link);
    this.enter(isOther ? "pushState" : "replaceState", this.present);
  }

  /** Nothing is tried out any more. */
  forget(): void {
    this.left = undefined;
    this.show();
  }

  private show(): void {
    this.line.hidden = !this.left;
    setText(this.line, `Back to ${this.left?.words}`);
  }

  /** The program, the engine and the board, as one text. */
  private get hardware(): string {
    const { name, engine, board } = this.machine.about;
    return `${name} ${engine} ${board}`;
  }

  /** What the address says of the machine: the name of a program that every page has, or a link. */
  private get present(): string | undefined {
    const [, name] = this.hardware.match(/^([\w-]+) instruction gray1$/) ?? [];
    return this.machine.about.message ? this.link : name ?? this.link;
  }

  /** A link to this moment, unless too much has been done to the machine. */
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

  /** Keeps the door that is open: a reload opens it again. The address stays as it is. */
  keepDoor(door: string): void {
    this.enter("replaceState", location.hash.slice(1), { door });
  }

  private enter(
    how: "pushState" | "replaceState", hash: string | undefined, state = history.state,
  ): void {
    try {
      if (hash !== undefined) history[how](state, "", hash && `#${hash}`);
    } catch {
      // Some frames have no address of their own, and browsers refuse too many.
    }
  }
}
