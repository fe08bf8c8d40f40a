// Makes random edits under `scaffold dev`. After each, the cluster serves the current types and webhooks, and the current
// code runs or an error is shown. KUBEWRIGHT_DEV_EDITS sets the number, KUBEWRIGHT_DEV_SEED the sequence, and
// KUBEWRIGHT_DEV_LIMIT=1000 a limit of the time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { eventually } from "../lib/eventually.ts";
import { Dev, processesWith } from "./dev-session.ts";
import { cronJobExample, EditedProject, type EditName, gameExample } from "./edited-project.ts";
import { send } from "./requests.ts";

const edits = Number(process.env.KUBEWRIGHT_DEV_EDITS ?? 100);
const seed = Number(process.env.KUBEWRIGHT_DEV_SEED ?? 1);
/**
 * Milliseconds from a save until the new definition is served or the new code runs, for 95 of 100 edits on an idle
 * machine.
 */
const limit = Number(process.env.KUBEWRIGHT_DEV_LIMIT ?? 0);

/** Returns a generator of numbers in [0, 1), which is the same for the same seed. */
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Definition {
  readonly spec: {
    readonly versions: {
      readonly schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, Field> } } } };
    }[];
  };
}
interface Field {
  readonly type: string;
  readonly minimum?: number;
}
interface Webhooks {
  readonly items: { readonly webhooks: { readonly name: string; readonly failurePolicy: string }[] }[];
}

/** Reads the state of a running session and its cluster. */
class Session {
  readonly #project: EditedProject;
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(project: EditedProject, kubeconfig: string) {
    this.#project = project;
    this.#transport = createTransport(loadConfig({ kubeconfig }));
    const file = readFileSync(join(project.root, ".kubewright/dev/session.json"), "utf8");
    const { url, token } = JSON.parse(file) as { url: string; token: string };
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  }

