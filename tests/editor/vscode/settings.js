// Runs the extension's own code in a fake editor. Prints the sessions and tasks that it starts for
// F5 and for the lenses, as JSON.
//
//   node settings.js GRAY1 FOLDER LENSES

"use strict";
const assert = require("node:assert");
const { join } = require("node:path");

const editor = require("./editor/vscode");
const extension = join(__dirname, "../../../docs/editors/vscode");
const debugging = require(join(extension, "debugging.js"));
const lenses = require(join(extension, "lenses.js"));

const [gray1, folder, given] = process.argv.slice(2);

async function main() {
  debugging.register({});
  lenses.register();
  editor.workspace.workspaceFolders.push(
    { uri: editor.Uri.file("/elsewhere") },
    { uri: editor.Uri.file(folder) },
  );
  const program = join(folder, "p.asm");
  const asked = { type: "gray1", request: "launch", name: "test", program };
  Object.assign(editor.settings, { command: gray1, define: [], include: [], engine: null });
  assert.deepEqual(await editor.resolved(asked), asked);
  Object.assign(editor.settings, { define: ["N=9"], include: ["course"], engine: "chips" });
  const launch = await editor.resolved({ ...asked, engine: "instruction" });
  const { options } = editor.adapter({ configuration: launch });
  const other = editor.adapter({ configuration: { program: "queens" } });
  assert.deepEqual(other.options, { cwd: "/elsewhere" });
  for (const { command, arguments: [argument] } of JSON.parse(given)) {
    await editor.run(command, argument);
  }
  const [debug, { args }] = editor.asked;
  process.stdout.write(JSON.stringify({ launch, cwd: options.cwd, debug, args }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
