// The commands of code lenses: they run `gray1` in a terminal.

const { commands, ProcessExecution, Task, tasks, TaskScope, workspace } = require("vscode");

/// Registers the commands, which start this `gray1`.
exports.register = (gray1) => {
  const run = async (...words) => {
    await workspace.saveAll();
    const execution = new ProcessExecution(gray1, words);
    const task = new Task({ type: "process" }, TaskScope.Workspace, words[0], "gray1", execution);
    await tasks.executeTask(task);
  };
  return [
    commands.registerCommand("gray1.debug", ({ program }) => run("debug", program)),
    commands.registerCommand("gray1.test", ({ tests }) => run("test", tests)),
  ];
};
