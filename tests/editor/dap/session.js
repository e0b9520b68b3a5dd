// A session of Visual Studio Code's own test client with `gray1 dap`. Going back must show the same
// stops, variables and memory as going forward.
//
//   node session.js GRAY1 PROGRAM ENGINE

"use strict";
const assert = require("node:assert");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const [gray1, program, engine] = process.argv.slice(2);
const client = new DebugClient(gray1, "dap", "gray1");

// Starts to wait for the next event of this name before sending the request that causes it.
async function after(name, request, ...rest) {
  const event = client.waitForEvent(name, 60000);
  await client.send(request, ...rest);
  return (await event).body;
}

async function ask(request, given = {}) {
  return (await client.send(request, given)).body;
}

async function refusal(request, given = {}) {
  return client.send(request, given).then(
    () => assert.fail(`${request} is granted`),
    (error) => error.message,
  );
}

// The complete visible state of the machine: frames, scopes with their variables, data memory.
async function seen() {
  const frames = (await ask("stackTrace", { threadId: 1 })).stackFrames;
  const inside = async (reference) => {
    const { variables } = await ask("variables", { variablesReference: reference });
    return Promise.all(variables.map(async (variable) => [
      variable.name,
      variable.value,
      variable.variablesReference ? await inside(variable.variablesReference) : [],
    ]));
  };
  const { scopes } = await ask("scopes", { frameId: frames[0].id });
  const values = {};
  for (const scope of scopes) values[scope.name] = await inside(scope.variablesReference);
  const memory = (await ask("readMemory", { memoryReference: "0", count: 8192 })).data;
  assert.strictEqual(Buffer.from(memory, "base64").length, 8192);
  const places = frames.map(({ name, line, instructionPointerReference }) =>
    [name, line, instructionPointerReference]);
  return { places, values, memory };
}

// Moves, and returns the reason for the stop and the visible state.
async function go(request, given = {}) {
  const stopped = await after("stopped", request, { threadId: 1, ...given });
  const { reason, hitBreakpointIds: ids, description } = stopped;
  return { stop: { reason, ids, description }, ...(await seen()) };
}

async function launch() {
  const capabilities = (await client.initializeRequest()).body;
  assert(capabilities.supportsStepBack && capabilities.supportsDataBreakpoints);
  assert.match(await refusal("launch", { program: "no/such.asm" }), /cannot read no\/such.asm/);
  const initialized = client.waitForEvent("initialized");
  const launched = { program, engine, ram: "random:7", stopOnEntry: true };
  await Promise.all([initialized, client.launchRequest(launched)]);
}

async function setBreakpoints() {
  const { breakpoints: [call] } = await ask("setBreakpoints", {
    source: { path: program },
    breakpoints: [
      { line: 25, condition: "[n] % 3 == 1" },
      { line: 26, hitCondition: "% 4" },
      { line: 28, logMessage: "n = {[n]}" },
    ],
  });
  assert(call.verified && call.line === 25, JSON.stringify(call));
  const info = await ask("dataBreakpointInfo", { name: "pair" });
  const { breakpoints: data } = await ask("setDataBreakpoints", {
    breakpoints: [
      { dataId: info.dataId, accessType: "read" },
      { dataId: info.dataId, accessType: "write", hitCondition: ">= 2" },
      { dataId: info.dataId, accessType: "readWrite", condition: "A == 8" },
    ],
  });
  await ask("setFunctionBreakpoints", {
    breakpoints: [{ name: "bump", hitCondition: "2" }, { name: "led" }, { name: "mailbox" }],
  });
  const { instructions } = await ask("disassemble", {
    memoryReference: "0x0000", instructionOffset: 4, instructionCount: 1,
  });
  await ask("setInstructionBreakpoints", {
    breakpoints: [{ instructionReference: instructions[0].address }],
  });
  assert(data.every((breakpoint) => breakpoint.verified));
}

