// Takes the pictures of README.md and docs/WEB.md, with ImageMagick and img2webp (Debian's `webp`):
// node pictures.mjs PAGE.html docs/pictures

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [file, folder] = process.argv.slice(2).map((path) => resolve(path));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
for (const [name, width, height, scale, colorScheme, door] of [
  ["phone-light", 390, 844, 100, "light"],
  ["phone-dark", 390, 844, 100, "dark", "learn"],
  ["laptop-light", 1280, 800, 66, "light"],
  ["laptop-dark", 1280, 800, 66, "dark", "read"],
  ["wide-light", 1920, 1080, 50, "light", "chips"],
  ["wide-dark", 1920, 1080, 50, "dark"],
]) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("body[data-ready]");
  // Pause in the middle of the run, so that the picture is the same every time.
  await page.click("#results li:nth-child(34) button");
  await page.click("[data-transport=back]");
  if (door) await page.click(`[data-door=${door}]`);
  else await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(() => document.activeElement?.blur());
  await page.mouse.move(1, height - 1);
  await page.waitForTimeout(700);
  const path = `${folder}/web-${name}.png`;
  await page.screenshot({ path });
  const small = ["-resize", `${scale}%`, "-dither", "None", "-colors", "56", "-strip"];
  execFileSync("convert", [path, ...small, "-define", "png:compression-level=9", path]);
  await context.close();
}
// Drag the film strip back before a queen was placed, and forward again. Then follow a byte, phase
// by phase, into data memory.
for (const colorScheme of ["light", "dark"]) {
  const frames = [];
  const folderOfFrames = mkdtempSync(join(tmpdir(), "gray1-film-"));
  const context = await browser.newContext({ viewport: { width: 1280, height: 700 }, colorScheme });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("body[data-ready]");
  await page.click("#play");
  await page.click("[data-door=chips]");
  const take = async (milliseconds) => {
    await page.mouse.move(1, 699);
    await page.waitForTimeout(120);
    const path = join(folderOfFrames, `${frames.length}.png`);
    await page.screenshot({ path });
    execFileSync("mogrify", ["-resize", "75%", path]);
    frames.push("-d", String(milliseconds), path);
  };
  const drag = (moment) => page.evaluate((moment) => gray1.ask("seek", moment), moment);
  const [first, last, step] = [60_000, 132_000, 6_000];
  for (let moment = last; moment >= first; moment -= step) {
    await drag(moment);
    await take(140);
  }
  for (let moment = first; moment <= last; moment += 2 * step) {
    await drag(moment);
    await take(100);
  }
  await take(600);
  // Go to the next instruction that stores a byte.
  while (!/ ST /.test(await page.textContent("#instruction"))) {
    await page.click("[data-key=s]");
    await page.waitForTimeout(50);
  }
  for (let phase = 0; phase < 8; phase += 1) {
    await page.click(`#phases button:nth-child(${phase + 1})`);
    await take(phase === 6 ? 1500 : 600);
  }
  const lossy = ["-loop", "0", "-lossy", "-q", "60", "-m", "6"];
  const path = `${folder}/page-${colorScheme}.webp`;
  execFileSync("img2webp", [...lossy, ...frames, "-o", path], { stdio: "ignore" });
  rmSync(folderOfFrames, { recursive: true });
  await context.close();
}
await browser.close();
