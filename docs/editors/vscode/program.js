// Finds the program `gray1`.

const { execFile } = require("node:child_process");
const { promisify } = require("node:util");
const { commands, window, workspace } = require("vscode");

// Returns the command in the current settings.
const command = () => workspace.getConfiguration("gray1").get("command");

// Returns whether a program can be started.
const canStart = async (program) => {
  try {
    await promisify(execFile)(program, ["--version"]);
    return true;
  } catch {
    return false;
  }
};

// Returns whether `gray1` can be started. If not, shows the user what to do.
exports.check = async () => {
  const program = command();
  if (await canStart(program)) {
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
