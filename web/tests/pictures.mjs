// Takes the pictures of docs/WEB.md, with ImageMagick: node pictures.mjs PAGE.html docs/pictures

import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
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
  // Somewhere in the middle, standing, so that the same picture comes every time.
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
await browser.close();
