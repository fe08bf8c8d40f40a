import type { KubernetesObject } from "../api/index.ts";
import type { Clock, Timer } from "../clock/clock.ts";
import { type Random, systemRandom } from "../clock/random.ts";
import { isPanic } from "../errors/panic.ts";
import { findApiError } from "../errors/predicates.ts";
import { isTransportError } from "../errors/transport-error.ts";
import type { LogFields, Logger } from "../log/logger.ts";
import type { AnyEvent } from "../predicate/combine.ts";
import type { DropReason, EventMetrics } from "./event-metrics.ts";
import { isUnavailable } from "./is-unavailable.ts";
import { LineBudget } from "./line-budget.ts";
import { keyOf } from "./store.ts";

export interface DeliveryOptions<T extends KubernetesObject> {
  /** Passes one event to the user's code. */
  dispatch: (event: AnyEvent<T>) => void | Promise<void>;
  clock: Clock;
  random?: Random;
  log: Logger;
  /** Value of the metrics' label `kind`. */
  kind: string;
  /** Called at each use, since metrics can be created after caches. */
  metrics?: () => EventMetrics | undefined;
}

/** The events of one object with a pending call or retry. */
interface Lane<T extends KubernetesObject> {
  current: AnyEvent<T>;
  readonly backlog: AnyEvent<T>[];
  failures: number;
  calledAt: number;
  isCalling: boolean;
  isStalled: boolean;
  timer: Timer | undefined;
}

/**
 * Maximum number of pending calls before the next ones wait for {@link maxWait}, so that map functions don't flood the API
 * server.
 */
const window = 200;
/**
 * Time in milliseconds after which pending calls no longer count against {@link window}, so that a call that never ends
 * doesn't block others.
 */
const maxWait = 10;
/**
 * Time limit in milliseconds of {@link EventDelivery.settled}: slow map functions of a few objects must not delay the
 * workers.
 */
const grace = 50;
/** Time in milliseconds after which a pending call is reported as stalled. */
const stallAfter = 10_000;
/** Maximum number of objects with a pending call or retry, which limits memory while objects come and go. */
const maxLanes = 10_000;
/** Maximum number of queued events per object while an earlier one is pending. Later events are merged. */
const maxBacklog = 10;
/** Attempts for transient errors that aren't caused by an unavailable server: 30 s in total. */
const maxAttempts = 10;
const firstPause = 200;
const longestPause = 5000;

/**
 * Passes events to user code. The events of one object arrive in order, one at a time. Objects don't wait for each other.
 *
 * If a retry can't fix an error, the event is dropped immediately. Transient errors are retried separately from the stream:
 * without limit while the API server is unavailable, otherwise {@link maxAttempts} times.
 */
export class EventDelivery<T extends KubernetesObject> {
  readonly #options: DeliveryOptions<T>;
  readonly #lanes = new Map<string, Lane<T>>();
  /** Lanes whose calls count against {@link window}. */
  readonly #fresh = new Set<Lane<T>>();
  /** Called with each lane whose call has ended. */
  readonly #listeners = new Set<(lane: Lane<T>) => void>();
  readonly #lines: LineBudget;
  #watchdog: Timer | undefined;
  #isClosed = false;

  constructor(options: DeliveryOptions<T>) {
    this.#options = options;
    this.#lines = new LineBudget(() => options.clock.now());
  }

