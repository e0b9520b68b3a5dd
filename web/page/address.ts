// The address bar, which follows the program in the machine, and the link back to the moment that
// the visitor left.

import { byId, setText } from "./dom";
import { type Machine, attempt } from "./machine";

/** The moment at which the visitor left a program. */
interface Origin {
  link: string;
  place: string;
  runs: boolean;
}

export class Address {
  /** The moment that the link leads back to, from before the visitor tried out programs. */
  private origin: Origin | undefined;
  private readonly backLink = byId<HTMLButtonElement>("back");

  constructor(private readonly machine: Machine, open: (origin: Origin) => void) {
    this.backLink.addEventListener("click", () => {
      const { origin } = this;
      if (!origin) return;
      this.forget();
      this.enter("pushState", origin.link);
      open(origin);
    });
  }

  /** Loads another program. If the visitor only tries it out, adds a link back to the current
   * moment. */
  follow(load: () => void, isTried: boolean): void {
    const before = this.hardware;
    const origin = this.currentOrigin();
    load();
    const isOther = this.hardware !== before;
    if (!isTried) this.origin = undefined;
    else if (isOther) this.origin ??= origin;
    this.show();
    // Make the browser's back button lead to the moment as well.
    if (isOther && origin) this.enter("replaceState", origin.link);
    this.enter(isOther ? "pushState" : "replaceState", this.present);
  }

  /** Removes the link back. */
  forget(): void {
    this.origin = undefined;
    this.show();
  }

  private show(): void {
    this.backLink.hidden = !this.origin;
    setText(this.backLink, `Back to ${this.origin?.place}`);
  }

  /** The program, the engine and the board, as one string. */
  private get hardware(): string {
    const { name, engine, board } = this.machine.about;
    return `${name} ${engine} ${board}`;
  }

  /** The fragment for the current program: the name of a built-in program on the default machine,
   * or else a link. A message needs a link. */
  private get present(): string | undefined {
    const [, name] = this.hardware.match(/^([\w-]+) instruction gray1$/) ?? [];
    return this.machine.about.message ? this.link : name ?? this.link;
  }

  /** A link to this moment, or undefined if its inputs are no longer recorded. */
  private get link(): string | undefined {
    return attempt<string | undefined>(() => this.machine.ask("link"), () => undefined);
  }

  private currentOrigin(): Origin | undefined {
    const { link } = this;
    if (link === undefined) return undefined;
    const { title, result } = this.machine.about;
    const { now, status } = this.machine.state();
    const present = this.machine.ask("results").find(({ moment }) => moment === now);
    const moment = now > 0 ? `, moment ${now.toLocaleString("en")}` : "";
    const place = `${title}${present ? `, ${result} ${present.line}` : moment}`;
    return { link, place, runs: status === "running" };
  }

  /** Records the open door, so that a reload opens it again. The address does not change. */
  keepDoor(door: string): void {
    this.enter("replaceState", location.hash.slice(1), { door });
  }

  private enter(
    method: "pushState" | "replaceState", hash: string | undefined, state = history.state,
  ): void {
    try {
      if (hash !== undefined) history[method](state, "", hash && `#${hash}`);
    } catch {
      // Some frames have no history, and browsers limit the number of changes.
    }
  }
}
