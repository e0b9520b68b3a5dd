// The commands of code lenses: debug a program, or run its tests in a terminal.

const { commands, debug, ProcessExecution, Task, tasks, TaskScope, workspace } = require("vscode");
const program = require("./program");

exports.register = () => {
  const startDebugging = async ({ program: path }) => {
    await workspace.saveAll();
    const launch = { type: "gray1", request: "launch", name: "Gray-1: this program" };
    await debug.startDebugging(undefined, { ...launch, program: path, stopOnEntry: true });
  };
  const runTests = async ({ tests: file }) => {
    await workspace.saveAll();
    const execution = new ProcessExecution(program.command(), ["test", file]);
    await tasks.executeTask(
      new Task({ type: "process" }, TaskScope.Workspace, "test", "gray1", execution),
    );
  };
  return [
    commands.registerCommand("gray1.debug", startDebugging),
    commands.registerCommand("gray1.test", runTests),
  ];
};
