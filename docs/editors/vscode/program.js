// The program `gray1` that does the work.

const { execFile } = require("node:child_process");
const { promisify } = require("node:util");
const { commands, window, workspace } = require("vscode");

// As the settings have it now.
const command = () => workspace.getConfiguration("gray1").get("command");

// Whether a program can be started.
const isThere = async (program) => {
  try {
    await promisify(execFile)(program, ["--version"]);
    return true;
  } catch {
    return false;
  }
};

// Whether `gray1` can be started. If not, the user is told what to do.
exports.check = async () => {
  const program = command();
  if (await isThere(program)) {
    return true;
  }
  const settings = "Open Settings";
  const message = `Gray-1: cannot start ${program}. Install gray1, or set gray1.command.`;
  window.showErrorMessage(message, settings).then((chosen) => {
    if (chosen === settings) {
      commands.executeCommand("workbench.action.openSettings", "gray1.command");
    }
  });
  return false;
};

exports.command = command;
