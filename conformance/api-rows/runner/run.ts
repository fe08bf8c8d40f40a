// Runs a scenario against a server, and returns the normalized responses.
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@kubewright/cel/json";
import { runKubectl } from "./kubectl.ts";
import { normalize } from "./normalize/normalize.ts";
import { valueAt, withVariables } from "./paths.ts";
import type { Answer, Condition, RequestOptions, Scenario, Step, Transcript } from "./row.ts";
import type { EventStream, HttpAnswer, Target } from "./target.ts";

/** Kinds of objects that affect other scenarios until they are deleted. */
const clusterWide = /\/(customresourcedefinitions|\w+webhookconfigurations|\w+admissionpolic\w+|apiservices)$/;

/** Runs a scenario. Scenarios with another `runId` have other namespaces and groups. */
export async function runScenario(
  target: Target,
  scenario: Scenario,
  { runId = "" }: { runId?: string } = {},
): Promise<Transcript> {
  return new ScenarioRun(target, scenario, runId).run();
}

class ScenarioRun {
  readonly #target: Target;
  readonly #scenario: Scenario;
  readonly #id: string;
  readonly #variables: Record<string, string>;
  readonly #streams = new Map<string, EventStream>();
  /** The paths of created objects that affect other scenarios. */
  readonly #created: string[] = [];
  #definitionWasRefused = false;

  constructor(target: Target, scenario: Scenario, runId: string) {
    const id = `x${createHash("sha1").update(`${scenario.name}#${runId}`).digest("hex").slice(0, 9)}`;
    this.#target = target;
    this.#scenario = scenario;
    this.#id = id;
    this.#variables = {
      id,
      ns: `${id}-ns`,
      ns2: `${id}-ns2`,
      group: `${id}.example.com`,
      hook: `${target.hooks.url}/${id}`,
      ca: target.hooks.ca,
    };
  }

  async run(): Promise<Transcript> {
    const transcript = await this.#perform();
    await this.#cleanUp();
    const { ca = "", group = "" } = this.#variables;
    const { url, hooks } = this.#target;
    const { steps } = this.#scenario;
    return normalize(transcript, { id: this.#id, group, ca, url, hooksUrl: hooks.url, steps });
  }

  /** Performs the steps up to the first error. */
  async #perform(): Promise<Transcript> {
    const { steps, limitMs = 120_000 } = this.#scenario;
    const results: Answer[] = [];
    const deadline = Date.now() + limitMs;
    try {
      await this.#createNamespace(`${this.#id}-ns`);
      if (JSON.stringify(steps).includes("%ns2%")) await this.#createNamespace(`${this.#id}-ns2`);
      for (const step of steps) {
        if (Date.now() > deadline) throw new Error(`scenario ran past ${limitMs / 1000} s`);
        const result = await this.#step(withVariables(step, this.#variables));
        results.push(step.quiet ? null : result);
      }
      return { results };
    } catch (error) {
      const [broken] = (error instanceof Error ? error.message : String(error)).split("\n");
      return { results, ...(broken && { broken }) };
    }
  }

  /** Deletes what would disturb or slow down other scenarios. */
  async #cleanUp(): Promise<void> {
    for (const stream of this.#streams.values()) stream.close();
    for (const path of this.#created.reverse()) await this.#tryRequest("DELETE", path);
    void this.#tryRequest("DELETE", `/api/v1/namespaces/${this.#id}-ns`);
    rmSync(this.#workDirectory, { recursive: true, force: true });
    this.#target.hooks.forget(this.#id);
  }

  get #workDirectory(): string {
    return join(this.#target.directory, this.#id);
  }

  /** Sends a request of the administrator. Returns the error of a request without a response. */
  async #tryRequest(method: string, path: string, options?: RequestOptions): Promise<HttpAnswer | Error> {
    return this.#target.request(method, path, options).catch((error: Error) => error);
  }

  async #createNamespace(name: string): Promise<void> {
    const metadata = { name, labels: { "api-diff": this.#id } };
    const body = { apiVersion: "v1", kind: "Namespace", metadata };
    const created = await this.#tryRequest("POST", "/api/v1/namespaces", { body });
    if (created instanceof Error) throw new Error(`namespace ${name}: 0 ${JSON.stringify(String(created))}`);
    if (created.status !== 201) {
      throw new Error(`namespace ${name}: ${created.status} ${JSON.stringify(created.body)}`);
    }
    for (let round = 0; round < 50; round++) {
      const existing = await this.#tryRequest("GET", `/api/v1/namespaces/${name}`);
      if (!(existing instanceof Error) && existing.status === 200) return;
      await sleep(50);
    }
  }

  async #step(step: Step): Promise<Answer> {
    if (step.sleep !== undefined) {
      await sleep(step.sleep);
      return null;
    }
    if (step.hook !== undefined) {
      this.#target.hooks.set(`${this.#id}/${step.hook}`, step.respond ?? { allowed: true });
      return null;
    }
    if (step.hookCalls !== undefined) return { calls: this.#target.hooks.calls(`${this.#id}/${step.hookCalls}`) };
    if (step.kubectl !== undefined) {
      const { home, kubeconfig } = this.#target;
      return runKubectl(step, { work: this.#workDirectory, home: join(home, this.#id), kubeconfig });
    }
    if (step.watchEnd !== undefined) return this.#endWatch(step, step.watchEnd);
    if (step.watch !== undefined) return this.#openWatch(step, step.watch);
    return this.#request(step);
  }

  async #openWatch(step: Step, name: string): Promise<Answer> {
    const path = pathOf(step);
    let stream = await this.#target.stream(path, step);
    for (let round = 0; stream.status === 429 && round < 40; round++) {
      await sleep(250);
      stream.close();
      stream = await this.#target.stream(path, step);
    }
    this.#streams.set(name, stream);
    if (stream.status === 200) return stream.head;
    for (let round = 0; !stream.closed && round < 100; round++) await sleep(20);
    try {
      return { ...stream.head, body: JSON.parse(stream.raw) };
    } catch {
      return { ...stream.head, body: stream.raw };
    }
  }

  async #endWatch(step: Step, name: string): Promise<Answer> {
    const stream = this.#streams.get(name);
    if (stream === undefined) throw new Error(`no watch ${name} found`);
    const { count = 0, closed: untilClosed, ms = 8000, quietMs = 150, bookmarks } = step;
    const isCounted = (event: JsonObject): boolean =>
      event.type !== "BOOKMARK" || (bookmarks === true && hasAnnotations(event));
    const isWaiting = (): boolean => untilClosed === true || stream.events.filter(isCounted).length < count;
    const deadline = Date.now() + ms;
    while (!stream.closed && Date.now() < deadline && isWaiting()) await sleep(20);
    // Waits for events beyond the requested number.
    if (!stream.closed && !untilClosed) await sleep(quietMs);
    const events = [...stream.events];
    const { closed } = stream;
    stream.close();
    this.#streams.delete(name);
    // The times of plain bookmarks vary, so the result contains only the first one. The bookmark that ends the initial
    // events has a fixed position.
    const isPlain = (event: JsonObject): boolean => event.type === "BOOKMARK" && !hasAnnotations(event);
    const shown = events.filter((event) => (bookmarks ? !isPlain(event) : event.type !== "BOOKMARK"));
    return {
      events: eventsOf(step, shown),
      closed,
      ...(bookmarks && untilClosed ? { bookmark: events.find(isPlain) ?? "none" } : {}),
    };
  }

  async #request(step: Step): Promise<Answer> {
    const answer = step.until === undefined ? await this.#once(step) : await this.#until(step, step.until);
    this.#note(step, answer);
    if (step.only === "status") return { status: answer.status };
    if (step.only === "type") return { status: answer.status, type: answer.type };
    if (step.pick === undefined) return answer;
    return { ...answer, body: Object.fromEntries(step.pick.map((path) => [path, valueAt(answer.body, path)])) };
  }

  async #once(step: Step): Promise<HttpAnswer> {
    for (let round = 0; ; round++) {
      const answer = await this.#target.request(methodOf(step), pathOf(step), step);
      // kube-apiserver is in this state for a moment after a change of a definition.
      const message = String(valueAt(answer.body, "message") ?? "");
      const isStarting = answer.status === 429 && /storage is \(re\)initializing/.test(message);
      if (!isStarting || round === 39) return answer;
      await sleep(250);
    }
  }

  async #until(step: Step, condition: Condition): Promise<HttpAnswer> {
    // The definition will never be served, so waiting is useless.
    if (step.quiet && this.#definitionWasRefused) throw new Error("the definition was refused");
    const deadline = Date.now() + (condition.ms ?? 20_000);
    for (;;) {
      const answer = await this.#target.request(methodOf(step), pathOf(step), step);
      if (holds(condition, answer)) return answer;
      if (Date.now() > deadline) {
        if (step.quiet) throw new Error(`waiting for ${step.path} ${JSON.stringify(condition)}: timed out`);
        return { ...answer, timedOut: true };
      }
      await sleep(60);
    }
  }

  /** Keeps what later steps and the end of the scenario need. */
  #note({ method, path = "", query, save = {} }: Step, answer: HttpAnswer): void {
    if (method === "POST" && answer.status === 201 && clusterWide.test(path)) {
      this.#created.push(`${path}/${valueAt(answer.body, "metadata.name")}`);
    }
    if (method === "POST" && path.endsWith("/customresourcedefinitions") && !query?.dryRun) {
      this.#definitionWasRefused = answer.status !== 201 && answer.status !== 409;
    }
    for (const [name, at] of Object.entries(save)) this.#variables[name] = String(valueAt(answer.body, at));
  }
}

