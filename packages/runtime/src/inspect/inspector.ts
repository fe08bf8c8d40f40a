import { groupOf, type Kind } from "../api/kind.ts";
import type { InformerCache } from "../cache/cache.ts";
import type { Clock } from "../clock/clock.ts";
import type { ClusterInspection } from "../cluster/inspection.ts";
import type { Logger } from "../log/logger.ts";
import { SourceMaps } from "../log/source-maps.ts";
import type { ControllerInspection } from "../reconcile/inspection.ts";
import type { Request } from "../reconcile/request.ts";
import { SecretValues } from "../secrets/secret-values.ts";
import type {
  AdmissionRecord,
  CacheStatus,
  ControllerStatus,
  InspectMessage,
  QueueStatus,
  ReconcileRecord,
} from "../session/records.ts";
import type { WebhookInspection } from "../webhook/http/inspection.ts";
import { CacheWatches } from "./cache-watches.ts";
import { Faults } from "./faults.ts";
import { InspectedController } from "./inspected-controller.ts";
import { inspectedLogger } from "./inspected-logger.ts";
import { inspectedReader } from "./inspected-reader.ts";
import { inspectedTransport } from "./inspected-transport.ts";
import { inspectedWebhooks } from "./inspected-webhooks.ts";
import { KindNames } from "./kind-names.ts";
import { ObjectTracker } from "./object-tracker.ts";
import { observeCalls } from "./observed-calls.ts";
import type { InspectOptions } from "./options.ts";
import { Ring } from "./ring.ts";

/** Identifies objects in queries. Unset parts match everything. */
export interface RecordFilter {
  /** Only its group is compared: an object has the same identity in each version. */
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  limit?: number;
}

/** Identifies what to reconcile: an object of a kind, by all of its controllers or by one. */
export type ReconcileTarget = Pick<RecordFilter, "apiVersion" | "kind" | "namespace"> & {
  controller?: string;
  name: string;
};

/**
 * Records what a manager does and why: reconciles with their reasons, reads, writes and log lines, queues, caches and
 * admission requests. The memory is bounded.
 */
export class Inspector {
  readonly faults: Faults;
  readonly cluster: ClusterInspection;
  readonly webhooks: WebhookInspection;
  readonly #clock: Clock;
  readonly #tracker: ObjectTracker;
  readonly #sources = new SourceMaps();
  readonly #watches = new CacheWatches();
  readonly #kinds = new KindNames();
  readonly #controllers: InspectedController<unknown>[] = [];
  readonly #reconciles: Ring<ReconcileRecord>;
  readonly #admissions: Ring<AdmissionRecord>;
  readonly #listeners = new Set<(message: InspectMessage) => void>();
  readonly #secrets = new SecretValues();
  #cache: InformerCache | undefined;
  #isPaused = false;

  constructor(clock: Clock, options: InspectOptions = {}) {
    const { reconciles = 1000, admissions = 200, objectsSize = 32 * 1024 * 1024 } = options;
    observeCalls();
    this.#clock = clock;
    this.faults = new Faults(clock);
    this.#tracker = new ObjectTracker(objectsSize, this.#secrets);
    this.#reconciles = new Ring(reconciles);
    this.#admissions = new Ring(admissions);
    const observers = {
      clock,
      tracker: this.#tracker,
      faults: this.faults,
      watches: this.#watches,
      kinds: this.#kinds,
    };
    this.cluster = {
      transport: (inner) => inspectedTransport(inner, observers),
      reader: (inner) => inspectedReader(inner),
    };
    this.webhooks = inspectedWebhooks(this.faults, (recorded) => {
      const admission = this.#withoutSecrets(recorded);
      this.#admissions.add(admission);
      this.#tell({ type: "admission", admission });
    });
  }

  /** Returns a logger whose lines are recorded. */
  logger(inner: Logger): Logger {
    return inspectedLogger(inner);
  }

  /** Returns the hooks of a controller. */
  controller<R>(name: string, kind?: Pick<Kind, "apiVersion" | "kind">): ControllerInspection<R> {
    const controller = new InspectedController<R>({
      name,
      kind,
      clock: this.#clock,
      tracker: this.#tracker,
      sources: this.#sources,
      isPaused: () => this.#isPaused,
      recorded: (record) => {
        const reconcile = this.#withoutSecrets(record);
        this.#reconciles.add(reconcile);
        this.#tell({ type: "reconcile", reconcile });
      },
    });
    this.#controllers.push(controller as InspectedController<unknown>);
    return controller;
  }

