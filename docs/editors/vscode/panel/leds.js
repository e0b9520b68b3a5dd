// Draws the LEDs that a debug session reports, and reports the buttons that are held.

const editor = acquireVsCodeApi();
const COLOURS = { ".": "dark", R: "red", G: "green", Y: "yellow" };
const BUTTONS = ["up", "down", "left", "right", "a", "b", "select", "start"];
const KEYS = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  a: "a",
  b: "b",
  Backspace: "select",
  Enter: "start",
};

const leds = document.getElementById("leds");
const moment = document.getElementById("moment");
const held = new Set();

for (let square = 0; square < 64; square += 1) {
  leds.append(document.createElement("span"));
}

const buttons = new Map(
  BUTTONS.map((name) => {
    const button = document.createElement("button");
    button.textContent = name;
    button.style.gridArea = name;
    button.addEventListener("pointerdown", () => hold(name, true));
    document.getElementById("buttons").append(button);
    return [name, button];
  }),
);

// Reports only changes, because a key that is held repeats.
function hold(name, isHeld) {
  if (held.has(name) !== isHeld) {
    isHeld ? held.add(name) : held.delete(name);
    editor.postMessage({ held: [...held] });
  }
}

function releaseAll() {
  for (const name of [...held]) {
    hold(name, false);
  }
}

function handleKey(isDown) {
  return (event) => {
    const name = KEYS[event.key];
    if (name) {
      event.preventDefault();
      hold(name, isDown);
    }
  };
}

addEventListener("keydown", handleKey(true));
addEventListener("keyup", handleKey(false));
// The pointer may be released elsewhere, and keys in another window.
addEventListener("pointerup", releaseAll);
addEventListener("pointercancel", releaseAll);
addEventListener("blur", releaseAll);

addEventListener("message", ({ data }) => {
  document.body.classList.toggle("colour-blind", Boolean(data.colourBlind));
  [...data.rows.join("")].forEach((letter, square) => {
    leds.children[square].className = COLOURS[letter];
  });
  leds.setAttribute("aria-label", data.rows.join("\n"));
  moment.textContent = `after ${data.moment.toLocaleString("en")} instructions`;
  for (const [name, button] of buttons) {
    button.setAttribute("aria-pressed", data.buttons.includes(name));
  }
});

editor.postMessage({ ready: true });
