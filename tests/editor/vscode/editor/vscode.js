// As much of Visual Studio Code's interface as the extension's debugger and panel use.

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
  constructor(command, args) {
    Object.assign(this, { command, args });
  }
}

const nothing = { dispose() {} };
const heard = {};

// Notes who listens to an event.
const listen = (name) => (listener) => {
  heard[name] = listener;
  return nothing;
};

// The view of the panel: what it shows, and what was posted to it.
const view = { posted: [], html: "", receive: (message) => heard.message(message) };

// The messages that the user is shown.
const shown = [];

const settings = { openPanel: true, colourBlind: false };

module.exports = {
  Uri,
  DebugAdapterExecutable,
  ViewColumn: { Beside: -2 },
  commands: { registerCommand: () => nothing },
  workspace: { getConfiguration: () => ({ get: (name) => settings[name] }) },
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
    registerDebugAdapterDescriptorFactory: (_type, factory) => listen("adapter")(factory),
    registerDebugConfigurationProvider: (_type, provider) => listen("configuration")(provider),
    onDidStartDebugSession: listen("start"),
    onDidTerminateDebugSession: listen("end"),
    onDidReceiveDebugSessionCustomEvent: listen("custom"),
  },

  // What the test does in place of the editor.
  settings,
  shown,
  view,
  adapter: () => heard.adapter.createDebugAdapterDescriptor(),
  resolved: (given) => heard.configuration.resolveDebugConfiguration(undefined, given),
  started: (session) => heard.start(session),
  customEvent: (session, event, body) => heard.custom({ session, event, body }),
};
