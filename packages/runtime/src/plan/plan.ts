import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "../api/index.ts";
import type { InformerCache } from "../cache/cache.ts";
import { Cluster } from "../cluster/cluster.ts";
import type { Config } from "../config/config.ts";
import { Controller } from "../controller/controller.ts";
import { readAggregated, readDefinitions } from "../discovery/cluster-facts.ts";
import { NoMatchError } from "../errors/no-match-error.ts";
import { externalHook } from "../external/external.ts";
import { parseJson } from "../json/parse.ts";
import { stringifyJson } from "../json/stringify.ts";
import { type HookedManager, type ManagerHook, managerHook } from "../manager/hooks.ts";
import type { ManagerOptions } from "../manager/options.ts";
import type { Result } from "../reconcile/reconciler.ts";
import type { Runnable } from "../runnable/runnable.ts";
import type { PlanResult, PlanSettings } from "../session/plan.ts";
import { transportHook } from "../transport/hooks.ts";
import { connectionHook } from "../transport/http/hooks.ts";
import { parseServerUrl, serverPath } from "../transport/server-url.ts";
import type { Transport } from "../transport/transport.ts";
import { applyObjects } from "./apply-objects.ts";
import { withCallSites } from "./call-sites.ts";
import { unplannedWrite } from "./dry-run.ts";
import { EndlessChanges } from "./endless-changes.ts";
import { Handlers } from "./handlers.ts";
import { Overlay } from "./overlay.ts";
import { PlanController, type PlannedRequest } from "./plan-controller.ts";
import { PlanConversions } from "./plan-conversions.ts";
import { planExternal } from "./plan-external.ts";
import { PlanRecords } from "./plan-records.ts";
import { PlanTransport } from "./plan-transport.ts";
import { nowhere } from "./positions.ts";
import { ProcessGuard } from "./process-guard.ts";
import { type PlanScope, planScope } from "./scope.ts";

/** Environment variable with the path of the settings, which `scaffold plan` sets. */
const planVariable = "KUBEWRIGHT_PLAN";
/** Number of frames in stack traces. */
const deepStack = 50;
/** Time in milliseconds between two looks at caches that aren't filled. */
const pause = 5;

/** Runs the controllers of this process once, without changing anything. */
class Plan implements ManagerHook {
  readonly #settings: PlanSettings;
  readonly #records = new PlanRecords();
  readonly #conversions = new PlanConversions(this.#records.notes);
  readonly #controllers: PlanController<unknown>[] = [];
  /** The connections by the address of their server. */
  readonly #transports = new Map<string, PlanTransport[]>();
  readonly #overlays = new Map<string, Promise<Overlay>>();
  readonly #aggregated = new Map<string, Promise<readonly string[] | undefined>>();
  /** The paths of the addresses. */
  readonly #prefixes = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #endless = new EndlessChanges();
  /** The reconciled objects, as `kind/name` with the kind in lowercase. */
  readonly #reconciled = new Set<string>();
  readonly #missingKinds = new Set<string>();
  #reconciles = 0;
  readonly #handlers: Handlers;

  constructor(settings: PlanSettings) {
    this.#settings = settings;
    const { timeout } = settings;
    this.#handlers = new Handlers(
      timeout,
      () => [...this.#connections, ...this.#controllers].every(({ isIdle }) => isIdle),
      () => {
        const error = new Error(`the handlers of events took more than ${timeout} ms`);
        this.#records.fail("timeout", error, undefined, nowhere);
      },
    );
  }

