import type { KubernetesObject } from "../../api/index.ts";
import { ApiError } from "../../errors/api-error.ts";
import { TransportError } from "../../errors/transport-error.ts";
import type { TransportRequest } from "../../transport/transport.ts";
import type { Lane } from "../schedule/actor.ts";
import { type Elector, isElection } from "../world/lease.ts";
import type {
  ArrivalFault,
  DeliveryFault,
  DemandedFault,
  RequestFaults,
  ResponseFault,
} from "../world/request-faults.ts";
import type { RunWorld } from "../world/run-world.ts";
import { nameOf, type Target } from "../world/target.ts";
import { touch } from "../world/touch.ts";
import { ServerErrors } from "./server-errors.ts";

const delays = [1000, 5000, 20_000, 60_000] as const;

/** Decides which faults happen to the requests and watches of one process of the operator. */
export class FaultInjector implements RequestFaults {
  readonly #world: RunWorld;
  readonly #errors: ServerErrors;
  /** Whether the lists of the new process may be old. */
  #isStaleStart: boolean;
  readonly #elector: Elector;
  /** Faults that a scenario demands of the next writes. */
  readonly #demanded: DemandedFault[] = [];

  /**
   * @param world - the parts of the run
   * @param isStaleStart - whether the server is behind while the process starts
   * @param elector - the process, with its lease
   */
  constructor(world: RunWorld, isStaleStart: boolean, elector: Elector) {
    this.#world = world;
    this.#elector = elector;
    this.#isStaleStart = isStaleStart;
    this.#errors = new ServerErrors(world);
  }

  /** Lets a fault happen to the next write. */
  demand(name: DemandedFault): void {
    this.#demanded.push(name);
  }

  /** Decides about a request that reaches the server. */
  onArrival(target: Target, request: TransportRequest): ArrivalFault | undefined {
    const isRead = request.method === "GET";
    if (isRead) {
      const stale = this.#staleList(target, request);
      if (stale) return stale;
    }
    const error = this.#errors.of(target, request, !isRead && this.#take("errors"));
    if (error) return { type: "error", error };
    if (target.resource === "events") return undefined;
    const { choices } = this.#world;
    const object = nameOf(target);
    const at = `${request.method} ${target.resource}`;
    const slow = choices.fault("time", at, 3, 0.3);
    if (slow > 0) {
      const milliseconds = delays[slow - 1] as number;
      this.#world.timeline.fault("time", `the request ${request.method} takes ${milliseconds / 1000} s`, object);
      return { type: "delay", milliseconds };
    }
    if (isRead) return undefined;
    if (this.#take("crash") || choices.fault("crash", at) > 0) {
      this.#world.timeline.fault("crash", `before ${request.method} reaches the server`, object);
      return { type: "crash" };
    }
    const hasPrevious = target.name !== "" && request.method !== "POST" && !isElection(target, [this.#elector]);
    if (hasPrevious && (this.#take("conflict") || choices.fault("conflict", at) > 0)) {
      return {
        type: "conflict",
        write: async () => {
          if (!this.#world.state.find(target)) return;
          this.#world.timeline.fault("conflict", `another client writes before ${request.method}`, object);
          await touch(this.#world, target);
        },
      };
    }
    return undefined;
  }

  /** Decides about the response to a write. */
  onResponse(_lane: Lane, target: Target, request: TransportRequest): ResponseFault | undefined {
    if (target.resource === "events") return undefined;
    const { choices } = this.#world;
    const object = nameOf(target);
    const at = `response to ${request.method} ${target.resource}`;
    if (choices.fault("crash", at) > 0) {
      this.#world.timeline.fault("crash", `after ${request.method}, before its response`, object);
      return { type: "crash" };
    }
    if (this.#take("lost") || choices.fault("lost", at) > 0) {
      this.#world.timeline.fault("lost", `the response to ${request.method} is lost`, object);
      return { type: "error", error: lostResponse(request) };
    }
    return undefined;
  }

  /** Decides about an event of a watch. */
  onDelivery(watch: { resource: string }): DeliveryFault | undefined {
    if (watch.resource === "events") return undefined;
    const { choices } = this.#world;
    const lag = choices.fault("stale", watch.resource, delays.length);
    if (lag > 0) {
      const milliseconds = delays[lag - 1] as number;
      this.#world.timeline.fault("stale", `the cache of ${watch.resource} lags behind for ${milliseconds / 1000} s`);
      return { type: "hold", milliseconds };
    }
    const cut = choices.fault("watch", watch.resource, 3);
    return cut > 0 ? { type: "cut", error: this.cutError(cut, watch.resource) } : undefined;
  }

  /** Whether an event must not be delivered: its object is gone. */
  isOutdated(object: KubernetesObject): boolean {
    return this.#world.state.finalized.isOutdated(object);
  }

  /** Counts a cut of a watch, and returns its error: none for a regular end. */
  cutError(variant: number, resource: string): unknown {
    const how = ["ends", "loses its connection", "has expired (410)"][variant - 1];
    this.#world.timeline.fault("watch", `the watch of ${resource} ${how}, its pending events are lost`);
    if (variant === 1) return undefined;
    if (variant === 2) return lostResponse({ method: "GET", path: resource });
    return ApiError.create(410, "Expired", "The resourceVersion for the provided watch is too old.");
  }

  /** A server that is behind: it can't stream lists, and lists without a minimum version are old. */
  #staleList(target: Target, { query }: TransportRequest): ArrivalFault | undefined {
    const { choices } = this.#world;
    if (query?.sendInitialEvents === true) {
      if (!this.#isStaleStart && choices.fault("stale", `list ${target.resource}`) === 0) return undefined;
      this.#isStaleStart = true;
      return { type: "error", error: ApiError.create(400, "BadRequest", "sendInitialEvents is not supported") };
    }
    if (!this.#isStaleStart || query?.watch || query?.resourceVersion !== "0") return undefined;
    const { firstRevision: first, revision: current } = this.#world.state;
    const back = choices.detail("stale", `list ${target.resource}`, 8);
    if (back === 0 || current <= first) return undefined;
    const old = current - Math.ceil(((current - first) * back) / 8);
    const revision = Math.max(first, this.#world.state.finalized.latest(target, old));
    this.#world.timeline.fault(
      "stale",
      `the first list of ${target.resource} is of revision ${revision}, now it is ${current}`,
    );
    return { type: "rewrite", query: { resourceVersion: String(revision), resourceVersionMatch: "Exact" } };
  }

  #take(name: DemandedFault): boolean {
    if (this.#demanded[0] !== name) return false;
    this.#demanded.shift();
    return true;
  }
}

/** Creates the error of a response that didn't arrive. */
function lostResponse({ method, path }: Pick<TransportRequest, "method" | "path">): TransportError {
  return new TransportError("ETIMEDOUT", `${method} ${path}: no response arrived in time`);
}
