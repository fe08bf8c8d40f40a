import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { Clock } from "../clock/clock.ts";
import { errorText } from "../log/error-text.ts";
import { redactText } from "../log/redact-text.ts";
import type { SourceMaps } from "../log/source-maps.ts";
import type { AddOnlyQueue, Queue } from "../queue/queue.ts";
import type { Context } from "../reconcile/context.ts";
import type { ControllerInspection, InspectedEvent, Via } from "../reconcile/inspection.ts";
import type { Result } from "../reconcile/reconciler.ts";
import { type Request, requestKey } from "../reconcile/request.ts";
import { isTerminal } from "../reconcile/terminal-error.ts";
import type {
  ControllerStatus,
  QueueStatus,
  ReconciledChild,
  ReconcileError,
  ReconcileReason,
  ReconcileRecord,
} from "../session/records.ts";
import { ActiveReconcile } from "./active-reconcile.ts";
import { changedPaths } from "./changed-paths.ts";
import { InspectedQueue } from "./inspected-queue.ts";
import { keyText } from "./key-text.ts";
import type { ObjectTracker } from "./object-tracker.ts";
import { inspectedScope } from "./scope.ts";
import { sourcePosition } from "./source-position.ts";

const maxDurations = 100;
const maxErrors = 20;
const secondsKept = 60;

/** The parts that the inspection of a controller uses. */
export interface ControllerParts {
  readonly name: string;
  /** The kind that it reconciles; unset for requests of other types. */
  readonly kind: Pick<Kind, "apiVersion" | "kind"> | undefined;
  readonly clock: Clock;
  readonly tracker: ObjectTracker;
  readonly sources: SourceMaps;
  readonly isPaused: () => boolean;
  readonly recorded: (record: ReconcileRecord) => void;
}

