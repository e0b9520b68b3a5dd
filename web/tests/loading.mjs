// Measures the loading time of a page over a slow connection: until its layout is painted, and
// until the machine lights its first LED.
//
// node loading.mjs PAGE.html [MBIT]

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const [file, mbit = "1.6"] = process.argv.slice(2);
const body = gzipSync(readFileSync(file));
const server = createServer((_, response) => {
  response.writeHead(200, { "Content-Type": "text/html", "Content-Encoding": "gzip" }).end(body);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});

/** Returns the seconds of one visit. */
async function visit() {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const downloadThroughput = (Number(mbit) * 1e6) / 8;
  const line = { offline: false, latency: 150, downloadThroughput, uploadThroughput: 1e5 };
  await session.send("Network.emulateNetworkConditions", line);
  await page.addInitScript(() => {
    const seen = (time) => {
      const leds = document.body?.dataset.ready ? globalThis.gray1.state().leds : {};
      if (Object.values(leds).flat().some((row) => row > 0)) document.body.dataset.lit = time;
      else requestAnimationFrame(seen);
    };
    requestAnimationFrame(seen);
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "commit" });
  await page.waitForSelector("[data-lit]");
  const times = await page.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0].startTime, Number(document.body.dataset.lit),
  ]);
  await page.close();
  return times.map((time) => time / 1000);
}

const visits = [];
for (let n = 0; n < 5; n++) visits.push(await visit());
["the frame", "the first LED"].forEach((name, n) => {
  const times = visits.map((visit) => visit[n]).sort((a, b) => a - b);
  console.log(`${name}: ${times.map((time) => time.toFixed(2)).join(" ")} s`);
});
await browser.close();
server.close();
