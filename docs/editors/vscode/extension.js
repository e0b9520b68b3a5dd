// Connects the editor to `gray1 lsp` and `gray1 dap`, which know the language and the machine. This
// extension only starts them and adds the panel with the LEDs.

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const debugging = require("./debugging");
const lenses = require("./lenses");
const { Panel } = require("./panel");
const program = require("./program");

let client;

// Starts the language server if `gray1` can be started.
async function start() {
  if (!(await program.check())) {
    return;
  }
  client = new LanguageClient(
    "gray1",
    "Gray-1",
    { command: program.command(), args: ["lsp"] },
    {
      documentSelector: [{ language: "gray1" }],
      synchronize: { configurationSection: "gray1" },
    },
  );
  await client.start();
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

exports.activate = async (context) => {
  const panel = new Panel(context.extensionUri);
  const restart = async (change) => {
    if (change.affectsConfiguration("gray1.command")) {
      await stop();
      await start();
    }
  };
  context.subscriptions.push(
    panel,
    ...debugging.register(panel),
    ...lenses.register(),
    workspace.onDidChangeConfiguration(restart),
  );
  await start();
};

exports.deactivate = stop;