  /** Sets the cache to report about. */
  observeCache(cache: InformerCache): void {
    this.#cache = cache;
  }

  /** Reports that the manager has started. */
  started(): void {
    this.#tell({ type: "started" });
  }

  /** Calls a function for each reconcile and admission request. Returns a function that ends it. */
  subscribe(listener: (message: InspectMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether reconciles are held back. */
  get paused(): boolean {
    return this.#isPaused;
  }

  /** Holds back all reconciles, or releases them. A reconcile that runs continues. */
  pause(paused: boolean): void {
    this.#isPaused = paused;
    for (const controller of this.#controllers) controller.pause(paused);
  }

  /**
   * Enqueues an object now.
   *
   * @returns the names of the controllers that reconcile it
   */
  reconcileNow(target: ReconcileTarget): string[] {
    const { controller, apiVersion, kind = "", namespace = "", name } = target;
    const request: Request = { namespace, name };
    return this.#controllers
      .filter((inspectedController) =>
        controller === undefined
          ? isKind(inspectedController.kind, { apiVersion, kind })
          : inspectedController.name === controller,
      )
      .filter((inspectedController) => inspectedController.reconcileNow(request))
      .map((inspectedController) => inspectedController.name);
  }

  /** Returns the reconciles of an object, the latest first. */
  reconciles({ limit = 10, ...filter }: RecordFilter = {}): ReconcileRecord[] {
    return take(this.#reconciles.latest(), limit, ({ object }) => matches(object, filter));
  }

  /** Returns admission requests, the latest first. */
  admissions({ limit = 100, ...filter }: RecordFilter = {}): AdmissionRecord[] {
    return take(this.#admissions.latest(), limit, ({ object }) => matches(object, filter));
  }

  queues(): QueueStatus[] {
    return this.#controllers.map((controller) => controller.queueStatus());
  }

  controllers(): ControllerStatus[] {
    return this.#controllers.map((controller) => controller.status());
  }

  caches(): CacheStatus[] {
    return (this.#cache?.informers() ?? []).map(({ informer, metadataOnly }) => {
      const { kind, resource, lastError } = informer;
      const state = resource && this.#watches.of(resource.group, resource.plural, metadataOnly);
      return {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        metadataOnly,
        namespaces: [...(state?.namespaces ?? [])],
        labelSelector: state?.labelSelector ?? "",
        fieldSelector: state?.fieldSelector ?? "",
        synced: informer.hasSynced,
        objects: informer.store.size,
        resourceVersion: state?.resourceVersion ?? "",
        ...(state?.lastEvent ? { lastEvent: state.lastEvent } : {}),
        watches: state?.watches ?? 0,
        events: state?.events ?? 0,
        ...(state && informer.hasSynced ? { lagMs: this.#watches.lagOf(state) } : {}),
        ...(lastError ? { error: String((lastError as Error).message ?? lastError) } : {}),
      };
    });
  }

  /** Returns a record in which the values of known Secrets are hidden, whatever contains them. */
  #withoutSecrets<T>(record: T): T {
    const text = JSON.stringify(record);
    const shown = this.#secrets.maskJson(text);
    return shown === text ? record : (JSON.parse(shown) as T);
  }

  #tell(message: InspectMessage): void {
    for (const listener of this.#listeners) listener(message);
  }
}

function matches(
  object: { apiVersion?: string; kind: string; namespace: string; name: string },
  { apiVersion, kind, namespace, name }: RecordFilter,
): boolean {
  return (
    isKind(object, { apiVersion, kind }) &&
    (namespace === undefined || object.namespace === namespace) &&
    (name === undefined || object.name === name)
  );
}

/** Checks whether a kind is selected. Kinds are compared without case. */
function isKind(
  { apiVersion = "", kind }: { readonly apiVersion?: string; readonly kind: string },
  wanted: { readonly apiVersion: string | undefined; readonly kind: string | undefined },
): boolean {
  return (
    (wanted.kind === undefined || kind.toLowerCase() === wanted.kind.toLowerCase()) &&
    (wanted.apiVersion === undefined || groupOf(apiVersion) === groupOf(wanted.apiVersion))
  );
}

function take<T>(entries: Iterable<T>, limit: number, wanted: (entry: T) => boolean): T[] {
  const matching: T[] = [];
  for (const entry of entries) {
    if (matching.length >= limit) break;
    if (wanted(entry)) matching.push(entry);
  }
  return matching;
}
