// Measures the frame rate of the page on a slow computer. The processor is slowed down four times,
// the chips are open, and the search is running. Prints the medians of several visits, and fails if
// they are too low.
//
// node frames.mjs PAGE.html [VISITS]
//
// Baseline: 21 frames a second, and 250 ms for the slowest frame, before the page redrew only
// changes. Three visits after that had 47, 44 and 33 frames a second, and 67, 50 and 183 ms.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [file, visits] = [resolve(process.argv[2]), Number(process.argv[3] ?? 5)];
const SLOWER = 4;
const [RATE_MIN, LONGEST_MAX] = [25, 150];
/** The duration of the measurement in seconds. */
const SECONDS = 5;

/** Counts the frames of a new visit. */
async function count(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("body[data-ready]");
  await page.click("[data-door=chips]");
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.waitForTimeout(1000);
  const frames = await page.evaluate((seconds) => new Promise((done) => {
    const frames = [];
    let before;
    const frame = (time) => {
      if (before !== undefined) frames.push(time - before);
      before = time;
      if (frames.reduce((sum, it) => sum + it, 0) < seconds * 1000) requestAnimationFrame(frame);
      else done(frames);
    };
    requestAnimationFrame(frame);
  }), SECONDS);
  assert.equal(await page.getAttribute("#play", "data-state"), "pause", "it runs to the end");
  await page.close();
  return { rate: frames.length / SECONDS, longest: Math.max(...frames) };
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const counts = [];
for (let n = 0; n < visits; n++) counts.push(await count(browser));
await browser.close();
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const rate = median(counts.map(({ rate }) => rate));
const longest = median(counts.map(({ longest }) => longest));
console.log(`${rate.toFixed(0)} frames a second, the slowest ${longest.toFixed(0)} ms`);
assert(rate >= RATE_MIN, `fewer than ${RATE_MIN} frames a second`);
assert(longest <= LONGEST_MAX, `a frame of more than ${LONGEST_MAX} ms`);
