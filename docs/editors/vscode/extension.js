// Starts `gray1 lsp` and lets the editor talk to it. All knowledge of the language is there.

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("gray1").get("command");
  client = new LanguageClient(
    "gray1",
    "Gray-1",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "gray1" }],
      // Libraries may change outside of the editor.
      synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.asm") },
    },
  );
  return client.start();
};

exports.deactivate = () => client?.stop();
