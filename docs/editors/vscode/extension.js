// Starts `gray1 lsp` and `gray1 dap` and lets the editor talk to them. All knowledge of the language
// and of the machine is there; here are only the panel with the LEDs and what an editor must be told.

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const debugging = require("./debugging");
const lenses = require("./lenses");
const { Panel } = require("./panel");

let client;

exports.activate = (context) => {
  const command = workspace.getConfiguration("gray1").get("command");
  client = new LanguageClient(
    "gray1",
    "Gray-1",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "gray1" }],
      synchronize: {
        // Libraries may change outside of the editor.
        fileEvents: workspace.createFileSystemWatcher("**/*.asm"),
        configurationSection: "gray1",
      },
    },
  );
  const panel = new Panel(context.extensionUri);
  context.subscriptions.push(
    panel,
    ...debugging.register(command, panel),
    ...lenses.register(command),
  );
  return client.start();
};

exports.deactivate = () => client?.stop();