  install(): void {
    // The runtime's own frames must not push those of the reconciler out of a stack trace.
    Error.stackTraceLimit = Math.max(Error.stackTraceLimit, deepStack);
    const guard = new ProcessGuard((error, position) => {
      const scope = planScope.getStore();
      scope?.reported.add(error);
      this.#records.fail("external", error, scope, position);
    });
    guard.install();
    transportHook.install((inner, config) => this.#transport(inner, config));
    connectionHook.install({
      connecting: (connect) => guard.connecting(connect),
      sending: (text) => {
        const unplanned = unplannedWrite(text, this.#prefixes);
        if (unplanned === undefined) return;
        process.stderr.write(`plan: ${unplanned} isn't a dry run, so it wasn't sent\n`);
        process.exit(1);
      },
    });
    managerHook.install(this);
    externalHook.install(planExternal(this.#records));
  }

  options(given: ManagerOptions): ManagerOptions {
    return {
      ...given,
      leaderElection: false,
      sharding: false,
      metrics: { bindAddress: "0" },
      healthProbeBindAddress: "0",
      pprofBindAddress: "0",
      inspect: false,
      client: { ...given.client, wrap: (client) => withCallSites(given.client?.wrap?.(client) ?? client) },
      ...(given.webhook ? { webhook: { ...given.webhook, local: undefined } } : {}),
    };
  }

  controller<R>(name: string, kind: PlanController<R>["kind"]): PlanController<R> {
    const controller = new PlanController<R>(name, kind, {
      reconcile: (of, request, reconcile) =>
        this.#reconcile(of as PlanController<unknown>, request as PlannedRequest<unknown>, reconcile),
      failed: (object, error) => this.#records.fail("reconcile", error, { controller: name, object }),
    });
    this.#controllers.push(controller as PlanController<unknown>);
    return controller;
  }

  async run(manager: HookedManager, added: readonly Runnable[], signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(signal.reason);
    if (signal.aborted) return;
    signal.addEventListener("abort", onAbort, { once: true });
    this.#conversions.converters = manager.webhookServer.converters;
    const controllers = added.filter((runnable) => runnable instanceof Controller);
    const caches = [manager, ...added.filter((runnable) => runnable instanceof Cluster)].map(({ cache }) => cache);
    const others = added.filter((runnable) => !(runnable instanceof Controller || runnable instanceof Cluster));
    const skipped = [...(manager.webhookServer.paths.length > 0 ? ["webhook server"] : []), ...others.map(nameOf)];
    try {
      const { objects, namespace = manager.config.namespace ?? "default" } = this.#settings;
      await applyObjects(manager, objects as KubernetesObject[], this.#records, namespace);
      const running = [...caches, ...controllers].map((part) =>
        part.start(stop.signal).catch((error: unknown) => {
          if (!stop.signal.aborted) this.#records.fail("list", error, undefined);
        }),
      );
      await this.#synced(caches, stop.signal);
      if (!stop.signal.aborted) await this.#reconcileAll(stop.signal);
      stop.abort();
      await Promise.race([Promise.all(running), sleep(1000, undefined, { ref: false })]);
      if (!signal.aborted) await this.#report(skipped, caches);
    } finally {
      signal.removeEventListener("abort", onAbort);
      stop.abort();
    }
  }

  #transport(inner: Transport, config: Config): Transport {
    const host = config.host ?? "";
    this.#prefixes.add(serverPath(parseServerUrl(host)));
    const { crds, aggregated: known, host: first = host, timeout, writes } = this.#settings;
    // The command has read the first cluster.
    const isFirst = host === first;
    const reader = { transport: inner, timeout, note: (text: string) => this.#records.notes.add(`${host}: ${text}`) };
    const create = async (): Promise<Overlay> =>
      Overlay.create(isFirst ? (crds as KubernetesObject[]) : await readDefinitions(reader), this.#conversions);
    const overlay = this.#overlays.get(host) ?? create();
    this.#overlays.set(host, overlay);
    overlay.catch(() => undefined);
    const aggregated = this.#aggregated.get(host) ?? (isFirst ? Promise.resolve(known) : readAggregated(reader));
    this.#aggregated.set(host, aggregated);
    const transport = new PlanTransport(inner, {
      overlay,
      records: this.#records,
      isLocal: writes === "local",
      aggregated,
      deleted: this.#deleted,
      timeout,
      siblings: () => this.#transports.get(host) ?? [],
    });
    this.#transports.set(host, [...(this.#transports.get(host) ?? []), transport]);
    return transport;
  }

  /** The connections of all clusters. */
  get #connections(): PlanTransport[] {
    return [...this.#transports.values()].flat();
  }

  /** Waits until the caches of all controllers are filled, or their lists have failed. */
  async #synced(caches: readonly InformerCache[], signal: AbortSignal): Promise<void> {
    const until = performance.now() + this.#settings.timeout;
    while (!this.#controllers.every(({ isReady }) => isReady) && !signal.aborted) {
      const unsynced = caches.flatMap((cache) => cache.informers()).filter(({ informer }) => !informer.hasSynced);
      const failed = this.#connections.reduce((sum, { failedLists }) => sum + failedLists.size, 0);
      const missing = unsynced.flatMap(({ informer: { lastError } }) =>
        lastError instanceof NoMatchError ? lastError : [],
      );
      for (const error of missing) this.#failMissingKind(error);
      const lost = failed + missing.length;
      if (lost > 0 && lost >= unsynced.length) return;
      if (performance.now() > until) {
        const late = this.#controllers.filter(({ isReady }) => !isReady);
        for (const { name } of late) {
          const message = `controller ${name}: the lists of its kinds took more than ${this.#settings.timeout} ms`;
          const object = { kind: "", namespace: "", name: "" };
          this.#records.fail("timeout", new Error(message), { controller: name, object }, nowhere);
        }
        return;
      }
      await sleep(pause);
    }
    await this.#handlers.settled();
  }

  /** Lists a kind that the cluster doesn't have, once. */
  #failMissingKind(error: NoMatchError): void {
    const { group, version, kind } = error;
    const key = `${group}/${version} ${kind}`;
    if (this.#missingKinds.has(key)) return;
    this.#missingKinds.add(key);
    this.#records.fail("list", error, undefined, nowhere);
  }

  async #reconcileAll(signal: AbortSignal): Promise<void> {
    const ready = this.#controllers
      .filter(({ isReady }) => isReady)
      .sort(({ name: one }, { name: other }) => (one < other ? -1 : 1));
    const first = ready.map((controller) => [controller, this.#firstRequests(controller)] as const);
    for (const [controller, requests] of first) {
      for (const request of requests) {
        if (signal.aborted) return;
        await controller.reconcile(request);
        await this.#handlers.settled();
      }
    }
    this.#reportMissing();
    while (ready.some(({ length }) => length > 0)) {
      for (const controller of ready) {
        for (const request of controller.take()) {
          if (signal.aborted) return;
          if (this.#isUnstable(controller, request)) continue;
          await controller.reconcile(request);
          await this.#handlers.settled();
        }
      }
    }
  }

  /** The requests that the initial lists enqueue, as in production: predicates select objects, handlers map them. */
  #firstRequests(controller: PlanController<unknown>): PlannedRequest<unknown>[] {
    const { kind } = controller;
    return controller.take().filter(({ item }) => {
      if (!kind) return true;
      const { namespace, name } = controller.refOf(item);
      return this.#isWanted(kind.kind, namespace, name);
    });
  }

  #isWanted(kind: string, namespace: string, name: string): boolean {
    const { targets, namespace: only } = this.#settings;
    if (targets.length === 0) return only === undefined || namespace === only || namespace === "";
    return targets.some(
      (target) =>
        target.kind.toLowerCase() === kind.toLowerCase() &&
        target.name === name &&
        (namespace === "" || namespace === (only ?? "default")),
    );
  }

  #reportMissing(): void {
    const { targets, namespace = "default" } = this.#settings;
    for (const { kind, name } of targets) {
      if (this.#reconciled.has(`${kind.toLowerCase()}/${name}`)) continue;
      const object = { kind, namespace, name };
      const message = `${kind}/${name} isn't an object that a controller reconciles in namespace ${namespace}`;
      this.#records.fail("reconcile", new Error(message), { controller: "", object }, nowhere);
    }
  }

  /** Whether the reconciles of a request never end, each with a change. Lists it once. */
  #isUnstable(controller: PlanController<unknown>, { item }: PlannedRequest<unknown>): boolean {
    const endless = this.#endless.of(keyOf(controller, item));
    if (endless?.isNew) {
      const error = new Error(endless.message);
      this.#records.fail("unstable", error, { controller: controller.name, object: controller.refOf(item) }, nowhere);
    }
    return endless !== undefined;
  }

  async #reconcile(
    controller: PlanController<unknown>,
    request: PlannedRequest<unknown>,
    reconcile: () => Promise<Result | undefined>,
  ): Promise<void> {
    const object = controller.refOf(request.item);
    const key = keyOf(controller, request.item);
    const scope: PlanScope = {
      controller: controller.name,
      object,
      reasons: request.reasons.map(({ type, kind, namespace, name }) => ({
        type,
        ...(kind ? { kind } : {}),
        ...(namespace ? { namespace } : {}),
        ...(name ? { name } : {}),
      })),
      changes: 0,
      changed: [],
      reported: new WeakSet(),
    };
    this.#reconciles++;
    this.#reconciled.add(`${object.kind.toLowerCase()}/${object.name}`);
    if (controller.kind) this.#records.reconciled(controller.kind, object);
    const { timeout } = this.#settings;
    const late = new AbortController();
    try {
      const result = await planScope.run(scope, () =>
        Promise.race([
          reconcile(),
          sleep(timeout, undefined, { signal: late.signal }).then(() => {
            throw new TimedOut(`the reconcile took more than ${timeout} ms`);
          }),
        ]),
      );
      const { requeueAfter = 0, requeue = false } = result ?? {};
      if (requeueAfter > 0) this.#records.later.set(key, { controller: controller.name, object, requeueAfter });
      else {
        this.#records.later.delete(key);
        if (requeue) {
          controller.add(request.item, { reason: { type: "requeue" } });
          // It would never end, also without changes.
          scope.changes++;
        }
      }
    } catch (error) {
      if (error instanceof TimedOut) this.#records.fail("timeout", error, scope, nowhere);
      else if (!scope.end && !isReported(scope, error)) this.#records.fail("reconcile", error, scope);
    } finally {
      late.abort();
    }
    if (scope.changes > 0) this.#endless.add(key, scope.changed);
  }

  async #report(skipped: readonly string[], caches: readonly InformerCache[]): Promise<void> {
    const records = this.#records;
    const overlays = await Promise.all(this.#overlays.values());
    const changes = records.changes(overlays.flatMap(({ states }) => [...states]));
    const informers = caches.flatMap((cache) => cache.informers()).map(({ informer }) => informer);
    const result: PlanResult = {
      changes,
      // Some values of Secrets were read later.
      external: records.external.map((call) => ({
        ...call,
        arguments: call.arguments.map((value) => records.secrets.shown(value)),
      })),
      failed: records.failed.map((failure) => ({ ...failure, message: records.secrets.without(failure.message) })),
      later: [...records.later.values()],
      skipped: [...new Set(skipped)].sort(),
      notes: [...records.notes].map((note) => records.secrets.without(note)).sort(),
      reconciles: this.#reconciles,
      unchanged: records.unchangedBeside(changes, informers),
    };
    await new Promise<void>((resolve) => {
      const message = { kubewright: "plan", result: stringifyJson(result) };
      if (process.send) process.send(message, undefined, {}, () => resolve());
      else resolve();
    });
  }
}

class TimedOut extends Error {}

/** Whether an error, or one of its causes, is listed as the failure of a write or call. */
function isReported({ reported }: PlanScope, error: unknown): boolean {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 16; depth++) {
    if (reported.has(at)) return true;
    at = (at as { cause?: unknown }).cause;
  }
  return false;
}

function textOf(controller: PlanController<unknown>, item: unknown): string {
  const { namespace, name } = controller.refOf(item);
  return `${namespace}\0${name}`;
}

function keyOf(controller: PlanController<unknown>, item: unknown): string {
  return `${controller.name} ${textOf(controller, item)}`;
}

function nameOf(runnable: object): string {
  const { name } = runnable.constructor;
  return name === "Object" || name === "" ? "runnable" : name;
}

/**
 * Installs the plan that the settings of the environment describe.
 *
 * @throws Error if the settings can't be read
 */
export function installPlan(): void {
  const path = process.env[planVariable];
  if (path === undefined) throw new Error(`${planVariable} must be the path of the settings`);
  new Plan(parseJson(readFileSync(path, "utf8")) as PlanSettings).install();
}
