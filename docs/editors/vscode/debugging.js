// Starts debug sessions, and passes their LEDs to the panel.

const { commands, debug, window, workspace, DebugAdapterExecutable, Uri } = require("vscode");
const program = require("./program");

// Returns the user's settings for programs, without those that are not set.
const getSettings = () => {
  const all = workspace.getConfiguration("gray1");
  const fields = ["define", "include", "engine", "board"].map((name) => [name, all.get(name)]);
  return Object.fromEntries(fields.filter(([, value]) => value?.length));
};

// Returns the folder of the workspace that contains the program. Relative paths start there, as in
// the language server.
const findFolder = ({ configuration, workspaceFolder }) =>
  workspace.getWorkspaceFolder(Uri.file(configuration.program)) ??
  workspaceFolder ??
  workspace.workspaceFolders?.[0];

// Completes a configuration. Without launch.json, F5 debugs the program in the editor.
const resolveDebugConfiguration = async (_folder, configuration) => {
  if (!(await program.check())) {
    return undefined;
  }
  if (configuration.program) {
    return { ...getSettings(), ...configuration };
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
    ...getSettings(),
    ...configuration,
    program: document.uri.fsPath,
  };
};

// Registers the callbacks. Returns them, so that the editor can dispose of them.
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
        const options = { cwd: findFolder(session)?.uri.fsPath };
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
