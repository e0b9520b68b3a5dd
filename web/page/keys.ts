// The keys of the page: which of them are for it, and not for what has the focus.

/** The element that got the focus without a click, unless it was clicked since. */
let reached: Element | null = null;
/** Whether a click is under way. */
let clicks = false;
document.addEventListener("pointerdown", () => ([reached, clicks] = [null, true]), true);
document.addEventListener("click", () => setTimeout(() => (clicks = false)), true);
document.addEventListener("keydown", () => (clicks = false), true);
document.addEventListener("focusin", ({ target }) => {
  const element = target as Element;
  reached = !clicks || element.matches(":focus-visible") ? element : null;
});

/** What uses nearly all keys itself. */
const TYPING = "select, input:not([type=range]), textarea, canvas, dialog, .cm-editor";

/** Whether an element with the focus uses nearly all keys itself. */
export function types(element: Element): boolean {
  return element.closest(TYPING) !== null;
}

/** Whether the focus came to an element by a key, so that the user knows that it is there. */
export function isReached(element: Element): boolean {
  return element === reached;
}

/** Whether a key types a character with Option or AltGr, as many keyboards do for brackets. */
export function isTyped({ key, altKey }: KeyboardEvent): boolean {
  return altKey && key.length === 1 && !/[a-z0-9 ]/i.test(key);
}

/** Whether a key is for the page: neither a shortcut of the browser, nor for what has the focus. */
export function isForPage(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  const element = event.target as Element;
  if (metaKey || isComposing || types(element)) return false;
  if ((ctrlKey || altKey) && !isTyped(event)) return false;
  const moves = /^(Arrow|Page|Home|End)/.test(key);
  if (element.matches("input")) return !moves;
  if (!isReached(element)) return true;
  return element.closest("pre") ? !moves : ![" ", "Enter"].includes(key);
}
