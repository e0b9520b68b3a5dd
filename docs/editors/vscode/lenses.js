// The commands of code lenses: debug a program, or run its tests in a terminal.

const { commands, debug, ProcessExecution, Task, tasks, TaskScope, workspace } = require("vscode");
const program = require("./program");

// Converts settings to command-line options of the same names.
const toOptions = (settings) =>
  Object.entries(settings).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [`--${name}`, `${value}`]),
  );

exports.register = () => {
  const startDebugging = async (launch) => {
    await workspace.saveAll();
    const ours = { type: "gray1", request: "launch", name: "Gray-1: this program" };
    await debug.startDebugging(undefined, { ...ours, ...launch, stopOnEntry: true });
  };
  const runTests = async ({ program: _, tests, ...settings }) => {
    await workspace.saveAll();
    const args = ["test", tests, ...toOptions(settings)];
    const execution = new ProcessExecution(program.command(), args);
    await tasks.executeTask(
      new Task({ type: "process" }, TaskScope.Workspace, "test", "gray1", execution),
    );
  };
  return [
    commands.registerCommand("gray1.debug", startDebugging),
    commands.registerCommand("gray1.test", runTests),
  ];
};
