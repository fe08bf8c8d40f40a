import type { KubernetesObject } from "../api/index.ts";
import { linkSignals } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import { type Random, systemRandom } from "../clock/random.ts";
import { ApiError } from "../errors/api-error.ts";
import { findApiError, isForbidden, isGone, isTooLargeResourceVersion } from "../errors/predicates.ts";
import { isStatus } from "../errors/status.ts";
import { isTransportError, TransportError } from "../errors/transport-error.ts";
import { errorText } from "../log/error-text.ts";
import type { Logger } from "../log/logger.ts";
import type { TransportStream } from "../transport/transport.ts";
import { JitteredBackoff } from "./backoff.ts";
import type { ConnectionGate } from "./connection-gate.ts";
import { isUnavailable } from "./is-unavailable.ts";
import { type ListWatch, pageSize } from "./list-watch.ts";
import { keyOf } from "./store.ts";

/** Receives the objects of a reflector in the order of the server. */
export interface ReflectorTarget {
  /** Replaces all objects. Objects that aren't included were removed. */
  replace(objects: KubernetesObject[], resourceVersion: string): void;
  set(object: KubernetesObject): void;
  remove(object: KubernetesObject): void;
  /** Reports that all changes up to this version were received. */
  progress(resourceVersion: string): void;
}

export interface ReflectorOptions {
  listWatch: ListWatch;
  target: ReflectorTarget;
  gate: ConnectionGate;
  clock: Clock;
  log: Logger;
  /** Called for each failure. */
  onError?: (error: unknown) => void;
  random?: Random;
  /**
   * Begins with a consistent list, also if the server has a cached one.
   *
   * @defaultValue false
   */
  isConsistent?: boolean;
}

interface RawEvent {
  type: string;
  object: KubernetesObject;
}

const initialEventsEnd = "k8s.io/initial-events-end";
/**
 * Time in milliseconds. A watch that ends earlier without an event counts as a failure; otherwise, a broken proxy would
 * receive requests in a tight loop.
 */
const veryShort = 1000;
/** Time in milliseconds after an outage in which failures of a starting server are retried soon. */
const warmUp = 30_000;
const soon = 250;
const forbiddenHint =
  "the role of this process must permit list and watch of the kind in all watched namespaces: add a +kubebuilder:rbac marker";
/** Maximum delay in milliseconds for a missing CRD or permission. */
const longestForMissing = 10_000;