  /** Passes an event. Returns a promise if the next event must wait, which is at most for {@link maxWait}. */
  offer(event: AnyEvent<T>): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    const key = keyOf(event.event.object);
    const lane = this.#lanes.size > 0 ? this.#lanes.get(key) : undefined;
    if (lane) {
      this.#append(lane, event);
      return undefined;
    }
    try {
      const pending = this.#options.dispatch(event);
      if (!pending) return undefined;
      this.#await(key, this.#open(key, event), pending);
    } catch (error) {
      if (mayPass(error, true)) this.#failed(key, this.#open(key, event), error);
      else this.#drop(event, "error", error);
      return undefined;
    }
    return this.#fresh.size < window ? undefined : this.#room();
  }

  /**
   * Resolves when the currently pending calls have ended, or after {@link grace}. Returns `undefined` if none is pending.
   */
  settled(): Promise<void> | undefined {
    const pending = new Set([...this.#lanes.values()].filter(({ isCalling }) => isCalling));
    if (pending.size === 0) return undefined;
    return this.#until((lane) => {
      pending.delete(lane);
      return pending.size === 0;
    }, grace);
  }

  /** Drops everything pending and stops the delivery. */
  close(): void {
    this.#isClosed = true;
    for (const [key, lane] of this.#lanes) this.#end(key, lane);
    this.#options.clock.clearTimeout(this.#watchdog);
  }

  /** Resolves when another call is allowed. Calls that take longer than {@link maxWait} no longer count. */
  async #room(): Promise<void> {
    await this.#until(() => this.#fresh.size < window, maxWait);
    if (this.#fresh.size >= window) this.#fresh.clear();
  }

  #until(isReached: (ended: Lane<T>) => boolean, milliseconds: number): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const done = (): void => {
        clock.clearTimeout(timer);
        this.#listeners.delete(listener);
        resolve();
      };
      const listener = (lane: Lane<T>): void => {
        if (isReached(lane)) done();
      };
      const timer = clock.setTimeout(done, milliseconds);
      this.#listeners.add(listener);
    });
  }

  #open(key: string, event: AnyEvent<T>): Lane<T> {
    if (this.#lanes.size >= maxLanes) this.#abandonOldest();
    const lane: Lane<T> = {
      current: event,
      backlog: [],
      failures: 0,
      calledAt: 0,
      isCalling: false,
      isStalled: false,
      timer: undefined,
    };
    this.#lanes.set(key, lane);
    return lane;
  }

  #await(key: string, lane: Lane<T>, pending: Promise<void>): void {
    lane.isCalling = true;
    lane.calledAt = this.#options.clock.now();
    this.#fresh.add(lane);
    this.#armWatchdog();
    // User code can return a thenable whose `then` misbehaves, so it is wrapped in a promise.
    Promise.resolve(pending).then(
      () => {
        this.#ended(lane);
        this.#next(key, lane);
      },
      (error: unknown) => {
        this.#ended(lane);
        if (this.#lanes.get(key) === lane) this.#failed(key, lane, error, false);
      },
    );
  }

  #ended(lane: Lane<T>): void {
    lane.isCalling = false;
    this.#fresh.delete(lane);
    for (const listener of this.#listeners) listener(lane);
  }

  /** Continues with the next event of the object, if there is one. */
  #next(key: string, lane: Lane<T>): void {
    if (this.#lanes.get(key) !== lane) return;
    this.#setStalled(lane, false);
    const event = lane.backlog.shift();
    if (!event) {
      this.#lanes.delete(key);
      return;
    }
    lane.current = event;
    lane.failures = 0;
    this.#call(key, lane);
  }

  #call(key: string, lane: Lane<T>): void {
    try {
      const pending = this.#options.dispatch(lane.current);
      if (pending) this.#await(key, lane, pending);
      else this.#next(key, lane);
    } catch (error) {
      this.#failed(key, lane, error);
    }
  }

  #failed(key: string, lane: Lane<T>, error: unknown, wasThrown = true): void {
    const { clock, kind, log, metrics, random = systemRandom } = this.#options;
    lane.failures++;
    const isLast = lane.failures >= maxAttempts && !isUnavailable(error);
    if (isLast || !mayPass(error, wasThrown)) {
      this.#drop(lane.current, isLast ? "retries" : "error", error);
      this.#next(key, lane);
      return;
    }
    metrics?.()?.handlerFailed(kind);
    this.#setStalled(lane, true);
    if (lane.failures === maxAttempts) {
      const fields = fieldsOf(lane.current);
      this.#lines.write(
        (more) => log.error(error, "Event handler failed, the event waits until the server can be reached", more),
        fields,
      );
    }
    const pause = Math.min(firstPause * 2 ** (lane.failures - 1), longestPause);
    // The jitter spreads the retries of objects that failed in the same outage.
    lane.timer = clock.setTimeout(() => this.#call(key, lane), pause * (0.8 + 0.4 * random()));
  }

  #append(lane: Lane<T>, event: AnyEvent<T>): void {
    const last = lane.backlog.at(-1);
    // A handler must see the creation of an object before its deletion. Merged events never end with a creation again.
    const isCreatedAndDeleted = last?.type === "create" && event.type === "delete";
    if (!last || lane.backlog.length < maxBacklog || isCreatedAndDeleted) {
      lane.backlog.push(event);
      return;
    }
    const { kind, log, metrics } = this.#options;
    lane.backlog[lane.backlog.length - 1] = latest(last, event);
    metrics?.()?.eventDropped(kind, "limit");
    const message = "Events of an object wait for its event handler, only the latest one is kept";
    this.#lines.write((fields) => log.warn(message, fields), fieldsOf(event));
  }

  #drop(event: AnyEvent<T>, reason: DropReason, error: unknown): void {
    const { kind, log, metrics } = this.#options;
    const counts = metrics?.();
    counts?.handlerFailed(kind);
    counts?.eventDropped(kind, reason);
    this.#lines.write(
      (fields) => log.error(error, "Event handler failed, the event is dropped", fields),
      fieldsOf(event),
    );
  }

  /** Drops the oldest object with its retry and queued events. A pending call continues unobserved. */
  #abandonOldest(): void {
    const { kind, log, metrics } = this.#options;
    const [key, lane] = this.#lanes.entries().next().value!;
    const lost = lane.backlog.length + (lane.isCalling ? 0 : 1);
    this.#end(key, lane);
    for (let count = 0; count < lost; count++) metrics?.()?.eventDropped(kind, "limit");
    const message = `Event handlers are pending for ${maxLanes} objects, the one that is pending for the longest time is dropped`;
    this.#lines.write((fields) => log.warn(message, fields), { ...fieldsOf(lane.current), dropped: lost });
  }

  #end(key: string, lane: Lane<T>): void {
    this.#options.clock.clearTimeout(lane.timer);
    this.#setStalled(lane, false);
    this.#lanes.delete(key);
    this.#fresh.delete(lane);
  }

  #setStalled(lane: Lane<T>, isStalled: boolean): void {
    if (lane.isStalled === isStalled) return;
    lane.isStalled = isStalled;
    this.#options.metrics?.()?.handlerStalled(this.#options.kind, isStalled ? 1 : -1);
  }

  /**
   * Starts the timer that detects stalled calls. A single timer checks all calls, because most calls end long before it
   * fires.
   */
  #armWatchdog(): void {
    if (this.#watchdog) return;
    const { clock, log } = this.#options;
    this.#watchdog = clock.setTimeout(() => {
      this.#watchdog = undefined;
      for (const lane of this.#lanes.values()) {
        if (!lane.isCalling || lane.isStalled || clock.now() - lane.calledAt < stallAfter) continue;
        this.#setStalled(lane, true);
        const fields = { ...fieldsOf(lane.current), seconds: Math.round((clock.now() - lane.calledAt) / 1000) };
        this.#lines.write((more) => log.warn("Event handler is slow, events of the object wait for it", more), fields);
      }
      if (this.#lanes.size > 0) this.#armWatchdog();
    }, stallAfter);
    this.#watchdog.unref();
  }
}

