// A fake of those parts of Visual Studio Code's API that the extension uses.

"use strict";
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

class Uri {
  constructor(path) {
    this.fsPath = path;
  }

  static file(path) {
    return new Uri(path);
  }

  static joinPath(uri, ...parts) {
    return new Uri(join(uri.fsPath, ...parts));
  }

  toString() {
    return pathToFileURL(this.fsPath).toString();
  }
}

class DebugAdapterExecutable {
  constructor(command, args, options) {
    Object.assign(this, { command, args, options });
  }
}

class ProcessExecution {
  constructor(process, args) {
    Object.assign(this, { process, args });
  }
}

class Task {
  constructor(_definition, _scope, _name, _source, execution) {
    this.execution = execution;
  }
}

const nothing = { dispose() {} };
const heard = {};

// Records the listeners of an event.
const listen = (name) => (listener) => {
  heard[name] = listener;
  return nothing;
};

// The view of the panel: its page, and the messages posted to it.
const view = { posted: [], html: "", receive: (message) => heard.message(message) };

// The messages shown to the user.
const shown = [];

const settings = { openPanel: true, colourBlind: false };

// The folders that are open.
const workspaceFolders = [];

// The extension's requests to the editor: registered commands, started sessions and tasks.
const commands = {};
const started = [];

module.exports = {
  Uri,
  DebugAdapterExecutable,
  ProcessExecution,
  Task,
  TaskScope: { Workspace: 2 },
  ViewColumn: { Beside: -2 },
  commands: {
    registerCommand: (name, command) => {
      commands[name] = command;
      return nothing;
    },
  },
  tasks: { executeTask: async (task) => void started.push(task.execution) },
  workspace: {
    workspaceFolders,
    saveAll: async () => true,
    getConfiguration: () => ({ get: (name) => settings[name] }),
    getWorkspaceFolder: ({ fsPath }) =>
      workspaceFolders.find(({ uri }) => fsPath.startsWith(join(uri.fsPath, "/"))),
  },
  window: {
    showErrorMessage: async (message) => void shown.push(message),
    createWebviewPanel: () => ({
      reveal() {},
      onDidDispose: () => nothing,
      webview: {
        cspSource: "file:",
        asWebviewUri: (uri) => uri,
        onDidReceiveMessage: listen("message"),
        postMessage: (message) => view.posted.push(message),
        set html(text) {
          view.html = text;
        },
      },
    }),
  },
  debug: {
    startDebugging: async (_folder, configuration) => void started.push(configuration),
    registerDebugAdapterDescriptorFactory: (_type, factory) => listen("adapter")(factory),
    registerDebugConfigurationProvider: (_type, provider) => listen("configuration")(provider),
    onDidStartDebugSession: listen("start"),
    onDidTerminateDebugSession: listen("end"),
    onDidReceiveDebugSessionCustomEvent: listen("custom"),
  },

  // Actions that the test performs in place of the editor.
  settings,
  shown,
  view,
  run: (command, argument) => commands[command](argument),
  asked: started,
  adapter: (session) => heard.adapter.createDebugAdapterDescriptor(session),
  resolved: (given) => heard.configuration.resolveDebugConfiguration(undefined, given),
  started: (session) => heard.start(session),
  customEvent: (session, event, body) => heard.custom({ session, event, body }),
};
