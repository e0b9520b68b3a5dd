// Starts `gray1 lsp` and lets the editor talk to it. All knowledge of the language is there.

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const lenses = require("./lenses");

let client;

exports.activate = (context) => {
  const command = workspace.getConfiguration("gray1").get("command");
  context.subscriptions.push(...lenses.register(command));
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
  return client.start();
};

exports.deactivate = () => client?.stop();
