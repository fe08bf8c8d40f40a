// Measures `scaffold dev` with the Game of the examples, which has webhooks and three children, in the embedded API server:
//   node --import tsx bench/dev.ts [--starts N] [--edits N]
// From the start of an installed project to its first reconcile, and from a save to its effect: the new code reconciles, the new
// webhook answers, or the cluster has the new CRD. Needs a built checkout. Exits 1 if a limit is exceeded.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createTransport, loadConfig, type Transport } from "@kubewright/runtime";
import type { KubernetesObject } from "@kubewright/runtime/api";
import type { CustomResourceDefinition } from "@kubewright/runtime/api/apiextensions/v1";
import { scaffoldBin } from "../scripts/test-support/scaffold.ts";
import { gameProject } from "./lib/game-project.ts";
import { limit, ms, table } from "./lib/results.ts";
import { percentile } from "./lib/statistics.ts";

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
const read = (file: string): string => readFileSync(join(project, file), "utf8");
const originals = { controller: read(files.controller), webhook: read(files.webhook), types: read(files.types) };

/** Replaces a text of a file, which must be there, and writes the file. */
function save(name: keyof typeof files, from: RegExp, to: string): void {
  const text = originals[name].replace(from, to);
  if (text === originals[name]) throw new Error(`${files[name]} doesn't contain ${from}`);
  writeFileSync(join(project, files[name]), text);
}

/** A line of `scaffold dev --json`. */
interface Event {
  readonly event: string;
  /** When it happened. */
  readonly time: string;
  /** Path of the kubeconfig, of the event `ready`. */
  readonly kubeconfig?: string;
}

/** A running session. */
class Session {
  readonly began = Date.now();
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #ended: Promise<unknown>;
  readonly #lines: Event[] = [];
  #wake = (): void => {};

  constructor() {
    this.#child = spawn(process.execPath, [scaffoldBin, "dev", "--json"], {
      cwd: project,
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#ended = once(this.#child, "close");
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      this.#lines.push(JSON.parse(line) as Event);
      this.#wake();
    });
  }

  get position(): number {
    return this.#lines.length;
  }

  /** Waits for an event after a position. Returns the event and its position. */
  async event(name: string, after = 0): Promise<Event & { at: number }> {
    const until = Date.now() + longest;
    for (;;) {
      const at = this.#lines.findIndex((line, index) => index >= after && line.event === name);
      const event = this.#lines[at];
      if (event !== undefined) return { ...event, at };
      if (Date.now() > until || this.#child.exitCode !== null) {
        throw new Error(`no event ${name}: ${JSON.stringify(this.#lines.slice(after))}`);
      }
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([woken, sleep(1000)]);
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill("SIGTERM");
    await this.#ended;
  }
}

/** Measures the first start of a project without earlier state. Resolves to milliseconds. */
async function start(): Promise<number> {
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
async function editController(session: Session, number: number): Promise<number> {
  const after = session.position;
  const began = Date.now();
  save("controller", /( {2}async reconcile\([^\n]*\n)/, `$1    ctx.log.info("edit ${number}");\n`);
  const started = await session.event("started", after);
  const { time } = await session.event("reconciled", started.at);
  return Date.parse(time) - began;
}

/** Saves the webhook. Resolves to the milliseconds until the new code answers. */
async function editWebhook(session: Session, number: number, transport: Transport): Promise<number> {
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
    const request = { method: "POST", path: games, query: { dryRun: "All" }, body } as const;
    const answer = await transport.request(request).catch(() => undefined);
    const game = answer?.body as KubernetesObject | undefined;
    if (game?.metadata?.annotations?.edit === String(number)) {
      const took = Date.now() - began;
      await session.event("reconciled", (await session.event("started", after)).at);
      return took;
    }
    await sleep(10);
  }
  throw new Error(`edit ${number} of the webhook has no effect`);
}

/** Saves the types. Resolves to the milliseconds until the cluster has the new CRD. */
async function editTypes(session: Session, number: number, transport: Transport): Promise<number> {
  const after = session.position;
  const began = Date.now();
  save("types", /(export interface GameSpec \{\n)/, `$1  /** Edit ${number}. */\n  edit?: string;\n\n`);
  while (Date.now() - began < longest) {
    const { body } = await transport.request({ method: "GET", path: definition });
    const schema = (body as CustomResourceDefinition).spec.versions[0]?.schema?.openAPIV3Schema;
    if (schema?.properties?.spec?.properties?.edit?.description === `Edit ${number}.`) {
      const took = Date.now() - began;
      // The manager goes on, because its code is the same.
      await session.event("applied", after);
      return took;
    }
    await sleep(5);
  }
  throw new Error(`edit ${number} of the types has no effect`);
}

const rows: string[][] = [];
function report(name: string, values: readonly number[], share: 0.5 | 0.95, most: number): void {
  const cells = [0.01, 0.5, 0.95].map((share) => ms(percentile(values, share)));
  rows.push([name, String(values.length), ...cells]);
  const what = share === 0.5 ? "median" : "p95";
  limit(`${name}, ${what} in ms`, percentile(values, share), most);
}

let session: Session | undefined;
try {
  const starts: number[] = [];
  for (let number = 1; number <= Number(flags.starts); number++) starts.push(await start());
  report("first start until the first reconcile", starts, 0.5, 2000);
  session = new Session();
  const { kubeconfig } = await session.event("ready");
  const transport = createTransport(loadConfig({ kubeconfig }));
  const edits = [
    {
      edit: editController,
      times: [] as number[],
      name: "save of the controller until its code reconciles",
      most: 1000,
    },
    { edit: editWebhook, times: [] as number[], name: "save of the webhook until its code answers", most: 1000 },
    { edit: editTypes, times: [] as number[], name: "save of the types until the cluster has the CRD", most: 500 },
  ];
  for (let number = 1; number <= Number(flags.edits); number++) {
    const { edit, times } = edits[number % edits.length]!;
    times.push(await edit(session, number, transport));
    // An edit comes after the last one has settled, as a person makes it.
    await sleep(500);
  }
  await transport.close();
  for (const { name, times, most } of edits) report(name, times, 0.95, most);
  table(["", "times", "fastest", "median", "p95"], rows);
} finally {
  await session?.stop();
  rmSync(project, { recursive: true, force: true });
}
