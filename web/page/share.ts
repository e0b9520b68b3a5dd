// The share sheet: a link to this moment, a picture, a film, and code to embed the page.

import { byId, download, make, setText } from "./dom";
import { isSource } from "./files";
import { PANEL, drawPanel } from "./leds";
import type { Machine } from "./machine";
import type { Display, MachineState } from "./protocol";
import { makeFilm } from "./shoot";

/** In a frame, the address bar does not show the page's address. */
const isInFrame = window !== window.parent;
/** A link to a local file only works on this computer. */
const isFile = location.protocol === "file:";

type Edited = { name: string; text: string; hasErrors: boolean } | undefined;

export class Share {
  private readonly sheet = byId<HTMLDialogElement>("sheet");
  /** A description of the picture. */
  private title = "";
  private picture: File | undefined;
  /** The last picture or film. */
  private shown: File | undefined;
  private filming: AbortController | undefined;
  /** The sources of the program in the machine. */
  private texts = new Map<string, string | undefined>();

  /** `settle` pauses the machine and stores the source in the editor before sharing. `boast`
   * returns what a player has achieved. */
  constructor(
    private readonly machine: Machine,
    private readonly settle: () => Edited,
    private readonly boast: () => string | undefined,
  ) {
    const acts: Record<string, () => unknown> = {
      "share": () => this.open(),
      "share-link": () => this.copyLink(),
      "share-picture": () => this.picture && this.save(this.picture, "picture"),
      "share-film": () => this.film(),
      "share-embed": () => this.copyFrame(),
      "share-send": () => this.send(),
      "share-close": () => this.sheet.close(),
    };
    for (const [id, act] of Object.entries(acts)) {
      byId(id).addEventListener("click", async () => {
        try {
          await act();
        } catch (refusal) {
          this.say((refusal as Error).message);
        }
      });
    }
    byId("share-send").hidden = !("share" in navigator);
    this.sheet.addEventListener("click", ({ target }) => {
      if (target === this.sheet) this.sheet.close();
    });
    // Close the sheet, because the browser's back button leads to another moment.
    addEventListener("popstate", () => this.sheet.close());
    // Keys in the sheet are not for the machine.
    this.sheet.addEventListener("keydown", (event) => event.stopPropagation());
    this.sheet.addEventListener("close", () => {
      this.filming?.abort();
      setText(byId("share"), "Share");
      byId("share").focus();
    });
  }

  /** Handles another program in the machine. */
  begin(): void {
    const { files } = this.machine.about;
    this.texts = new Map(files.map((name) => [name, this.machine.source(name)]));
    setText(byId("share-film"), this.filmLabel);
  }

  private get filmLabel(): string {
    return this.machine.about.message ? "Film of the message (GIF)" : "Film, 6 s (GIF)";
  }

  private say(message: string): void {
    setText(byId("share-words"), message);
  }

  /** Opens the sheet, and copies the link. */
  private async open(): Promise<void> {
    const edited = this.settle();
    const state = this.machine.state();
    this.describe(state);
    setText(byId("share-version"), this.version(edited));
    this.sheet.showModal();
    byId("share-link").focus();
    const drawn = this.draw(state.leds);
    // Setting `hash` would open the link, but the page is already there.
    history.pushState(history.state, "", this.url);
    await this.copyLink();
    await drawn;
  }

  /** A link to this moment. The machine can refuse it. */
  private get url(): string {
    return `${location.href.replace(/#.*/s, "")}#${this.machine.ask("link")}`;
  }

  /** Describes the shared moment, or the result that it shows. */
  private describe({ now, isWhole, results: [, count], caption }: MachineState): void {
    const { message, result } = this.machine.about;
    const present = this.machine.ask("results").find(({ moment }) => moment === now);
    const number = present && `${result} ${present.line}${isWhole ? ` of ${count}` : ""}:`;
    const moment = message ? "" : `, ${number ?? `after ${now.toLocaleString("en")} instructions`}`;
    const boast = this.boast();
    const heading = this.machine.title + (boast ? `, ${boast}` : moment);
    this.title = `${heading} ${present?.text ?? ""}`.trim();
    setText(byId("share-title"), heading);
    setText(byId("share-result"), present?.text ?? (message ? "" : caption));
  }

  /** Says which version of a program is shared if the one in the editor differs. */
  private version(edited: Edited): string {
    if (!edited || !isSource(edited.name)) return "";
    const { name, text, hasErrors } = edited;
    const isOther = !this.texts.has(name);
    if (this.texts.get(name) === text) return "";
    const held = isOther ? this.machine.title : "the version that ran last";
    if (hasErrors) return `${name} has a mistake. The link holds ${held}.`;
    return `The link holds ${held}. Run ${isOther ? name : "the program"} to share your changes.`;
  }

