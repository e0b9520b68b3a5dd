// Tests the page by random input for any length of time: buttons, keys, text and window sizes.
// Checks that its memory does not grow.
//
// node soak.mjs PAGE.html SECONDS

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [file, seconds] = [resolve(process.argv[2]), Number(process.argv[3])];
/** The most bytes by which the page's memory may grow after the first tenth of the time. */
const GROWTH_MAX = 64 << 20;
const KEYS = [..."sSnNdkuogprb+-[]?/ ", "Enter", "Escape", "Tab", "ArrowLeft", "ArrowRight", "Home", "End"];
const TEXTS = ["LDI 9\n", "loop: JMP loop\n", ".macro m\n", ")))", "\n", "ST 0x1fff\n"];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const page = await browser.newPage();
page.setDefaultTimeout(15_000);
const problems = [];
page.on("pageerror", (error) => problems.push(`the page fails: ${error}`));
page.on("dialog", (dialog) => dialog.dismiss());
// A file dialog would wait for a visitor.
page.on("filechooser", () => {});
// Keep the machine that the page makes, which is otherwise private.
await page.addInitScript(() => {
  // Keys can also follow links, which would leave the page.
  addEventListener("click", (event) => event.target.closest?.("a") && event.preventDefault(), true);
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function (module, imports) {
    const instance = new Instance(module, imports);
    globalThis.machineMemory = instance.exports.memory;
    return instance;
  };
});
await page.goto(pathToFileURL(file).href);
await page.waitForSelector("body[data-ready]");

/** A Lehmer generator, so that a run can be repeated. */
let state = 1;
const below = (n) => (state = (state * 48_271) % 0x7fff_ffff) % n;
const any = (list) => list[below(list.length)];

/**
 * The memory of the page in bytes: the machine's, the objects' and the document's, after a garbage
 * collection. The process has more memory, but the browser controls that. Its caches grow and
 * shrink by a hundred megabytes.
 */
const session = await page.context().newCDPSession(page);
async function memory() {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize } = await session.send("Runtime.getHeapUsage");
  const machine = await page.evaluate(() => globalThis.machineMemory.buffer.byteLength);
  return machine + usedSize + embedderHeapUsedSize;
}

async function turn() {
  switch (below(8)) {
    case 0:
      await page.setViewportSize({ width: 320 + below(1200), height: 300 + below(800) });
      break;
    case 1:
      await page.keyboard.type(any(TEXTS));
      break;
    case 2: case 3: case 4:
      await page.keyboard.press(any(KEYS));
      break;
    default:
      // Click any visible button, chip or LED, but not links, which would leave the page.
      await page.evaluate((n) => {
        const all = [...document.querySelectorAll(
          "button, summary, select, input, textarea, [role=button], [role=gridcell]")];
        const seen = all.filter((it) => it.checkVisibility() && !it.disabled && it.type !== "file");
        const chosen = seen[n % seen.length];
        chosen?.focus();
        if (chosen instanceof HTMLSelectElement) {
          chosen.selectedIndex = n % chosen.options.length;
          chosen.dispatchEvent(new Event("change", { bubbles: true }));
        } else {
          chosen?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        }
      }, below(100_000));
  }
}

const start = Date.now();
const share = () => (Date.now() - start) / 1000 / seconds;
let [turns, early, peak] = [0, 0, 0];
while (share() < 1) {
  for (let n = 0; n < 50; n += 1) await turn();
  turns += 50;
  // Check that the page still responds.
  assert.equal(await page.evaluate("document.body.dataset.ready !== undefined"), true);
  assert.deepEqual(problems, []);
  const now = await memory();
  peak = Math.max(peak, now);
  if (share() <= 0.1) early = Math.max(early, now);
  assert.ok(early === 0 || now < early + GROWTH_MAX, `turn ${turns}: from ${early} to ${now} bytes`);
}
console.log(`${turns} turns in ${seconds} s, from ${early >> 10} to at most ${peak >> 10} KiB`);
await browser.close();
