// Builds the page as one file: node build.mjs MODULE.wasm PAGE.html

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { minify } from "terser";

const here = (name) => new URL(name, import.meta.url).pathname;
const [wasm, page] = process.argv.slice(2);
const packages = new Set();

async function bundle(name) {
  const { outputFiles, metafile } = await build({
    entryPoints: [here(name)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    metafile: true,
  });
  for (const path of Object.keys(metafile.inputs)) {
    const [, name] = path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/) ?? [];
    if (name) packages.add(name);
  }
  const text = outputFiles[0].text.trim();
  // Packed, the script is 2 % smaller after a second minifier.
  return name.endsWith(".ts") ? (await minify(text, { compress: { passes: 2 } })).code : text;
}

/** Packs a file with Zstandard: a sixth smaller than gzip, the best that all browsers unpack. */
function pack(path) {
  const options = ["--ultra", "-22", "--no-check", "--stdout", path];
  const { status, stdout, error } = spawnSync("zstd", options, { maxBuffer: 2 ** 24 });
  if (status !== 0) throw error ?? new Error("zstd fails");
  return stdout;
}

/** Returns the check sum of `load.ts`. */
function checkSum(bytes) {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}

/** Runs a command and returns the lines that it prints. */
function runCommand(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { cwd: here("."), encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} fails`);
  return stdout.trim().split("\n");
}

/** Lists the packages and crates in the page with their licences, and returns the licence texts. */
function listParts() {
  const read = (name, file) => readFileSync(here(`../node_modules/${name}/${file}`), "utf8");
  const scripts = [...packages].map((name) => {
    const { version, license } = JSON.parse(read(name, "package.json"));
    return `${name} ${version} (${license})`;
  });
  const tree = ["tree", "--locked", "-p", "gray1-web", "--target", "wasm32-unknown-unknown"];
  const crates = runCommand("cargo", ...tree, "-e", "normal,no-proc-macro", "--prefix", "none",
    "-f", "{p} ({l})").filter((line) => !/^gray1-|\(\*\)$/.test(line));
  const texts = new Set([...packages].map((name) => read(name, "LICENSE").trim()));
  return [[...scripts.sort(), ...new Set(crates.sort())].join(", "), [...texts].join("\n\n")];
}

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const module = pack(wasm);
// The HTML parser ends a script at this tag, even inside a string.
const script = (await bundle("main.ts")).replaceAll("</script", "<\\/script");
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
const style = await bundle("page.css") + await bundle("../../sim/board/src/drawing.css");
const [version] = runCommand("cargo", "pkgid", "-p", "gray1-web").map((id) => id.split(/[#@]/).pop());
const [inside, licences] = listParts().map(escape);
// The module is in parts, so that the page can unpack and compile those that have arrived.
const machine = module.toString("base64").match(/.{1,65536}/g)
  .map((part) => `<script type="application/octet-stream" class="module">${part}</script>`);
const size = ((module.length + gzipSync(script + style).length) / 1e6).toFixed(1);
const values = {
  csp, script, style, module: machine.join("\n"), bytes: module.length, version, size,
  parts: inside, licences, check: checkSum(readFileSync(wasm)),
};
// Indentation costs 200 bytes of the packed page.
const html = readFileSync(here("page.html"), "utf8").replace(/^ +/gm, "");
writeFileSync(page, html.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole));
const packedSize = gzipSync(readFileSync(page)).length;
console.log(`${page}: ${packedSize} bytes packed, ${module.length} of them the machine`);