/** Keeps a target up to date: lists once, then watches until it is stopped. Recovers from all errors. */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #random: Random;
  readonly #backoff: JitteredBackoff;
  /** The last received version, from which lists and watches continue. */
  #version: string | undefined;
  #mustList = true;
  #streamsLists = true;
  #failures = 0;
  #lastError: unknown;
  #listedAt = Number.NEGATIVE_INFINITY;
  #shortWatches = 0;
  #vainLists = 0;
  /** Interrupts the current request. */
  #request: ReturnType<typeof linkSignals> | undefined;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#random = options.random ?? systemRandom;
    this.#backoff = new JitteredBackoff({ now: () => options.clock.now(), random: this.#random });
  }

  /** The current error, which explains why a cache isn't in sync. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Watches until the signal aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const request = linkSignals(signal);
      this.#request = request;
      try {
        if (!this.#mustList) await this.#watch(request.signal);
        else if (this.#streamsLists) await this.#streamList(request.signal);
        else await this.#list(request.signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!request.signal.aborted) await this.#recover(error, signal);
      } finally {
        request.release();
      }
    }
  }

  /** Continues with a new request, after the selector has changed. A watch continues from its last version. */
  restart(): void {
    this.#request?.abort();
  }

  async #streamList(signal: AbortSignal): Promise<void> {
    const { listWatch, target } = this.#options;
    const objects = new Map<string, KubernetesObject>();
    try {
      await this.#consume(
        signal,
        listWatch.watch({
          resourceVersion: this.#version ?? "",
          timeoutSeconds: this.#timeoutSeconds(),
          sendInitialEvents: true,
          signal,
        }),
        (event) => {
          if (!this.#mustList) return this.#apply(event);
          if (event.type === "DELETED") objects.delete(keyOf(event.object));
          else if (event.type !== "BOOKMARK") objects.set(keyOf(event.object), event.object);
          else if (event.object.metadata?.annotations?.[initialEventsEnd] === "true") {
            this.#listed(() => target.replace([...objects.values()], versionOf(event.object)), versionOf(event.object));
            objects.clear();
          }
        },
      );
    } catch (error) {
      if (!this.#mustList || !refusesStreaming(error)) throw error;
      this.#streamsLists = false;
      return;
    }
    // A server without support for streamed lists ends the watch without marking the list as complete.
    if (this.#mustList && !signal.aborted) this.#streamsLists = false;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { listWatch, target } = this.#options;
    // Version "0" accepts the server's cached state. That is sufficient for the first list, but later it could be older than
    // known state.
    const first = this.#version ?? (this.#lastError === undefined && !this.#options.isConsistent ? "0" : "");
    const items: KubernetesObject[] = [];
    let resourceVersion: string;
    let next: string | undefined;
    do {
      const limit = first === "0" ? undefined : pageSize;
      const page = await listWatch.list({ resourceVersion: first || undefined, limit, continue: next, signal });
      for (const item of page.items) items.push(item);
      resourceVersion = page.resourceVersion;
      next = page.continue;
    } while (next);
    this.#listed(() => target.replace(items, resourceVersion), resourceVersion);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, listWatch } = this.#options;
    const start = clock.now();
    let events = 0;
    await this.#consume(
      signal,
      listWatch.watch({ resourceVersion: this.#version, timeoutSeconds: this.#timeoutSeconds(), signal }),
      (event) => {
        events++;
        this.#apply(event);
      },
    );
    const isShort = clock.now() - start < veryShort;
    if (isShort && events === 0) throw new Error("very short watch: it ended within a second without an event");
    this.#shortWatches = isShort ? this.#shortWatches + 1 : 0;
    // A single watch that is cut off right after its events is an accident. If it happens repeatedly, it is the server's
    // behavior.
    if (this.#shortWatches > 1) await sleep(clock, soon, signal);
  }

  async #consume(
    signal: AbortSignal,
    opening: Promise<TransportStream>,
    onEvent: (event: RawEvent) => void,
  ): Promise<void> {
    const stream = await opening;
    try {
      for await (const value of stream) {
        onEvent(eventOf(value));
        if (signal.aborted) return;
      }
    } finally {
      await stream.close();
    }
  }

  #apply(event: RawEvent): void {
    const { target } = this.#options;
    if (event.type === "DELETED") target.remove(event.object);
    else if (event.type === "ADDED" || event.type === "MODIFIED") target.set(event.object);
    else if (event.type !== "BOOKMARK") return;
    this.#version = versionOf(event.object);
    target.progress(this.#version);
    this.#healthy();
  }

  #listed(replace: () => void, resourceVersion: string): void {
    replace();
    this.#version = resourceVersion;
    this.#mustList = false;
    this.#listedAt = this.#options.clock.now();
    this.#options.target.progress(resourceVersion);
    this.#healthy();
  }

  #healthy(): void {
    this.#failures = 0;
    this.#lastError = undefined;
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, gate } = this.#options;
    const before = this.#lastError;
    this.#failures++;
    this.#options.onError?.(error);
    this.#report(error);
    this.#lastError = error;
    if (isOutOfDate(error)) {
      this.#mustList = true;
      this.#version = undefined;
      // The next list usually succeeds. If a server rejects even the version that it just listed, the retry is delayed.
      this.#vainLists = clock.now() - this.#listedAt < veryShort ? this.#vainLists + 1 : 0;
      if (!isOutOfDate(before) && this.#vainLists < 2) return;
    }
    const isBroken = isTransportError(error) && (error as TransportError).code !== "EBADANSWER";
    if (isBroken) {
      await gate.wait(signal);
      if (this.#failures === 1) return;
    }
    await sleep(clock, this.#delay(error), signal);
  }

  #delay(error: unknown): number {
    const delay = this.#backoff.next();
    if (this.#options.gate.sinceReopened < warmUp && isPassing(error)) return Math.min(delay, soon);
    const asked = findApiError(error)?.retryAfterSeconds;
    // Waits at least as long as the server requests, and not much longer, because the server can estimate its recovery.
    if (asked) return Math.min(Math.max(delay, asked * 1000), asked * 1000 * (1 + this.#random()));
    return findApiError(error) || !isTransportError(error) ? Math.min(delay, longestForMissing) : delay;
  }

  /** Logs a warning when an error first occurs or changes, and not for each attempt. */
  #report(error: unknown): void {
    const { log } = this.#options;
    const hint = isForbidden(error) ? { hint: forbiddenHint } : {};
    const fields = { error: errorText(error), failures: this.#failures, ...hint };
    const before = this.#lastError;
    if (before !== undefined && nature(before) === nature(error)) log.debug("List or watch failed", fields);
    else if (isGone(error)) log.info("Watch expired, listing again", fields);
    else log.warn("List or watch failed", fields);
  }

  #timeoutSeconds(): number {
    return Math.round(300 + 300 * this.#random());
  }
}

function eventOf(value: unknown): RawEvent {
  const event = value as RawEvent | null;
  if (typeof event?.type !== "string" || typeof event.object !== "object" || event.object === null) {
    throw new TransportError("EBADANSWER", "the watch sent an invalid event");
  }
  if (event.type !== "ERROR") {
    versionOf(event.object);
    return event;
  }
  const status: unknown = event.object;
  throw isStatus(status) ? new ApiError(status) : new TransportError("EBADANSWER", "the watch sent an unknown error");
}

function versionOf(object: KubernetesObject): string {
  const version = object.metadata?.resourceVersion;
  if (!version) throw new TransportError("EBADANSWER", "the watch sent an object without a resource version");
  return version;
}

/** Returns the identity of an error. Messages are unsuitable, because each contains its request. */
function nature(error: unknown): string {
  const api = findApiError(error);
  if (api) return `${api.code} ${api.reason}`;
  return error instanceof TransportError ? error.code : errorText(error);
}

/** Checks whether the requested version is too old, or newer than the server's state. */
function isOutOfDate(error: unknown): boolean {
  return isGone(error) || isTooLargeResourceVersion(error);
}

/** Checks whether the server can't stream lists, or not those of this kind. */
function refusesStreaming(error: unknown): boolean {
  const code = findApiError(error)?.code;
  return code !== undefined && [400, 405, 406, 415, 422, 501].includes(code);
}

/** Checks for errors of a starting server: not ready, overloaded, or without its own roles. */
function isPassing(error: unknown): boolean {
  const code = findApiError(error)?.code;
  return isUnavailable(error) || code === 401 || code === 403;
}
