// Makes one file of the page: node build.mjs MODULE.wasm PAGE.html

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = (name) => new URL(name, import.meta.url).pathname;
const [wasm, page] = process.argv.slice(2);

async function bundled(name) {
  const { outputFiles } = await build({
    entryPoints: [here(name)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    legalComments: "none",
  });
  return outputFiles[0].text.trim();
}

/** Packs a file for `DecompressionStream`: by a twentieth smaller where zopfli is installed. */
function packed(path) {
  const { status, stdout } = spawnSync("zopfli", ["--i5", "-c", path], { maxBuffer: 2 ** 24 });
  return status === 0 ? stdout : gzipSync(readFileSync(path), { level: 9 });
}

const module = packed(wasm);
// The parser of HTML ends a script there, wherever it stands.
const script = (await bundled("main.ts")).replaceAll("</script", "<\\/script");
const hash = createHash("sha256").update(script).digest("base64");
const csp = [
  "default-src 'none'",
  `script-src 'sha256-${hash}' 'wasm-unsafe-eval'`,
  "style-src 'nonce-page'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const style = await bundled("page.css");
const parts = { csp, script, style, module: module.toString("base64") };
const html = readFileSync(here("page.html"), "utf8");
writeFileSync(page, html.replace(/\{(csp|style|module|script)\}/g, (_, name) => parts[name]));
const size = gzipSync(readFileSync(page)).length;
console.log(`${page}: ${size} bytes packed, ${module.length} of them the machine`);
