// Decides which key presses are for the page, and not for the focused element. Moves the focus in
// grids.

/** The element that was focused by a key and has not been clicked since. */
let focusedByKey: Element | null = null;
/** True during a click. */
let isClicking = false;
document.addEventListener("pointerdown", () => ([focusedByKey, isClicking] = [null, true]), true);
document.addEventListener("click", () => setTimeout(() => (isClicking = false)), true);
document.addEventListener("keydown", () => (isClicking = false), true);
document.addEventListener("focusin", ({ target }) => {
  const element = target as Element;
  focusedByKey = !isClicking || element.matches(":focus-visible") ? element : null;
});

/** Elements that use almost all keys themselves. */
const TYPING = "select, input:not([type=range]), textarea, canvas, dialog, .cm-editor";

/** Returns true if an element uses almost all keys when it has the focus. */
export function usesKeys(element: Element): boolean {
  return element.closest(TYPING) !== null;
}

/** Returns true if an element was focused by a key. Then the user knows that it has the focus. */
export function isFocusedByKey(element: Element): boolean {
  return element === focusedByKey;
}

/** Returns true if a key types a character with Option or AltGr. Many keyboards need that for
 * brackets. */
export function isTyped({ key, altKey }: KeyboardEvent): boolean {
  return altKey && key.length === 1 && !/[a-z0-9 ]/i.test(key);
}

/** Returns true if a key is for the page. It is neither a browser shortcut nor for the focused
 * element. */
export function isForPage(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  const element = event.target as Element;
  if (metaKey || isComposing || usesKeys(element)) return false;
  if ((ctrlKey || altKey) && !isTyped(event)) return false;
  const moves = /^(Arrow|Page|Home|End)/.test(key);
  if (element.matches("input")) return !moves;
  if (!isFocusedByKey(element)) return true;
  return element.closest("pre") ? !moves : ![" ", "Enter"].includes(key);
}

/** Moves the focus by arrow keys in a grid of cells. The Tab key reaches the last focused one. */
export function moveInGrid(event: KeyboardEvent, cells: HTMLElement[], width: number): void {
  const at = cells.indexOf(event.target as HTMLElement);
  const column = at % width;
  const step = {
    ArrowLeft: column > 0 ? -1 : 0, ArrowRight: column < width - 1 ? 1 : 0,
    ArrowUp: -width, ArrowDown: width, Home: -column, End: width - 1 - column,
  }[event.key];
  const [cell, next] = [cells[at], cells[at + (step ?? 0)]];
  if (step === undefined || !cell) return;
  event.preventDefault();
  event.stopPropagation();
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
