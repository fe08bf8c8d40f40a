import { groupOf } from "../api/kind.ts";
import type { Clock } from "../clock/clock.ts";
import { ApiError } from "../errors/api-error.ts";
import { TransportError } from "../errors/transport-error.ts";
import type { ActiveManagerFault, ManagerFault } from "../session/records.ts";
import type { TransportRequest, TransportStream } from "../transport/transport.ts";
import { requestInfo } from "./request-info.ts";
import { inspectedScope } from "./scope.ts";

const defaultSeconds = 10;
const longestSeconds = 600;

/** Without its lease, a manager would end, and events about objects aren't part of what it decides. */
const spared = new Set(["leases", "events"]);
/** Kinds that the manager writes itself, so that the cluster calls its webhooks: it would only try again. */
const webhookConfigurations = new Set([
  "mutatingwebhookconfigurations",
  "validatingwebhookconfigurations",
  "customresourcedefinitions",
]);

/** Lets requests of the manager fail on demand, so that its author sees the error paths. */
export class Faults {
  readonly #clock: Clock;
  readonly #streams = new Set<TransportStream>();
  #onChange: (active: readonly ActiveManagerFault[]) => void = () => {};
  #conflicts: { left: number; apiVersion?: string; kind?: string } | undefined;
  #unavailableUntil = 0;
  #webhookDownUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls a function when a fault was injected, has struck, or was ended: not when its time is over. */
  observe(onChange: (active: readonly ActiveManagerFault[]) => void): void {
    this.#onChange = onChange;
  }

  /**
   * Injects a fault.
   *
   * @param fault - the fault
   * @throws TypeError if a number isn't valid
   */
  inject(fault: ManagerFault): void {
    if (fault.fault === "conflict") {
      const { count = 1, apiVersion, kind } = fault;
      if (!Number.isInteger(count) || count < 1) throw new TypeError(`count: ${count} must be a positive integer`);
      this.#conflicts = { left: count, ...(apiVersion ? { apiVersion } : {}), ...(kind ? { kind } : {}) };
    } else if (fault.fault === "watch-cut") this.#cutStreams();
    else {
      const until = this.#clock.now() + milliseconds(fault.seconds);
      if (fault.fault === "webhook-down") this.#webhookDownUntil = until;
      else {
        this.#unavailableUntil = until;
        this.#cutStreams();
      }
    }
    this.#onChange(this.active());
  }

  /** Ends all faults. */
  clear(): void {
    this.#conflicts = undefined;
    this.#unavailableUntil = 0;
    this.#webhookDownUntil = 0;
    this.#onChange([]);
  }

  /** Returns the faults that still have an effect. */
  active(): ActiveManagerFault[] {
    const until = (at: number): string => new Date(this.#clock.date().getTime() + at - this.#clock.now()).toISOString();
    return [
      ...(this.#conflicts ? [{ fault: "conflict" as const, ...this.#conflicts }] : []),
      ...(this.#isUnavailable ? [{ fault: "unavailable" as const, until: until(this.#unavailableUntil) }] : []),
      ...(this.webhooksAreDown ? [{ fault: "webhook-down" as const, until: until(this.#webhookDownUntil) }] : []),
    ];
  }

  /** Whether webhooks must not answer. */
  get webhooksAreDown(): boolean {
    return this.#clock.now() < this.#webhookDownUntil;
  }

  /**
   * Called before a request is sent.
   *
   * @param request - the request
   * @param kind - the kind of its object, if it is known
   * @returns undefined if no fault affects the request, otherwise a promise that rejects with the error that the caller
   *   receives instead of an answer
   */
  check(request: TransportRequest, kind: string | undefined): Promise<never> | undefined {
    if (this.#isUnavailable) {
      return failure(() => new TransportError("ECONNREFUSED", "connect ECONNREFUSED (fault: unavailable)"));
    }
    const conflicts = this.#conflicts;
    if (!conflicts || !canConflict(request)) return undefined;
    const info = requestInfo(request.path);
    if (!info || spared.has(info.plural)) return undefined;
    if (webhookConfigurations.has(info.plural) && !inspectedScope.getStore()) return undefined;
    if (conflicts.kind !== undefined && conflicts.kind !== kind && conflicts.kind !== info.plural) return undefined;
    if (conflicts.apiVersion !== undefined && groupOf(conflicts.apiVersion) !== info.group) return undefined;
    conflicts.left--;
    if (conflicts.left === 0) this.#conflicts = undefined;
    this.#onChange(this.active());
    const message = `Operation cannot be fulfilled on ${info.plural}${info.group ? `.${info.group}` : ""} "${info.name}": the object has been modified; please apply your changes to the latest version and try again`;
    const { name, group, plural } = info;
    return failure(() => ApiError.create(409, "Conflict", message, { name, group, kind: plural }));
  }

  /** Registers a stream until it ends. Returns a function that unregisters it. */
  opened(stream: TransportStream): () => void {
    this.#streams.add(stream);
    return () => this.#streams.delete(stream);
  }

  get #isUnavailable(): boolean {
    return this.#clock.now() < this.#unavailableUntil;
  }

  #cutStreams(): void {
    for (const stream of this.#streams) void stream.close();
    this.#streams.clear();
  }
}

/**
 * Whether a server can refuse a write because the object has changed. A forced apply takes over the fields of others, and a delete
 * without preconditions deletes whatever exists.
 */
function canConflict({ method, query, contentType = "", body }: TransportRequest): boolean {
  if (method === "PUT") return true;
  if (method === "PATCH") return !(contentType.startsWith("application/apply-patch") && query?.force === true);
  if (method !== "DELETE") return false;
  const { uid, resourceVersion } = (body as { preconditions?: Preconditions } | undefined)?.preconditions ?? {};
  return uid !== undefined || resourceVersion !== undefined;
}

interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Rejects in a later turn of the event loop, as requests do: only then has the stack trace the functions that await the answer. */
async function failure(create: () => Error): Promise<never> {
  await new Promise((resolve) => setImmediate(resolve));
  throw create();
}

function milliseconds(seconds = defaultSeconds): number {
  if (!(seconds > 0 && seconds <= longestSeconds)) {
    throw new TypeError(`seconds: ${seconds} must be a number from 1 to ${longestSeconds}`);
  }
  return seconds * 1000;
}
