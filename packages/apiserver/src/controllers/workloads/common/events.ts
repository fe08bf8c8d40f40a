import type { JsonObject } from "@kubewright/cel/json";
import { LimitedMap } from "@kubewright/cel/language";
import type { SystemClient } from "../../../client/system-client.ts";
import { timestamp } from "../../../model/metadata.ts";
import type { ApiObject, ResourceType } from "../../../model/resource.ts";
import type { Engine } from "../../../registry/scope.ts";

/** Which component records an event, and on which node. */
export interface EventSource {
  component: string;
  host?: string;
}

interface Similar {
  messages: Set<string>;
  last: number;
}

interface Observed {
  name: string;
  namespace: string;
  count: number;
  /** The time of the first occurrence in milliseconds. */
  first: number;
}

const remembered = 4096;
const similarLimit = 10;
const similarInterval = 600_000;
const burst = 25;
const refillInterval = 300_000;

/**
 * Records events about objects, as client-go does: repeated events are counted, similar ones are combined after the tenth,
 * and an object has 25 events at once, then one each five minutes.
 */
export class EventRecorder {
  readonly #engine: Engine;
  readonly #client: SystemClient;
  readonly #source: EventSource;
  readonly #similar = new LimitedMap<string, Similar>(remembered);
  readonly #observed = new LimitedMap<string, Observed>(remembered);
  readonly #budgets = new LimitedMap<string, { tokens: number; since: number }>(remembered);
  readonly #writes: (() => Promise<void>)[] = [];
  #writing = false;

  /**
   * @param engine - the server
   * @param client - writes the events
   * @param source - the component
   */
  constructor(engine: Engine, client: SystemClient, source: EventSource) {
    this.#engine = engine;
    this.#client = client;
    this.#source = source;
  }

  /** Records an event of the type Normal. */
  normal(object: ApiObject, reason: string, message: string, fieldPath = ""): void {
    this.#record(object, "Normal", reason, message, fieldPath);
  }

  /** Records an event of the type Warning. */
  warning(object: ApiObject, reason: string, message: string, fieldPath = ""): void {
    this.#record(object, "Warning", reason, message, fieldPath);
  }

  /** Records an event of the type Warning. The first one is recorded even if the object has had too many events. */
  alarm(object: ApiObject, reason: string, message: string): void {
    this.#record(object, "Warning", reason, message, "", true);
  }

  #record(object: ApiObject, type: string, reason: string, given: string, fieldPath: string, first = false): void {
    if (!this.#engine.recordsEvents) return;
    const { metadata } = object;
    const subject = `${object.apiVersion} ${object.kind} ${metadata.namespace ?? ""}/${metadata.name} ${metadata.uid}`;
    const now = this.#engine.now();
    const group = `${subject} ${fieldPath} ${type} ${reason}`;
    const combined = this.#combines(group, given);
    const message = combined ? `(combined from similar events): ${given}` : given;
    const key = combined ? group : `${group} ${given}`;
    const earlier = this.#observed.get(key);
    if (!this.#withinBudget(subject) && !(first && earlier === undefined)) return;
    // As in client-go, the name ends with the time in nanoseconds. The clock has milliseconds.
    const nanoseconds = (): bigint =>
      BigInt(Math.floor(now)) * 1_000_000n + BigInt(Math.floor(this.#engine.random() * 1e6));
    const observed = earlier ?? {
      name: `${metadata.name}.${nanoseconds().toString(16)}`,
      namespace: metadata.namespace ?? "default",
      count: 0,
      first: now,
    };
    observed.count++;
    const { count } = observed;
    this.#observed.set(key, observed);
    const { apiVersion = "", kind = "" } = object;
    const regarding = {
      apiVersion,
      kind,
      name: metadata.name as string,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      uid: metadata.uid as string,
      resourceVersion: metadata.resourceVersion as string,
      ...(fieldPath === "" ? {} : { fieldPath }),
    };
    const create = (): Promise<void> => this.#create(observed, count, regarding, { type, reason, message, now });
    this.#enqueue(earlier === undefined ? create : () => this.#repeat(observed, count, message, now, create));
  }

  #combines(group: string, message: string): boolean {
    const now = this.#engine.elapsed();
    let similar = this.#similar.get(group);
    if (similar === undefined || now - similar.last > similarInterval) similar = { messages: new Set(), last: now };
    similar.messages.add(message);
    similar.last = now;
    this.#similar.set(group, similar);
    if (similar.messages.size < similarLimit) return false;
    similar.messages.delete(similar.messages.values().next().value as string);
    return true;
  }

  #withinBudget(subject: string): boolean {
    const now = this.#engine.elapsed();
    const budget = this.#budgets.get(subject) ?? { tokens: burst, since: now };
    const tokens = Math.min(burst, budget.tokens + (now - budget.since) / refillInterval);
    const allowed = tokens >= 1;
    this.#budgets.set(subject, { tokens: allowed ? tokens - 1 : tokens, since: now });
    return allowed;
  }

  #enqueue(write: () => Promise<void>): void {
    this.#writes.push(write);
    if (this.#writing) return;
    this.#writing = true;
    this.#engine.after(0, () => void this.#run());
  }

  async #run(): Promise<void> {
    for (let write = this.#writes.shift(); write !== undefined; write = this.#writes.shift()) {
      if (this.#engine.stopping.aborted) break;
      // An event that is refused, such as in a namespace that is being deleted, is lost.
      await write().catch(() => {});
    }
    this.#writing = false;
  }

  async #create(
    { name, namespace, first }: Observed,
    count: number,
    regarding: JsonObject,
    { type, reason, message, now }: { type: string; reason: string; message: string; now: number },
  ): Promise<void> {
    const { component, host } = this.#source;
    await this.#client.create(this.#type, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace },
      involvedObject: regarding,
      reason,
      message,
      source: host === undefined ? { component } : { component, host },
      firstTimestamp: timestamp(first),
      lastTimestamp: timestamp(now),
      count,
      type,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: host ?? "",
    });
  }

  async #repeat(
    { name, namespace }: Observed,
    count: number,
    message: string,
    now: number,
    create: () => Promise<void>,
  ): Promise<void> {
    const written = await this.#client.update({ type: this.#type, namespace, name }, (event) => {
      event.count = count;
      event.message = message;
      event.lastTimestamp = timestamp(now);
    });
    // The event has expired.
    if (written === undefined) await create();
  }

  get #type(): ResourceType {
    return this.#engine.resource("", "events") as ResourceType;
  }
}