// Runs from stop to stop to the end, and back to the beginning.
async function thereAndBack() {
  const there = [];
  const logged = [];
  const printed = [];
  client.on("output", ({ body }) => (body.category === "stdout" ? printed : logged).push(body.output));
  do there.push(await go("continue")); while (there.at(-1).stop.reason !== "halted");
  const reasons = new Set(there.map(({ stop }) => stop.reason));
  for (const kind of ["", "data ", "function ", "instruction "]) {
    assert(reasons.has(`${kind}breakpoint`), `${kind}breakpoint in ${[...reasons]}`);
  }
  assert(there.length > 30, `${there.length} stops`);
  assert.strictEqual(printed.join(""), "done\n");
  const messages = logged.filter((text) => text.startsWith("n = "));
  assert.strictEqual(messages[0], "n = 1\n");
  assert.strictEqual(messages.length, 20);
  for (const expected of there.slice(0, -1).reverse()) {
    assert.deepStrictEqual(await go("reverseContinue"), expected);
  }
  assert.strictEqual((await go("reverseContinue")).stop.reason, "entry");
  assert.strictEqual(logged.filter((text) => text.startsWith("n = ")).length, 20);
  return there.length;
}

// Steps of all kinds, then back through each of their instructions.
async function stepsAndBack() {
  const moment = ({ values }) => values.Registers.find(([name]) => name === "executed")[1];
  const states = new Map();
  for (const step of ["next", "next", "next", "stepIn", "stepIn", "next", "stepOut", "next", "stepIn"]) {
    const { stop, ...state } = await go(step);
    states.set(moment(state), state);
  }
  const instruction = { granularity: "instruction" };
  for (let count = 0; count < 20; count++) {
    const { stop, ...state } = await go(count % 2 ? "next" : "stepIn", instruction);
    states.set(moment(state), state);
  }
  const total = states.size;
  for (;;) {
    const { stop, ...state } = await go("stepBack", instruction);
    if (stop.reason === "entry") break;
    const expected = states.get(moment(state));
    if (expected) assert.deepStrictEqual(state, expected);
    states.delete(moment(state));
  }
  // All but the last, from which it went back.
  assert(states.size === 1, `${states.size} of ${total} not visited`);
}

// Changes made by the client.
async function changes() {
  const { scopes } = await ask("scopes", { frameId: 1 });
  const registers = scopes.find(({ name }) => name === "Registers").variablesReference;
  const set = { variablesReference: registers, name: "A", value: "'x' + 1" };
  if (engine === "timed") {
    // With the timed engine, a client can change only data memory.
    assert.match(await refusal("setVariable", set), /only data memory can be changed/);
  } else {
    assert.strictEqual((await ask("setVariable", set)).value, "0x79 (121)");
  }
  await ask("setExpression", { expression: "pair + 1", value: "7" });
  assert.strictEqual((await ask("evaluate", { expression: "pair", context: "hover" })).result.slice(-2), "07");
  const { targets: [target] } = await ask("gotoTargets", { source: { path: program }, line: 22 });
  if (engine !== "timed") {
    const { stop, places } = await go("goto", { targetId: target.id });
    assert.strictEqual(stop.reason, "goto");
    assert.strictEqual(places[0][1], 22);
  }
  const leds = await ask("gray1/leds");
  assert.strictEqual(leds.rows.length, 8);
  assert.deepStrictEqual(await ask("gray1/press", { buttons: ["a", "left"] }), { buttons: ["left", "a"] });
  assert.deepStrictEqual((await ask("gray1/leds")).buttons, ["left", "a"]);
  const { targets } = await ask("completions", { text: "pa", column: 3 });
  assert(targets.some(({ label }) => label === "pair"));
  assert.match(await refusal("evaluate", { expression: "1 +" }), /expected a value/);
  const entry = await after("stopped", "restart");
  assert.strictEqual(entry.reason, "entry");
  assert.deepStrictEqual((await ask("gray1/leds")).buttons, []);
}

async function end() {
  await ask("setDataBreakpoints", { breakpoints: [] });
  await ask("setFunctionBreakpoints", { breakpoints: [] });
  await ask("setInstructionBreakpoints", { breakpoints: [] });
  await ask("setBreakpoints", { source: { path: program }, breakpoints: [] });
  assert.strictEqual((await go("continue")).stop.reason, "halted");
  const terminated = client.waitForEvent("terminated");
  assert.strictEqual((await after("exited", "continue", { threadId: 1 })).exitCode, 0);
  await terminated;
  await client.disconnectRequest();
}

async function main() {
  await client.start();
  client.defaultTimeout = 60000;
  await launch();
  const entry = client.waitForEvent("stopped");
  await client.configurationDoneRequest();
  assert.strictEqual((await entry).body.reason, "entry");
  await setBreakpoints();
  const stops = await thereAndBack();
  await stepsAndBack();
  await changes();
  await end();
  console.log(`${stops} stops, there and back`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
