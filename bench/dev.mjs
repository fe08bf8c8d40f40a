// Measures `scaffold dev` with the Game of the examples, which has webhooks and three children, in the embedded API server:
//   node bench/dev.mjs [--starts N] [--edits N]
// From the start of an installed project to its first reconcile, and from a save to its effect: the new code reconciles, the new
// webhook answers, or the cluster has the new CRD. Needs a built checkout. Exits 1 if a limit is exceeded.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { gameProject, scaffold } from "./lib/game-project.mjs";
import { limit, ms, table } from "./lib/results.mjs";

const { values: flags } = parseArgs({
  options: {
    starts: { type: "string", default: "7" },
    edits: { type: "string", default: "60" },
    json: { type: "string" },
  },
});
/** Milliseconds for a start or an edit, after which the measurement fails. */
const longest = 60_000;
const files = {
  controller: "src/controller/game-controller.ts",
  webhook: "src/webhook/v1/game-webhook.ts",
  types: "api/v1/game-types.ts",
};
const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/games.myapp.qingwave.github.io";
const games = "/apis/myapp.qingwave.github.io/v1/namespaces/default/games";
const project = await gameProject("game", "game-webhook");
const originals = Object.fromEntries(
  Object.entries(files).map(([name, file]) => [name, readFileSync(join(project, file), "utf8")]),
);

/** Replaces a text of a file, which must be there, and writes the file. */
function save(name, from, to) {
  const text = originals[name].replace(from, to);
  if (text === originals[name]) throw new Error(`${files[name]} doesn't contain ${from}`);
  writeFileSync(join(project, files[name]), text);
}

/** A running session. */
class Session {
  #lines = [];
  #wake = () => {};

  constructor(...args) {
    this.began = Date.now();
    this.child = spawn(process.execPath, [scaffold, "dev", "--json", ...args], {
      cwd: project,
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.ended = once(this.child, "close");
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      this.#lines.push(JSON.parse(line));
      this.#wake();
    });
  }

  get position() {
    return this.#lines.length;
  }

  /** Waits for an event after a position. Returns the event and its position. */
  async event(name, after = 0) {
    const until = Date.now() + longest;
    for (;;) {
      const at = this.#lines.findIndex((line, index) => index >= after && line.event === name);
      if (at >= 0) return { ...this.#lines[at], at };
      if (Date.now() > until || this.child.exitCode !== null) {
        throw new Error(`no event ${name}: ${JSON.stringify(this.#lines.slice(after))}`);
      }
      await Promise.race([new Promise((resolve) => (this.#wake = resolve)), sleep(1000)]);
    }
  }

  async stop() {
    if (this.child.exitCode === null) this.child.kill("SIGTERM");
    await this.ended;
  }
}

/** Measures the first start of a project without earlier state. Resolves to milliseconds. */
async function start() {
  rmSync(join(project, ".kubewright"), { recursive: true, force: true });
  const session = new Session();
  try {
    const { time } = await session.event("reconciled");
    await session.event("ready");
    return Date.parse(time) - session.began;
  } finally {
    await session.stop();
  }
}

/** Saves the controller. Resolves to the milliseconds until the new code reconciles. */
async function editController(session, _transport, number) {
  const after = session.position;
  const began = Date.now();
  save("controller", /( {2}async reconcile\([^\n]*\n)/, `$1    ctx.log.info("edit ${number}");\n`);
  const started = await session.event("started", after);
  const { time } = await session.event("reconciled", started.at);
  return Date.parse(time) - began;
}

/** Saves the webhook. Resolves to the milliseconds until the new code answers. */
async function editWebhook(session, transport, number) {
  const after = session.position;
  const began = Date.now();
  const annotations = `game.metadata = { ...game.metadata, annotations: { edit: "${number}" } };`;
  save("webhook", /( {2}async default\([^\n]*\n)/, `$1    ${annotations}\n`);
  const body = {
    apiVersion: "myapp.qingwave.github.io/v1",
    kind: "Game",
    metadata: { name: "dry" },
    spec: { replicas: 1 },
  };
  while (Date.now() - began < longest) {
    const request = { method: "POST", path: games, query: { dryRun: "All" }, body };
    const answer = await transport.request(request).catch(() => undefined);
    if (answer?.body.metadata.annotations?.edit === String(number)) {
      const took = Date.now() - began;
      await session.event("reconciled", (await session.event("started", after)).at);
      return took;
    }
    await sleep(10);
  }
  throw new Error(`edit ${number} of the webhook has no effect`);
}

/** Saves the types. Resolves to the milliseconds until the cluster has the new CRD. */
async function editTypes(session, transport, number) {
  const after = session.position;
  const began = Date.now();
  save("types", /(export interface GameSpec \{\n)/, `$1  /** Edit ${number}. */\n  edit?: string;\n\n`);
  while (Date.now() - began < longest) {
    const { body } = await transport.request({ method: "GET", path: definition });
    const { properties } = body.spec.versions[0].schema.openAPIV3Schema.properties.spec;
    if (properties.edit?.description === `Edit ${number}.`) {
      const took = Date.now() - began;
      // The manager goes on, because its code is the same.
      await session.event("applied", after);
      return took;
    }
    await sleep(5);
  }
  throw new Error(`edit ${number} of the types has no effect`);
}

/** Returns the value that the given share of values doesn't exceed. */
function percentile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1];
}

const rows = [];
function report(name, values, share, most) {
  const [fastest, middle, most95] = [0.01, 0.5, 0.95].map((part) => percentile(values, part));
  rows.push([name, String(values.length), ms(fastest), ms(middle), ms(most95)]);
  const what = share === 0.5 ? "median" : "p95";
  if (!limit(`${name}, ${what} in ms`, percentile(values, share), most)) process.exitCode = 1;
}

let session;
try {
  const starts = [];
  for (let number = 1; number <= Number(flags.starts); number++) starts.push(await start());
  report("first start until the first reconcile", starts, 0.5, 2000);
  session = new Session();
  const { kubeconfig } = await session.event("ready");
  const transport = createTransport(loadConfig({ kubeconfig }));
  const edits = { controller: editController, webhook: editWebhook, types: editTypes };
  const names = Object.keys(edits);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let number = 1; number <= Number(flags.edits); number++) {
    const name = names[number % names.length];
    times[name].push(await edits[name](session, transport, number));
    // An edit comes after the last one has settled, as a person makes it.
    await sleep(500);
  }
  await transport.close();
  report("save of the controller until its code reconciles", times.controller, 0.95, 1000);
  report("save of the webhook until its code answers", times.webhook, 0.95, 1000);
  report("save of the types until the cluster has the CRD", times.types, 0.95, 500);
  table(["", "times", "fastest", "median", "p95"], rows);
} finally {
  await session?.stop();
  rmSync(project, { recursive: true, force: true });
}
