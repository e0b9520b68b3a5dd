// Runs the extension's own code in a fake editor. A debug session runs a program up to its HALT,
// and the panel receives its LEDs. Prints the panel's page and the messages posted to it, as JSON.
//
//   node session.js GRAY1 PROGRAM

"use strict";
const assert = require("node:assert");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const editor = require("./editor/vscode");
const extension = join(__dirname, "../../../docs/editors/vscode");
const debugging = require(join(extension, "debugging.js"));
const { Panel } = require(join(extension, "panel.js"));

const [gray1, program] = process.argv.slice(2);

async function main() {
  const panel = new Panel(editor.Uri.file(extension));
  debugging.register(panel);
  const asked = { type: "gray1", request: "launch", name: "test", program };
  // If gray1 is not installed, the extension starts no process and tells the user what to do.
  editor.settings.command = join(program, "nothing");
  assert.equal(await editor.resolved(asked), undefined);
  assert.match(editor.shown.at(-1), /^Gray-1: cannot start .*nothing\. Install gray1/);
  editor.settings.command = gray1;
  const { command, args } = editor.adapter({ configuration: asked });
  const client = new DebugClient(command, args.join(" "), "gray1");
  await client.start();
  const reported = new Promise((resolve) => {
    client.on("gray1/leds", ({ event, body }) => {
      editor.customEvent(session, event, body);
      if (body.buttons.includes("left")) {
        resolve();
      }
    });
  });
  const session = {
    type: "gray1",
    // An editor may handle an event before a reply that the adapter sent earlier. This one does.
    customRequest: async (request, given) => {
      const { body } = await client.send(request, given);
      await reported;
      return body;
    },
  };
  const initialized = client.waitForEvent("initialized");
  await client.initializeRequest();
  const given = await editor.resolved(asked);
  const launched = client.launchRequest(given);
  await initialized;
  const halt = readFileSync(program, "utf8").split("\n").findIndex((line) => line.includes("HALT"));
  const breakpoints = [{ line: halt + 1 }];
  await client.setBreakpointsRequest({ source: { path: program }, breakpoints });
  const stopped = client.waitForEvent("stopped", 60000);
  await client.configurationDoneRequest();
  await launched;
  editor.started(session);
  await stopped;
  // A button held in the panel is also held in the machine.
  editor.view.receive({ held: ["left", "a"] });
  await reported;
  // The delayed reply is handled now.
  await new Promise((resolve) => setTimeout(resolve));
  const { html, posted } = editor.view;
  process.stdout.write(JSON.stringify({ html, posted }));
  await client.stop();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
