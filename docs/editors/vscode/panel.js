// The panel of the machine in a view of its own: the LEDs of a debug session, and the buttons.

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { window, workspace, Uri, ViewColumn } = require("vscode");

class Panel {
  // The debug session whose LEDs are shown, and what it said last.
  #session;
  #leds;
  #view;
  #folder;

  constructor(extension) {
    this.#folder = Uri.joinPath(extension, "panel");
  }

  // Opens the view, or brings it to the front.
  open() {
    if (this.#view) {
      this.#view.reveal(undefined, true);
      return;
    }
    const place = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    this.#view = window.createWebviewPanel("gray1.panel", "Gray-1", place, {
      enableScripts: true,
      localResourceRoots: [this.#folder],
    });
    this.#view.onDidDispose(() => (this.#view = undefined));
    this.#view.webview.onDidReceiveMessage((message) => this.#receive(message));
    this.#view.webview.html = this.#page(this.#view.webview);
  }

  // Shows the LEDs of a session from now on.
  async attach(session) {
    this.#session = session;
    this.#leds = undefined;
    this.open();
    // With this request the events begin. One that comes before its reply is handled is newer.
    const leds = await session.customRequest("gray1/leds");
    if (!this.#leds) {
      this.show(session, leds);
    }
  }

  detach(session) {
    if (this.#session === session) {
      this.#session = undefined;
    }
  }

  show(session, leds) {
    if (this.#session === session) {
      this.#leds = leds;
      this.#send();
    }
  }

  dispose() {
    this.#view?.dispose();
  }

  // The page that the tests of the project open in a browser, too.
  #page(webview) {
    const page = readFileSync(join(this.#folder.fsPath, "index.html"), "utf8");
    return page
      .replaceAll("{{source}}", webview.cspSource)
      .replaceAll("{{folder}}", webview.asWebviewUri(this.#folder).toString());
  }

  #send() {
    const colourBlind = workspace.getConfiguration("gray1").get("colourBlind");
    this.#view?.webview.postMessage({ ...this.#leds, colourBlind });
  }

  #receive(message) {
    if (message.ready && this.#leds) {
      // A view that was hidden begins anew.
      this.#send();
    } else if (message.held) {
      this.#session?.customRequest("gray1/press", { buttons: message.held });
    }
  }
}

exports.Panel = Panel;
