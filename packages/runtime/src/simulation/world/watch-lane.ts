import type { KubernetesObject } from "../../api/index.ts";
import type { TransportStream } from "../../transport/transport.ts";
import { type Actor, Lane } from "../schedule/actor.ts";
import type { Scheduler } from "../schedule/scheduler.ts";
import type { RequestFaults } from "./request-faults.ts";

interface Line {
  type: string;
  object: KubernetesObject;
}

/** The parts of a {@link WatchLane}. */
export interface WatchLaneOptions {
  stream: TransportStream;
  scheduler: Scheduler;
  actor: Actor;
  faults: RequestFaults | undefined;
  /** Name of the resource that is watched. */
  resource: string;
  /** Whether the watch begins with a list. */
  streamsList: boolean;
  /** Called with each event that is delivered. */
  onEvent: (type: string, object: KubernetesObject) => void;
  onEnd: () => void;
}

const initialEventsEnd = "k8s.io/initial-events-end";

/** A watch whose events wait in order until the schedule delivers them. */
export class WatchLane implements TransportStream {
  readonly resource: string;
  readonly lane: Lane;
  readonly #options: WatchLaneOptions;
  readonly #delivered: Line[] = [];
  #wake: (() => void) | undefined;
  #error: unknown;
  #isEnded = false;

  constructor(options: WatchLaneOptions) {
    this.#options = options;
    this.resource = options.resource;
    this.lane = new Lane(options.actor);
    void this.#pump();
  }

  async close(): Promise<void> {
    this.#end();
    await this.#options.stream.close();
  }

  /** Ends the watch at once. Events that weren't delivered are lost. */
  cut(error?: unknown): void {
    this.#error = error;
    this.#options.scheduler.clear(this.lane);
    void this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    try {
      for (;;) {
        for (let line = this.#delivered.shift(); line; line = this.#delivered.shift()) yield line;
        if (this.#error !== undefined) throw this.#error;
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      await this.close();
    }
  }

  /** Moves the lines of the server into the lane. The objects of a streamed list come as one step. */
  async #pump(): Promise<void> {
    const { stream, scheduler, streamsList } = this.#options;
    let list: Line[] | undefined = streamsList ? [] : undefined;
    for await (const value of stream) {
      if (this.#isEnded) return;
      const line = value as Line;
      if (!list) {
        this.#push(line);
        continue;
      }
      list.push(line);
      if (line.object.metadata?.annotations?.[initialEventsEnd] !== "true") continue;
      const lines = list;
      list = undefined;
      scheduler.push(this.lane, () => this.#deliver(lines));
    }
    if (!this.#isEnded) scheduler.push(this.lane, () => this.#end());
  }

  #push(line: Line): void {
    const { scheduler, faults } = this.#options;
    if (this.#isEnded) return;
    scheduler.push(this.lane, () => {
      if (faults?.isOutdated(line.object) && line.type !== "DELETED") return;
      const fault = line.type === "BOOKMARK" ? undefined : faults?.onDelivery(this);
      if (fault?.type === "cut") return this.cut(fault.error);
      if (fault?.type === "hold") {
        // The event comes again as the first one when the delay is over.
        this.lane.steps.unshift(() => this.#deliver([line]));
        scheduler.hold(this.lane, fault.milliseconds);
        return;
      }
      this.#deliver([line]);
    });
  }

  #deliver(lines: Line[]): void {
    if (this.#isEnded) return;
    for (const line of lines) {
      this.#options.onEvent(line.type, line.object);
      this.#delivered.push(line);
    }
    this.#wakeUp();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#options.scheduler.clear(this.lane);
    this.#options.onEnd();
    this.#wakeUp();
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
