// The panel of the machine in a view of its own: the LEDs of a debug session, and the buttons.

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { window, workspace, Uri, ViewColumn } = require("vscode");

class Panel {
  // The debug session whose LEDs are shown, and its last report of them.
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
    this.#view.webview.html = this.#makePage(this.#view.webview);
  }

  // Shows the LEDs of a session from now on.
  async attach(session) {
    this.#session = session;
    this.#leds = undefined;
    this.open();
    // After this request, the session sends events. One that arrives before the reply is newer.
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

  // Returns the HTML of the view.
  #makePage(webview) {
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
      // A view that was hidden has been loaded again.
      this.#send();
    } else if (message.held) {
      this.#session?.customRequest("gray1/press", { buttons: message.held });
    }
  }
}

exports.Panel = Panel;
