import type { Kind } from "../api/kind.ts";
import type { AddOnlyQueue, AddOptions, Queue, QueueItem } from "../queue/queue.ts";
import type { Reason } from "../queue/reason.ts";
import type { Context } from "../reconcile/context.ts";
import type { ControllerInspection, InspectedEvent, Via } from "../reconcile/inspection.ts";
import type { Result } from "../reconcile/reconciler.ts";
import { type Request, requestKey } from "../reconcile/request.ts";
import type { PlannedRef } from "../session/plan.ts";

/** A request that a plan reconciles next. */
export interface PlannedRequest<R> {
  readonly item: R;
  readonly reasons: Reason[];
}

/** The parts of a plan that its controllers use. */
export interface PlanRuns {
  /** Runs one reconcile. */
  reconcile<R>(
    controller: PlanController<R>,
    request: PlannedRequest<R>,
    reconcile: () => Promise<Result | undefined>,
  ): Promise<void>;
  /** Reports that a handler has failed for an object. */
  failed(object: PlannedRef, error: unknown): void;
}

/** A controller whose requests wait until the plan takes them. */
export class PlanController<R> implements ControllerInspection<R>, Queue<R> {
  readonly name: string;
  readonly kind: Kind | undefined;
  readonly #runs: PlanRuns;
  readonly #pending = new Map<string, PlannedRequest<R>>();
  readonly #workers: ((item: QueueItem<R> | undefined) => void)[] = [];
  #current: PlannedRequest<R> | undefined;
  #finished: (() => void) | undefined;
  #isShutDown = false;
  /** Number of handlers that work. */
  #handling = 0;

  constructor(name: string, kind: Kind | undefined, runs: PlanRuns) {
    this.name = name;
    this.kind = kind;
    this.#runs = runs;
  }

  /** Whether the sources are in sync: a worker waits. */
  get isReady(): boolean {
    return this.#workers.length > 0;
  }

  /** Whether no handler of an event works. */
  get isIdle(): boolean {
    return this.#handling === 0;
  }

  get length(): number {
    return this.#pending.size;
  }

  /** Removes and returns all requests, in the order of namespace and name. */
  take(): PlannedRequest<R>[] {
    const requests = [...this.#pending].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, request]) => request);
    this.#pending.clear();
    return requests;
  }

  /** Reconciles a request. Resolves when the worker is done. */
  async reconcile(request: PlannedRequest<R>): Promise<void> {
    const worker = this.#workers.shift();
    if (!worker) throw new Error(`plan: controller ${this.name} has no free worker`);
    // It sees what has enqueued the same request in the meantime.
    const key = sortKey(request.item);
    const again = this.#pending.get(key)?.reasons ?? [];
    this.#pending.delete(key);
    this.#current = { item: request.item, reasons: [...request.reasons, ...again] };
    await new Promise<void>((resolve) => {
      this.#finished = resolve;
      worker({ item: request.item, priority: 0, reasons: [...request.reasons, ...again] });
    });
  }

  queue(): Queue<R> {
    return this;
  }

  queueFor({ type, object }: InspectedEvent, _via: Via, _queue: AddOnlyQueue<R>): AddOnlyQueue<R> {
    const { kind, metadata: { namespace, name } = {} } = object;
    const reason: Reason = {
      type,
      ...(kind ? { kind } : {}),
      ...(namespace ? { namespace } : {}),
      ...(name ? { name } : {}),
    };
    return { add: (item, options) => this.add(item, { ...options, reason }) };
  }

  handle({ object }: InspectedEvent, call: () => void | Promise<void>): void | Promise<void> {
    const failed = (error: unknown): void => {
      const { kind = "", metadata: { namespace = "", name = "" } = {} } = object;
      this.#runs.failed({ kind, namespace, name }, error);
    };
    try {
      const pending = call();
      if (!pending) return;
      this.#handling++;
      return pending.catch(failed).finally(() => this.#handling--);
    } catch (error) {
      failed(error);
    }
  }

  async run(_context: Context, _request: R, reconcile: () => Promise<Result | undefined>): Promise<Result | undefined> {
    const request = this.#current as PlannedRequest<R>;
    await this.#runs.reconcile(this, request, reconcile);
    return undefined;
  }

  add(item: R, { reason }: AddOptions = {}): void {
    if (this.#isShutDown) return;
    const key = sortKey(item);
    const request = this.#pending.get(key) ?? { item, reasons: [] };
    if (reason) request.reasons.push(reason);
    this.#pending.set(key, request);
  }

  get(): Promise<QueueItem<R> | undefined> {
    if (this.#isShutDown) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#workers.push(resolve));
  }

  done(): void {
    this.#finished?.();
    this.#finished = undefined;
  }

  forget(): void {}

  numRequeues(): number {
    return 0;
  }

  shutDown(): void {
    this.#isShutDown = true;
    for (const worker of this.#workers.splice(0)) worker(undefined);
  }

  /** Names the object of a request. */
  refOf(item: R): PlannedRef {
    const { namespace, name } = item as Partial<Request>;
    const isObject = typeof name === "string";
    return {
      kind: this.kind?.kind ?? "",
      namespace: isObject ? (namespace ?? "") : "",
      name: isObject ? name : requestKey(item),
    };
  }
}

/** Requests are in the order of namespace and name. */
function sortKey(item: unknown): string {
  const { namespace = "", name } = item as Partial<Request>;
  return typeof name === "string" ? `${namespace}\0${name}` : requestKey(item);
}
