import { ApiError } from "../../errors/api-error.ts";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "../../transport/transport.ts";
import { type Actor, Lane } from "../schedule/actor.ts";
import type { Scheduler } from "../schedule/scheduler.ts";
import type { RequestFaults } from "./request-faults.ts";
import { type Target, targetOf } from "./target.ts";
import type { Usage } from "./usage.ts";
import { WatchLane } from "./watch-lane.ts";

/** The parts of a {@link Network}. */
export interface NetworkOptions {
  /** Passes requests to the server. */
  server: Transport;
  actor: Actor;
  scheduler: Scheduler;
  /**
   * The user agent, from which the server derives the owner of fields.
   *
   * @defaultValue the name of the actor
   */
  agent?: string;
  /** Causes faults. Users have none. */
  faults?: RequestFaults;
  /** Ends the process of the network. */
  crash?: () => void;
  /** Notes the resource of each request, and that an object is applied. */
  usage: Pick<Usage, "used" | "applied">;
  /** Called with each write, when it is sent. */
  onSend?: (target: Target, request: TransportRequest) => void;
  /** Whether a request is about an object that is gone, but would change the one that has its name now. */
  isForPredecessor?: (target: Target, request: TransportRequest) => boolean;
  /** Called with each event that reaches the process. */
  onEvent?: (type: string, object: unknown) => void;
}

/** Virtual time of a request in milliseconds. Without it, a loop of requests would keep all timers from firing. */
const requestTime = 50;

/**
 * Returns a response that never comes, because the process that waits for it has ended. A shared promise would keep all that
 * wait for it in memory.
 */
export function noResponse(): Promise<never> {
  return new Promise(() => {});
}

/**
 * The connection of a process to the server: each request, response and event of a watch is a step of the schedule, to
 * which faults can happen.
 */
export class Network implements Transport {
  readonly #options: NetworkOptions;
  readonly watches: Set<WatchLane> = new Set();
  /** The resources that are watched, or whose watch begins. */
  readonly watched: Set<string> = new Set();
  /** Streams that the server has opened, but the process hasn't received. */
  readonly #opened: Set<TransportStream> = new Set();

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return this.#exchange(request, (sent) => this.#options.server.request(sent));
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const target = targetOf(request);
    const { scheduler, actor, faults, onEvent } = this.#options;
    const isWatch = request.query?.watch === true;
    if (isWatch && target) this.watched.add(target.resource);
    const stream = await this.#exchange(request, (sent) => this.#open(sent));
    this.#opened.delete(stream);
    if (!isWatch || !target) return stream;
    const watch: WatchLane = new WatchLane({
      stream,
      scheduler,
      actor,
      faults,
      resource: target.resource,
      streamsList: request.query?.sendInitialEvents === true,
      onEvent: (type, object) => onEvent?.(type, object),
      onEnd: () => this.watches.delete(watch),
    });
    this.watches.add(watch);
    return watch;
  }

  async close(): Promise<void> {}

  /** Ends all streams at once, as when the process crashes. */
  cut(): void {
    for (const watch of this.watches) watch.cut();
    for (const stream of this.#opened) void stream.close();
    this.#opened.clear();
  }

  async #open(request: TransportRequest): Promise<TransportStream> {
    const stream = await this.#options.server.stream(request);
    // The process may have ended while the server opened it.
    if (this.#options.actor.isEnded) await stream.close();
    else this.#opened.add(stream);
    return stream;
  }

  async #exchange<R>(request: TransportRequest, send: (request: TransportRequest) => Promise<R>): Promise<R> {
    const { actor, agent = actor.name, usage, onSend } = this.#options;
    request.signal?.throwIfAborted();
    if (actor.isEnded) return noResponse();
    const target = targetOf(request);
    // Discovery doesn't change, so its order doesn't matter.
    if (!target) return send(request);
    usage.used(target.resource);
    request.beforeSend?.();
    if (request.contentType === "application/apply-patch+yaml") usage.applied();
    if (request.method !== "GET") onSend?.(target, request);
    const { beforeSend: _, ...rest } = request;
    const sent = { ...rest, headers: { ...request.headers, "user-agent": agent } };
    return this.#scheduled(sent, target, send);
  }

  #scheduled<R>(
    request: TransportRequest,
    target: Target,
    send: (request: TransportRequest) => Promise<R>,
  ): Promise<R> {
    const { actor, scheduler, faults, crash, isForPredecessor } = this.#options;
    const { signal } = request;
    const isWrite = request.method !== "GET";
    const lane = new Lane(actor);
    return new Promise<R>((resolve, reject) => {
      const abort = (): void => {
        scheduler.clear(lane);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      const answer = (settle: () => void): void => {
        scheduler.push(lane, () => {
          signal?.removeEventListener("abort", abort);
          settle();
        });
      };
      const fail = (error: unknown): void => answer(() => reject(error));
      const handle = (sent: TransportRequest): void => {
        scheduler.elapse(requestTime);
        if (isForPredecessor?.(target, sent)) {
          fail(ApiError.create(404, "NotFound", `${target.resource} "${target.name}" not found`));
          return;
        }
        send(sent).then((response) => {
          const fault = isWrite ? faults?.onResponse(lane, target, request) : undefined;
          if (fault?.type === "crash") crash?.();
          else if (fault?.type === "error") fail(fault.error);
          else answer(() => resolve(response));
        }, fail);
      };
      const arrive = (): void => {
        const fault = faults?.onArrival(target, request);
        switch (fault?.type) {
          case "crash":
            crash?.();
            break;
          case "error":
            fail(fault.error);
            break;
          case "conflict":
            void fault.write().then(() => handle(request));
            break;
          case "rewrite":
            handle({ ...request, query: { ...request.query, ...fault.query } });
            break;
          case "delay":
            lane.steps.push(() => handle(request));
            scheduler.hold(lane, fault.milliseconds);
            break;
          default:
            handle(request);
        }
      };
      scheduler.push(lane, arrive);
    });
  }
}
