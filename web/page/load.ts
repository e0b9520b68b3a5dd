// Loads the WebAssembly module. It is at the end of the page, in parts. Each part is unpacked and
// compiled while the browser still loads the rest.

import { Decompress } from "fzstd";
import { byId } from "./dom";

/** An empty module. If it fails, the browser or the site does not allow any WebAssembly. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

export async function load(): Promise<WebAssembly.Module> {
  byId("no-script").remove();
  if (!("WebAssembly" in globalThis && "compileStreaming" in WebAssembly)) {
    throw new Error("This browser is too old for the machine, or WebAssembly is turned off in " +
      "it. Chromium 123, Firefox 128, Safari 17.5 and later can run it.");
  }
  try {
    new WebAssembly.Module(EMPTY);
  } catch {
    throw new Error("This browser, or the site that serves this page, does not allow WebAssembly. " +
      "Save the page as a file, and open that.");
  }
  const headers = { "Content-Type": "application/wasm" };
  try {
    return await WebAssembly.compileStreaming(new Response(arriving(), { headers }));
  } catch (error) {
    throw new Error(`This copy of the page is incomplete or damaged. Load it again. (${error})`);
  }
}

/** Returns the module as a stream. */
function arriving(): ReadableStream<Uint8Array<ArrayBuffer>> {
  const progress = byId<HTMLProgressElement>("loading");
  return new ReadableStream({
    start(controller) {
      let taken = 0;
      // Adler-32, because the library does not verify a check sum.
      let [a, b] = [1, 0];
      const unpacker = new Decompress((bytes) => {
        for (const byte of bytes) {
          a = (a + byte) % 65521;
          b = (b + a) % 65521;
        }
        controller.enqueue(bytes.slice());
      });
      const take = (isAll: boolean) => {
        for (const part of [...document.querySelectorAll("script.module")].slice(taken)) {
          // A part is complete once another node follows it.
          if (!isAll && !part.nextSibling) return;
          const text = atob(part.textContent ?? "");
          taken++;
          unpacker.push(Uint8Array.from(text, (character) => character.charCodeAt(0)));
          progress.value += text.length;
        }
      };
      const observer = new MutationObserver(() => take(false));
      observer.observe(document.body, { childList: true });
      document.addEventListener("DOMContentLoaded", () => {
        observer.disconnect();
        try {
          take(true);
          if (String(b * 65536 + a) !== progress.dataset.check) throw new Error("wrong check sum");
          controller.close();
        } catch (error) {
          controller.error(error);
        }
      });
    },
  });
}
