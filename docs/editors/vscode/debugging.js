// Debug sessions: how one is started, and what is told of it to the panel with the LEDs.

const { commands, debug, window, workspace, DebugAdapterExecutable, Uri } = require("vscode");
const program = require("./program");

// The user's settings for programs, as far as they are set.
const settings = () => {
  const all = workspace.getConfiguration("gray1");
  const fields = ["define", "include", "engine", "board"].map((name) => [name, all.get(name)]);
  return Object.fromEntries(fields.filter(([, value]) => value?.length));
};

// The adapter's folder, at which relative paths start: that of the program in the workspace. The
// language server takes the same one.
const folder = ({ configuration, workspaceFolder }) =>
  workspace.getWorkspaceFolder(Uri.file(configuration.program)) ??
  workspaceFolder ??
  workspace.workspaceFolders?.[0];

// What F5 does in a folder without launch.json, and what a configuration leaves out.
const resolveDebugConfiguration = async (_folder, configuration) => {
  if (!(await program.check())) {
    return undefined;
  }
  if (configuration.program) {
    return { ...settings(), ...configuration };
  }
  const document = window.activeTextEditor?.document;
  if (document?.languageId !== "gray1") {
    window.showErrorMessage("Gray-1: no program to debug; open one, or name it in launch.json.");
    return undefined;
  }
  return {
    type: "gray1",
    request: "launch",
    name: "Gray-1: this program",
    stopOnEntry: true,
    ...settings(),
    ...configuration,
    program: document.uri.fsPath,
  };
};

// What the editor shall call, to be disposed of with the extension.
exports.register = (panel) => {
  const isOurs = (session) => session?.type === "gray1";
  const attach = (session) => {
    if (isOurs(session)) {
      panel.attach(session);
    }
  };
  const start = (session) => {
    if (workspace.getConfiguration("gray1").get("openPanel")) {
      attach(session);
    }
  };
  return [
    debug.registerDebugAdapterDescriptorFactory("gray1", {
      createDebugAdapterDescriptor: (session) => {
        const options = { cwd: folder(session)?.uri.fsPath };
        return new DebugAdapterExecutable(program.command(), ["dap"], options);
      },
    }),
    debug.registerDebugConfigurationProvider("gray1", { resolveDebugConfiguration }),
    debug.onDidStartDebugSession(start),
    debug.onDidTerminateDebugSession((session) => panel.detach(session)),
    debug.onDidReceiveDebugSessionCustomEvent(({ session, event, body }) => {
      if (isOurs(session) && event === "gray1/leds") {
        panel.show(session, body);
      }
    }),
    commands.registerCommand("gray1.showPanel", () => {
      panel.open();
      attach(debug.activeDebugSession);
    }),
  ];
};