  /** Returns the fields in the served CRD that edits have added. */
  async fields(): Promise<string[]> {
    const { group, plural } = this.#project.example;
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`;
    const { spec } = (await this.#transport.request({ method: "GET", path })).body as Definition;
    return Object.entries(spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {})
      .filter(([name]) => /^(field\d|limited|changed|branch)/.test(name))
      .map(([name, { type, minimum }]) => `${name} ${type} ${minimum ?? ""}`)
      .sort();
  }

  /** Returns the failure policy of the mutating webhook. */
  async failurePolicy(): Promise<string | undefined> {
    const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    const { items } = (await this.#transport.request({ method: "GET", path })).body as Webhooks;
    const found = items
      .flatMap(({ webhooks }) => webhooks)
      .find(({ name }) => name === this.#project.example.webhookName);
    return found?.failurePolicy.toLowerCase();
  }

  /** Returns the annotation that the webhook sets. */
  async admitted(): Promise<string | undefined> {
    const { group, plural, files } = this.#project.example;
    const sample = readFileSync(join(this.#project.root, files.sample), "utf8");
    const [body] = parseAllDocuments(sample).map((document) => document.toJS() as { metadata: object });
    const request = {
      method: "POST",
      path: `/apis/${group}/v1/namespaces/default/${plural}`,
      query: { dryRun: "All" },
      body: { ...body, metadata: { name: "dry" } },
    } as const;
    const { metadata } = (await this.#transport.request(request)).body as {
      metadata: { annotations?: Record<string, string> };
    };
    return metadata.annotations?.edit;
  }

  /** Starts a reconcile, and returns its log lines. */
  async logs(): Promise<string[]> {
    const { kind, sampleName: name } = this.#project.example;
    const body = JSON.stringify({ kind, namespace: "default", name });
    await send(`${this.#url}/api/reconcile`, { method: "POST", headers: this.#headers, body });
    const { body: text } = await send(`${this.#url}/api/why?kind=${kind}&name=${name}&limit=1`, {
      headers: this.#headers,
    });
    const { reconciles } = JSON.parse(text) as { reconciles: { logs: { message: string }[] }[] };
    return reconciles[0]?.logs.map(({ message }) => message) ?? [];
  }

  /** Returns the phases of the displayed errors. */
  async errors(): Promise<string[]> {
    const { body } = await send(`${this.#url}/api/status`, { headers: this.#headers });
    return (JSON.parse(body) as { errors: { phase: string }[] }).errors.map(({ phase }) => phase);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }
}

/** Returns the time that the given share of sorted times doesn't exceed, in milliseconds. */
function percentile(times: readonly { time: number }[], share: number): number {
  return times[Math.ceil(times.length * share) - 1]?.time ?? 0;
}

/** Checks that the cluster and the manager match the files. */
async function expectCurrent(project: EditedProject, session: Session, about: string): Promise<void> {
  const errors = await session.errors();
  // Without a readable controller, neither manifests nor code can be generated. Both are shown.
  if (project.broken === "syntax" || project.broken === "deleted") {
    expect(errors, about).toContain("bundle");
    return;
  }
  expect(await session.fields(), about).toEqual(project.fields);
  if (project.broken === "types") {
    expect(errors, about).toEqual(["types"]);
    return;
  }
  expect(errors, about).toEqual([]);
  expect(await session.failurePolicy(), about).toBe(project.failurePolicy);
  expect(await session.logs(), about).toContain(project.marker);
  expect(await session.admitted(), about).toBe(project.marker);
}

describe.each([
  ["Game", gameExample],
  ["CronJob", cronJobExample],
])("the %s", (_kind, example) => {
  it(`serves the current types and runs the current code after each of ${edits} edits (seed ${seed})`, async () => {
    const project = await EditedProject.create(example, randomNumbers(seed));
    const dev = new Dev(project.root);
    try {
      const { kubeconfig } = await dev.event("ready");
      await dev.event("reconciled");
      const session = new Session(project, String(kubeconfig));
      const times: { name: EditName; event: string; time: number }[] = [];
      const counts = new Map<EditName, number>();
      for (let number = 1; number <= edits; number++) {
        const name = project.next();
        counts.set(name, (counts.get(name) ?? 0) + 1);
        const wasBroken = project.broken !== "";
        const [started, before] = [Date.now(), dev.lines.length];
        project.edit(name);
        const about = `edit ${number}: ${name}, ${JSON.stringify(project.broken)}`;
        await eventually(() => expectCurrent(project, session, about), 30_000, 100).catch((error: unknown) => {
          const lines = dev.lines.slice(before).map((line) => JSON.stringify(line));
          throw new Error(`${about}\n${lines.join("\n")}`, { cause: error });
        });
        const news = dev.lines.slice(before);
        if (project.isIncompatible && !wasBroken) {
          const breaking = news.flatMap((line) => (line.event === "generated" ? (line.breaking as object[]) : []));
          expect(breaking, about).toContainEqual(expect.objectContaining({ id: "type-changed" }));
        }
        const effect = news.find(({ event }) => ["applied", "started", "error"].includes(event));
        if (effect && !wasBroken && !name.startsWith("branch")) {
          times.push({ name, event: effect.event, time: Date.parse(effect.time) - started });
        }
      }
      times.sort((a, b) => a.time - b.time);
      const effects = times.filter(({ event }) => event !== "error");
      const slow = percentile(effects, 0.95);
      const describe = (of: typeof times) =>
        `${of.length}: p50 ${percentile(of, 0.5)} ms, p95 ${percentile(of, 0.95)} ms`;
      const slowest = times.slice(-5).map(({ name, event, time }) => `${name} until ${event} ${time} ms`);
      console.log(
        `${example.kind}, ${edits} edits (${[...counts].join(" ")}); effects ${describe(effects)}; errors ${describe(
          times.filter(({ event }) => event === "error"),
        )}; slowest: ${slowest.join(", ")}`,
      );
      if (limit > 0) expect(slow).toBeLessThan(limit);
      await session.close();
      dev.child.kill("SIGTERM");
      expect(await dev.ended).toBe(0);
      expect(await processesWith(project.root)).toEqual([]);
    } finally {
      await dev.remove();
    }
  });
});