const methodOf = ({ method = "GET" }: Step): string => method;

/** Returns the path of a request with its parameters. */
function pathOf({ path = "", query = {} }: Step): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one as string | number | boolean)}`),
  );
  return parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
}

function holds({ status, contains, path, exists, equals }: Condition, answer: HttpAnswer): boolean {
  if (status !== undefined && answer.status !== status) return false;
  const { body = "" } = answer;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  if (contains !== undefined && !text.includes(contains)) return false;
  if (path === undefined) return true;
  const value = valueAt(answer.body, path);
  return exists === undefined ? String(value) === String(equals) : (value !== undefined) === exists;
}

function hasAnnotations(event: JsonObject): boolean {
  return Boolean(valueAt(event, "object.metadata.annotations"));
}

/** Returns the part of the events that a step compares. */
function eventsOf({ events: part }: Step, events: readonly JsonObject[]): JsonObject["events"] {
  const nameOf = (event: JsonObject): string | undefined =>
    valueAt(event, "object.metadata.name") as string | undefined;
  if (part === "types") {
    return events.map((event) => `${event.type} ${nameOf(event) ?? valueAt(event, "object.message") ?? ""}`);
  }
  // The events in between depend on the server's own controllers.
  if (part === "ends") {
    return [events[0], events.at(-1)].map((event) => (event ? `${event.type} ${nameOf(event)}` : null));
  }
  return [...events];
}