  /** Draws a picture of the LEDs with a description. */
  private async draw(leds: Display): Promise<void> {
    const canvas = make("canvas", { width: 960, height: 1080 });
    const context = canvas.getContext("2d");
    if (!context) return;
    context.fillStyle = PANEL;
    context.fillRect(0, 0, 960, 1080);
    drawPanel(context, leds, 960);
    const write = (text: string, font: string, colour: string, y: number) => {
      [context.font, context.fillStyle] = [`${font} Georgia, "Liberation Serif", serif`, colour];
      context.fillText(text, 48, y, 864);
    };
    write(this.title, "600 38px", "#ffffff", 996);
    write("Gray-1, a computer without a CPU chip", "28px", "#b0a896", 1042);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
    if (blob) this.show(this.picture = this.file([blob], "image/png"));
  }

  private file(parts: BlobPart[], type: "image/png" | "image/gif"): File {
    const program = this.machine.program.replace(/^.*\/|\.asm$/g, "");
    const name = `gray1-${program}-${this.machine.state().now}.${type.slice(-3)}`;
    return new File(parts, name, { type });
  }

  /** Shows a picture or film in the sheet. Any browser can save it from there. */
  private show(file: File): void {
    this.shown = file;
    const reader = new FileReader();
    const image = byId<HTMLImageElement>("share-image");
    reader.addEventListener("load", () => (image.src = String(reader.result)));
    reader.readAsDataURL(file);
    image.alt = `The LEDs: ${this.title}`;
  }

  private save(file: File, kind: string): void {
    this.show(file);
    download(file);
    const or = isInFrame ? " If this frame allows no downloads, save the picture above." : "";
    this.say(`The ${kind} is saved: ${Math.ceil(file.size / 1000)} kB.${or}`);
  }

  private async copyLink(): Promise<void> {
    const { url } = this;
    setText(byId("share-length"), `A link of ${url.length.toLocaleString("en")} characters`);
    const where = isInFrame ? "The link is" : "The link is in the address bar and";
    const along = isFile ? "The link opens this file. Send the file with it." : "";
    const isCopied = await this.copy(url, "Link", where, along);
    setText(byId("share"), isCopied ? "Copied ✓" : "Not copied");
    setText(byId("share-link"), isCopied ? "Link copied ✓" : "Copy the link");
  }

  /** Copies the code that embeds this moment in another page. */
  private async copyFrame(): Promise<void> {
    const source = isFile ? this.url.replace(/^[^#]*\//, "") : this.url;
    const height = this.machine.about.readsButtons ? 720 : 660;
    const style = `width: 100%; max-width: 420px; height: ${height}px; border: 0`;
    const code = `<iframe src="${source}&amp;embed" title="The Gray-1" style="${style}"></iframe>`;
    const along = isFile ? " Put this file next to that page." : "";
    setText(byId("share-link"), "Copy the link");
    await this.copy(code, "Embed code", "The code is",
      `The code is copied. It shows this moment in a page of your own.${along}`);
  }

  /** Copies a string, or says where it is selected. */
  private async copy(text: string, kind: string, where: string, done: string): Promise<boolean> {
    const field = byId<HTMLInputElement>("share-text");
    [field.value, field.ariaLabel] = [text, kind];
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without https and in some frames, there is only the old clipboard API.
      const focused = document.activeElement as HTMLElement;
      field.focus();
      field.select();
      isCopied = document.execCommand("copy");
      if (isCopied) focused.focus();
    }
    this.say(isCopied ? done : `${where} selected below: press Ctrl-C or ⌘C.`);
    return isCopied;
  }

  /** Passes the link and the picture or film to the sharing function of the system. */
  private async send(): Promise<void> {
    const data: ShareData = { title: this.title, url: this.url };
    const whole = { ...data, files: this.shown ? [this.shown] : [] };
    try {
      await navigator.share(navigator.canShare?.(whole) ? whole : data);
    } catch (error) {
      if ((error as Error).name !== "AbortError") this.say(`It was not sent. ${error}`);
    }
  }

  /** Makes the film, or stops making it. */
  private async film(): Promise<void> {
    if (this.filming) return this.filming.abort();
    const { signal } = (this.filming = new AbortController());
    try {
      const parts = await makeFilm(this.machine.another(), this.machine.ask("link"), (part) => {
        signal.throwIfAborted();
        setText(byId("share-film"), `Stop (${Math.floor(100 * part)} %)`);
      });
      this.save(this.file(parts, "image/gif"), "film");
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.filming = undefined;
      setText(byId("share-film"), this.filmLabel);
    }
  }
}
