// Lets a page start that a browser has saved while it ran: puts its elements back as they were made.

/** Keeps a copy of the fresh elements in the document, or restores them from the copy. Must run
 * before anything else changes the document. */
export function makeFresh(): void {
  const { body, currentScript } = document;
  const before = [...body.childNodes].filter((node) => node !== currentScript);
  const kept = body.querySelector<HTMLTemplateElement>("template");
  if (!kept) {
    const template = document.createElement("template");
    template.content.append(...before.map((node) => node.cloneNode(true)));
    return void currentScript?.before(template);
  }
  for (const node of before) if (node !== kept) node.remove();
  kept.before(kept.content.cloneNode(true));
  for (const name of body.getAttributeNames()) body.removeAttribute(name);
}
