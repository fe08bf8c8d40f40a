import type { JsonObject } from "@kubewright/cel/json";
import { onTestFinished } from "vitest";
import type { ApiServerOptions, Clock } from "../../engine/options.ts";
import { type ApiServer, startApiServer } from "../../index.ts";
import type { Condition } from "./common/objects.ts";

interface Timer {
  at: number;
  sequence: number;
  call: () => void;
}

/** A clock whose time changes only by `advance`. */
export class TestClock implements Clock {
  #now = Date.parse("2026-01-01T00:00:00Z");
  #ahead = 0;
  #sequence = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#now + this.#ahead);
  }

  /** Sets the wall clock, as a person or NTP does. The time that has elapsed doesn't change. */
  set(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  setTimeout(call: () => void, milliseconds: number): Timer {
    const timer = { at: this.#now + Math.max(0, milliseconds), sequence: this.#sequence++, call };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets time pass, timer by timer. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const due = [...this.#timers].filter(({ at }) => at <= end);
      const [next] = due.sort((a, b) => a.at - b.at || a.sequence - b.sequence);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.call();
    }
    this.#now = end;
  }
}

/** An object as a client reads it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
export type AnyObject = any;

/** A server with simulated workloads, whose clock the test controls. */
export class Cluster {
  readonly clock: TestClock = new TestClock();
  readonly server: ApiServer;

  private constructor(server: ApiServer, clock: TestClock) {
    this.server = server;
    this.clock = clock;
  }

  /** Starts a server. It stops when the test ends. */
  static async start(
    controllers: ApiServerOptions["controllers"] = { workloads: { podReadyAfter: 1000 } },
    options: ApiServerOptions = {},
  ): Promise<Cluster> {
    const clock = new TestClock();
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    };
    const server = await startApiServer({
      http: false,
      authorization: "always-allow",
      controllers,
      clock,
      random,
      ...options,
    });
    onTestFinished(() => server.stop());
    const cluster = new Cluster(server, clock);
    await clock.advance(10);
    return cluster;
  }

  /** Sends a request and returns the object of the answer. */
  async send(method: string, url: string, body?: JsonObject, type = "application/json"): Promise<AnyObject> {
    const answer = await this.server.handle({
      method,
      url,
      headers: { accept: "application/json", "content-type": type, "user-agent": "test" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = typeof answer.body === "string" ? answer.body : Buffer.from(answer.body ?? "").toString();
    const object = JSON.parse(text);
    if (answer.status >= 400) throw new Error(`${answer.status} ${object.message}`);
    return object;
  }

  /** Creates an object in the namespace default. */
  create(path: string, object: JsonObject): Promise<AnyObject> {
    return this.send("POST", urlOf(path), object);
  }

  /** Reads an object, such as `apps/v1/deployments/web`. */
  get(path: string): Promise<AnyObject> {
    return this.send("GET", urlOf(path));
  }

  /** Lists objects in the order of their creation. */
  async list(path: string, selector = ""): Promise<AnyObject[]> {
    const { items } = await this.send("GET", `${urlOf(path)}?labelSelector=${encodeURIComponent(selector)}`);
    return items;
  }

  /** Changes fields of an object. */
  patch(path: string, patch: JsonObject): Promise<AnyObject> {
    return this.send("PATCH", urlOf(path), patch, "application/merge-patch+json");
  }

  /** Deletes an object. */
  delete(path: string, options: JsonObject = {}): Promise<AnyObject> {
    return this.send("DELETE", urlOf(path), options);
  }

  /** Lets time pass. */
  advance(milliseconds: number): Promise<void> {
    return this.clock.advance(milliseconds);
  }

  /** Returns the events about an object as `reason: message`. */
  async events(name: string): Promise<string[]> {
    const events = await this.list("v1/events");
    return events
      .filter(({ involvedObject }) => involvedObject.name === name)
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(({ reason, message, count }) => `${reason}: ${message}${count > 1 ? ` (x${count})` : ""}`);
  }
}

function urlOf(path: string): string {
  if (path.startsWith("/")) return path;
  const [first = "", ...rest] = path.split("/");
  const [prefix, resource] = first === "v1" ? ["/api/v1", rest] : [`/apis/${first}/${rest[0]}`, rest.slice(1)];
  return `${prefix}/namespaces/default/${resource.join("/")}`;
}

/** Returns the conditions of an object as `Type=Status (Reason)`. */
export function conditionsOf(object: AnyObject): string[] {
  return (object.status.conditions ?? []).map(
    ({ type, status, reason }: Condition) => `${type}=${status}${reason === undefined ? "" : ` (${reason})`}`,
  );
}

/** The template of a Pod with one container. */
export function podTemplate(app: string, annotations?: { [key: string]: string }, spec: JsonObject = {}): JsonObject {
  return {
    metadata: { labels: { app }, ...(annotations === undefined ? {} : { annotations }) },
    spec: { containers: [{ name: "app", image: "nginx:1" }], ...spec },
  };
}

/** A Deployment. */
export function deployment(name: string, spec: JsonObject = {}, annotations?: { [key: string]: string }): JsonObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template: podTemplate(name, annotations), ...spec },
  };
}