/** Records the reconciles of a controller. */
export class InspectedController<R> implements ControllerInspection<R> {
  readonly #parts: ControllerParts;
  readonly #durations: number[] = [];
  readonly #errors = new Map<string, number>();
  /** Reconciles by second. */
  readonly #seconds = new Map<number, number>();
  /** The objects of reasons. */
  readonly #objects = new WeakMap<ReconcileReason, KubernetesObject>();
  /** The failed reconciles, by key, for which the next attempt isn't known yet. */
  readonly #failures = new Map<string, ReconcileRecord>();
  #queue: InspectedQueue<R> | undefined;
  #workers = 1;
  #total = 0;
  #failed = 0;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.name;
  }

  /** The kind that it reconciles, as the records contain it. */
  get kind(): { readonly apiVersion?: string; readonly kind: string } {
    const { kind } = this.#parts;
    return kind ? { apiVersion: kind.apiVersion, kind: kind.kind } : { kind: "" };
  }

  queue(inner: Queue<R>, workers: number): Queue<R> {
    this.#queue = new InspectedQueue(inner, this.#parts.clock, (item, retry) => this.#reportFailure(item, retry));
    this.#workers = workers;
    if (this.#parts.isPaused()) this.#queue.pause(true);
    return this.#queue;
  }

  queueFor(event: InspectedEvent, via: Via, queue: AddOnlyQueue<R>): AddOnlyQueue<R> {
    const inspected = this.#queue;
    // A handler can wrap the queue, so this one only explains what reaches it.
    if (!inspected) return queue;
    const reason = this.#reasonOf(event, via);
    if (via !== "channel" && event.type !== "delete") this.#objects.set(reason, event.object);
    return { add: (item, options) => inspected.addExplained(item, options, reason) };
  }

  /** Holds back all reconciles, or releases them. */
  pause(paused: boolean): void {
    this.#queue?.pause(paused);
  }

  /** Enqueues an object at the request of a person. Returns whether the controller can reconcile it. */
  reconcileNow(request: Request): boolean {
    if (!this.#queue) return false;
    const reason: ReconcileReason = {
      type: "generic",
      ...this.kind,
      ...(request.namespace ? { namespace: request.namespace } : {}),
      name: request.name,
      manual: true,
      time: new Date().toISOString(),
    };
    const { type, kind, namespace, name } = reason;
    const options = { priority: 100, reason: { type: type as "generic", kind, namespace, name } };
    this.#queue.addExplained(request as R, options, reason);
    return true;
  }

  children(results: readonly ReconciledChild[]): void {
    inspectedScope.getStore()?.reconcile.reconciled(results);
  }

  async run(context: Context, request: R, reconcile: () => Promise<Result | undefined>): Promise<Result | undefined> {
    const { clock } = this.#parts;
    const active = new ActiveReconcile(context.reconcileID);
    const started = clock.now();
    const time = clock.date().toISOString();
    const reasons = (this.#queue?.reasonsOf(request) ?? []).map((reason) => this.#completed(reason));
    let result: Result | undefined;
    let error: ReconcileError | null = null;
    try {
      result = await inspectedScope.run({ reconcile: active }, async () => reconcile());
      return result;
    } catch (thrown) {
      error = this.#errorOf(thrown);
      throw thrown;
    } finally {
      active.end();
      this.#record(active, { request, reasons, time, durationMs: clock.now() - started, result, error });
    }
  }

  status(): ControllerStatus {
    const now = this.#second();
    return {
      ...this.queueStatus(),
      ...this.kind,
      workers: this.#workers,
      total: this.#total,
      errors: this.#failed,
      errorsByMessage: [...this.#errors]
        .map(([message, count]) => ({ message, count }))
        .sort((a, b) => b.count - a.count),
      perSecond: Array.from(
        { length: secondsKept },
        (_, index) => this.#seconds.get(now - secondsKept + 1 + index) ?? 0,
      ),
      durations: [...this.#durations],
    };
  }

  /** The seconds since any moment. Setting the clock of the computer doesn't change them. */
  #second(): number {
    return Math.floor(this.#parts.clock.now() / 1000);
  }

  queueStatus(): QueueStatus {
    return { name: this.name, ...(this.#queue?.status() ?? { depth: 0, active: [], delayed: [] }) };
  }

  #reasonOf({ type, object, oldObject, isInInitialList }: InspectedEvent, via: Via): ReconcileReason {
    const { name, namespace, resourceVersion } = object.metadata ?? {};
    const isResync =
      type === "update" && resourceVersion !== undefined && resourceVersion === oldObject?.metadata?.resourceVersion;
    const change = isResync || via === "channel" ? undefined : this.#parts.tracker.change(object);
    // The latest writer of an object that existed before isn't who created it.
    const by = isInInitialList ? change?.creator : change?.by;
    const changed = type === "update" && !isResync ? changedPaths(oldObject, object) : [];
    return {
      type: via === "channel" ? "channel" : isResync ? "resync" : type,
      ...(object.apiVersion ? { apiVersion: object.apiVersion } : {}),
      ...(object.kind ? { kind: object.kind } : {}),
      ...(namespace ? { namespace } : {}),
      ...(name ? { name } : {}),
      ...(via === "channel" ? {} : { via }),
      ...(type !== "delete" && by ? { by } : {}),
      ...(changed.length > 0 ? { changed } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
      ...(type !== "delete" && change?.reconcile ? { reconcile: change.reconcile } : {}),
      ...(isInInitialList ? { initial: true } : {}),
      time: new Date().toISOString(),
    };
  }

  /** The watch can deliver a write before its answer arrives: by now it is known which reconcile has made it. */
  #completed(reason: ReconcileReason): ReconcileReason {
    const object = reason.reconcile === undefined ? this.#objects.get(reason) : undefined;
    const reconcile = object && this.#parts.tracker.change(object)?.reconcile;
    return reconcile ? { ...reason, reconcile } : reason;
  }

  #errorOf(thrown: unknown): ReconcileError {
    const stack = stackOf(thrown);
    const mapped = stack === undefined ? undefined : this.#parts.sources.mapped(stack);
    return {
      message: errorText(thrown),
      ...(mapped ? { ...sourcePosition(mapped, process.cwd()), stack: redactText(mapped) } : {}),
      ...(isTerminal(thrown) ? { terminal: true } : {}),
    };
  }

  #record(
    active: ActiveReconcile,
    done: {
      request: R;
      reasons: readonly ReconcileReason[];
      time: string;
      durationMs: number;
      result: Result | undefined;
      error: ReconcileError | null;
    },
  ): void {
    const { request, reasons, time, result, error } = done;
    const durationMs = Math.round(done.durationMs * 10) / 10;
    this.#count(durationMs, error);
    const record: ReconcileRecord = {
      id: active.id,
      controller: this.name,
      object: { ...this.kind, ...refOf(request) },
      time,
      durationMs,
      reasons,
      reads: active.reads,
      writes: active.writes,
      calls: active.calls,
      logs: active.logs,
      ...(active.children ? { children: active.children } : {}),
      steps: active.steps,
      result: { requeueAfter: result?.requeueAfter ?? 0, ...(result?.requeue ? { requeue: true } : {}) },
      error,
      ...(active.dropped > 0 ? { dropped: active.dropped } : {}),
      pid: process.pid,
    };
    if (error && this.#queue) this.#failures.set(requestKey(request), record);
    else this.#parts.recorded(record);
  }

  /** Reports a failed reconcile when its next attempt is known. */
  #reportFailure(item: R, retry: ReconcileReason | undefined): void {
    const key = requestKey(item);
    const record = this.#failures.get(key);
    if (!record?.error) return;
    this.#failures.delete(key);
    const { attempts, after } = retry ?? {};
    const next = {
      ...(attempts === undefined ? {} : { attempts }),
      ...(after === undefined ? {} : { retryAfter: after }),
    };
    this.#parts.recorded({ ...record, error: { ...record.error, ...next } });
  }

  #count(durationMs: number, error: ReconcileError | null): void {
    this.#total++;
    this.#durations.push(durationMs);
    if (this.#durations.length > maxDurations) this.#durations.shift();
    const now = this.#second();
    this.#seconds.set(now, (this.#seconds.get(now) ?? 0) + 1);
    for (const second of this.#seconds.keys()) if (second <= now - secondsKept) this.#seconds.delete(second);
    if (!error) return;
    this.#failed++;
    const message = error.message.slice(0, 300);
    const count = (this.#errors.get(message) ?? 0) + 1;
    // The message that hasn't occurred for the longest time is the first.
    this.#errors.delete(message);
    this.#errors.set(message, count);
    if (this.#errors.size > maxErrors) this.#errors.delete(this.#errors.keys().next().value!);
  }
}

function refOf(request: unknown): { namespace: string; name: string } {
  const { namespace, name } = request as Partial<Request>;
  if (typeof name === "string" && (namespace === undefined || typeof namespace === "string")) {
    return { namespace: namespace ?? "", name };
  }
  return { namespace: "", name: keyText(request) };
}

function stackOf(thrown: unknown): string | undefined {
  try {
    const { stack } = thrown as Error;
    return typeof stack === "string" ? stack : undefined;
  } catch {
    return undefined;
  }
}
