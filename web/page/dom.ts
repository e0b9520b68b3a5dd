// Helpers to find, create and fill elements of the page.

/** Returns the element with this id, which must exist. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Creates an element. Strings are inserted as text, never as markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Sets the text of an element if it differs, so that a screen reader announces only changes. */
export function setText(element: Element | undefined, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Makes screen readers say a text, even if they have just said the same. */
export function announce(text: string): void {
  byId("said").replaceChildren(make("p", {}, text));
}

/** Returns the first sentence of a text, or its first paragraph if no sentence ends in it. */
export function firstSentence(text: string): string {
  const [paragraph = ""] = text.trim().split(/\n{2,}/);
  return (/^.*?[.!?](?=\s|$)/s.exec(paragraph)?.[0] ?? paragraph).replace(/\s+/g, " ");
}

/** Saves a file in the browser's downloads. */
export function download(file: File): void {
  const url = URL.createObjectURL(file);
  make("a", { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Sets the size of a canvas. Returns a context that draws in CSS pixels at the device's
 * resolution. */
export function pen(canvas: HTMLCanvasElement, width: number, height: number) {
  const scale = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser cannot draw on a canvas");
  context.setTransform(w / width, 0, 0, h / height, 0, 0);
  return context;
}

/** Converts the plain Markdown of the library and the lessons: paragraphs, code and bold words. */
export function markdown(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const block of text.split(/\n{2,}/)) {
    const fenced = block.match(/^```\w*\n([\s\S]*?)\n?```$/);
    const lines = block.split("\n").filter((line) => line !== "");
    if (fenced) {
      fragment.append(make("pre", { tabIndex: 0 }, fenced[1] ?? ""));
    } else if (lines.length > 0 && lines.every((line) => line.startsWith("    "))) {
      fragment.append(make("pre", { tabIndex: 0 }, lines.map((line) => line.slice(4)).join("\n")));
    } else if (lines.length > 0) {
      fragment.append(make("p", {}, ...spans(lines.join("\n"))));
    }
  }
  return fragment;
}

function spans(text: string): (Node | string)[] {
  const bold = (part: string) => part.split(/\*\*([^*]+)\*\*/);
  return text.split("`").flatMap((part, n) => n % 2
    ? [make("code", {}, part)]
    : bold(part).map((piece, k) => (k % 2 ? make("b", {}, piece) : piece)));
}