/**
 * Checks whether a later attempt can succeed. A server's response can change. Synchronous errors and errors of the language,
 * such as a TypeError, are permanent.
 */
function mayPass(error: unknown, wasThrown: boolean): boolean {
  if (isTransportError(error) || findApiError(error)) return true;
  return !wasThrown && !isPanic(error);
}

function fieldsOf<T extends KubernetesObject>({ type, event }: AnyEvent<T>): LogFields {
  const { namespace, name } = event.object.metadata ?? {};
  return { event: type, namespace, name };
}

/**
 * Merges two consecutive events of the same object: the state before the first, if a handler may have seen it, and the
 * state after the second.
 */
function latest<T extends KubernetesObject>(first: AnyEvent<T>, second: AnyEvent<T>): AnyEvent<T> {
  if (second.type === "delete" && first.type === "update") {
    const { oldObject } = first.event;
    // The handler has seen an earlier object of that name.
    const isReplaced = oldObject.metadata?.uid !== second.event.object.metadata?.uid;
    return isReplaced ? { type: "delete", event: { object: oldObject, deleteStateUnknown: true } } : second;
  }
  if (second.type !== "create" && second.type !== "update") return second;
  const { object } = second.event;
  switch (first.type) {
    case "create":
      return { type: "create", event: { ...first.event, object } };
    case "update":
      return { type: "update", event: { oldObject: first.event.oldObject, object } };
    case "delete":
      // Merges the deletion and the creation into an update, as if a watch had missed both.
      return { type: "update", event: { oldObject: first.event.object, object } };
    case "generic":
      return second;
  }
}
