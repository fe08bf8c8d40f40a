import { setTimeout as sleep } from "node:timers/promises";
import {
  type ActiveFault,
  type CacheStatus,
  type Caches,
  type ControllerStatus,
  type Controllers,
  type Fault,
  type FieldOwner,
  faultNames,
  type ObjectDetail,
  type ObjectEvent,
  type Objects,
  type Queues,
  RequestError,
  type Revisions,
  type Status,
  type Timeline,
  type TimelineEntry,
  type Why,
} from "@kubewright/dashboard/protocol";
import type { KubeObject } from "../client/kube-client.ts";
import { readDefinitions, readWebhookNames } from "../client/manifests.ts";
import { SessionHistory } from "../history/session-history.ts";
import { groupOf, type NamedKind } from "../kinds/named-kind.ts";
import { EndedError, LateError } from "../manager/manager-process.ts";
import { fieldPaths } from "../store/changes.ts";
import { eventOf } from "../store/events.ts";
import { ObjectStore } from "../store/objects.ts";
import { columnsOf } from "../store/printer-columns.ts";
import { summaryOf } from "../store/summary.ts";
import { type NamedObject, TargetResolver } from "../store/target-resolver.ts";
import { yamlOf } from "../store/yaml.ts";
import { answered, ObjectActions, objectNotFound } from "./object-actions.ts";
import type { DevSession } from "./session.ts";

/** Answers questions about the cluster and the manager of a session, and acts on them. */
export class Inspection {
  readonly objects: ObjectStore;
  readonly actions: ObjectActions;
  readonly #session: DevSession;
  readonly #targets: TargetResolver;
  readonly #history: SessionHistory;
  #url = "";

  constructor(session: DevSession) {
    this.#session = session;
    this.objects = new ObjectStore(session.client, session.signal, session.options.project.projectName);
    this.#history = new SessionHistory(session, this.objects);
    this.#targets = new TargetResolver(session.client, {
      live: (filter) => this.objects.live(filter),
      past: (filter) => [...this.objects.deleted(filter), ...session.records.objects(filter)],
      kinds: () => [...this.#kinds(), ...session.records.objects({})],
      isOwn: ({ group, kind }) => this.#kinds().some((own) => own.kind === kind && groupOf(own.apiVersion) === group),
    });
    this.actions = new ObjectActions(session, this.#targets);
  }

  /** Restores the history of the last session, and starts to watch the project's kinds, and those that the manager watches. */
  async start(url: string): Promise<void> {
    this.#url = url;
    for (const { apiVersion, kind } of this.#kinds()) this.objects.setOwn(apiVersion, kind);
    await this.#history.restore();
    this.objects.start();
    this.watchOwnKinds();
    this.objects.watch("apiextensions.k8s.io/v1", "CustomResourceDefinition", false);
    this.objects.onDeletion((object) => this.#onDeletion(object));
    this.#session.events.on("message", (message) => {
      if (message.type === "started") void this.watchManagerKinds();
      if (message.type === "reconcile") this.objects.addWritten(message.reconcile);
    });
  }

  /** Writes what is left of the history. */
  close(): Promise<void> {
    return this.#history.close();
  }

  /** Without its CRD, the manager can't watch a kind, whose objects are deleted, too. */
  #onDeletion({ kind, metadata }: KubeObject): void {
    if (kind !== "CustomResourceDefinition") return;
    const { documents } = readDefinitions(this.#session.options.root);
    if (!documents.some((definition) => definition.metadata?.name === metadata?.name)) return;
    this.#session.client.forgetResources();
    const message = `CustomResourceDefinition ${metadata?.name} was deleted: the next change applies it again, or press g`;
    this.#session.events.note(message);
  }

  /** Watches the kinds of the project's CRDs. */
  watchOwnKinds(): void {
    const { documents } = readDefinitions(this.#session.options.root);
    for (const { apiVersion, kind, plural } of this.#kinds()) {
      const [group = "", version = ""] = apiVersion.split("/");
      const definition = documents.find(({ metadata }) => metadata?.name === `${plural}.${group}`);
      if (definition) this.objects.setColumns({ apiVersion, kind }, columnsOf(definition, version));
      this.objects.watch(apiVersion, kind, true);
    }
  }

  /** Watches the kinds that the manager watches, once its caches have started. */
  async watchManagerKinds(): Promise<void> {
    for (const wait of [200, 2000]) {
      await sleep(wait, undefined, { ref: false });
      const caches = await this.#call<CacheStatus[]>({ call: "caches" }).catch(() => []);
      for (const { apiVersion, kind } of caches) this.objects.watch(apiVersion, kind, false);
    }
  }

  status(): Status {
    const { options, paths, cluster, managerStatus, paused, errors, startedAt, takenOver } = this.#session;
    return {
      project: options.project.projectName,
      root: options.root,
      engine: options.engine,
      kubeconfig: paths.kubeconfig,
      url: this.#url,
      pid: process.pid,
      startedAt,
      manager: managerStatus,
      paused,
      errors: errors.all,
      kinds: this.#kinds(),
      takenOver,
      restorable: cluster.travel !== undefined,
      webhooks: readWebhookNames(options.root),
    };
  }

  listObjects(): Objects {
    return { objects: this.objects.summaries() };
  }

  /** @throws RequestError if the object isn't known */
  async why(named: NamedObject, limit: number): Promise<Why> {
    return this.#why(named, await this.#targets.resolve(named), limit);
  }

  /** @throws RequestError if the object isn't known */
  async timeline(named: NamedObject, limit: number): Promise<Timeline> {
    const target = await this.#targets.resolve(named);
    const { object, reconciles } = this.#why(named, target, limit);
    const found = this.objects.find(target);
    const events = object.uid === "" ? [] : await this.#events(object.namespace, object.uid);
    const entries: TimelineEntry[] = [
      ...reconciles.map((reconcile): TimelineEntry => ({ type: "reconcile", time: reconcile.time, reconcile })),
      ...(found?.revisions ?? []).map((change): TimelineEntry => ({ type: "change", time: change.time, change })),
      ...events.map((event): TimelineEntry => ({ type: "event", time: event.lastTime, event })),
      ...this.#session.records
        .admissions(target, limit)
        .map((admission): TimelineEntry => ({ type: "admission", time: admission.time, admission })),
    ];
    return { object, entries: entries.sort((a, b) => b.time.localeCompare(a.time)).slice(0, limit) };
  }

  /** @throws RequestError if the object isn't known */
  async object(named: NamedObject): Promise<ObjectDetail> {
    const found = this.objects.find(await this.#targets.resolve(named));
    if (!found) throw objectNotFound(named);
    const { object, revisions } = found;
    const uid = object.metadata?.uid ?? "";
    return {
      summary: this.objects.summary(uid) ?? summaryOf(object, false),
      yaml: yamlOf(object),
      fields: (object.metadata?.managedFields ?? []).map(
        ({ manager = "", operation = "", subresource, time, fieldsV1 }): FieldOwner => ({
          manager,
          operation,
          ...(subresource ? { subresource } : {}),
          ...(time ? { time } : {}),
          paths: fieldPaths(fieldsV1),
        }),
      ),
      events: await this.#events(object.metadata?.namespace ?? "", uid),
      revisions: [...revisions].reverse(),
    };
  }

  async queue(): Promise<Queues> {
    return { controllers: await this.#call<Queues["controllers"]>({ call: "queues" }) };
  }

  async controllers(): Promise<Controllers> {
    const { controllers } = await this.#call<{ controllers: readonly ControllerStatus[] }>({ call: "controllers" });
    return { paused: this.#session.paused, controllers };
  }

  async caches(): Promise<Caches> {
    return { caches: await this.#call<readonly CacheStatus[]>({ call: "caches" }) };
  }

  async faults(): Promise<readonly ActiveFault[]> {
    const { manager, supervisor, podFaults } = this.#session;
    // Those that the next manager continues. A busy manager has reported the same.
    const ofManager = manager?.isInspected
      ? this.#call<ActiveFault[]>({ call: "faults" }).catch((error: RequestError) => {
          if (error.cause instanceof EndedError || error.cause instanceof LateError) return supervisor.faults;
          throw error;
        })
      : supervisor.faults;
    const ofPods = answered(() => podFaults.active());
    return (await Promise.all([ofManager, ofPods])).flat();
  }

  async clearFaults(): Promise<readonly ActiveFault[]> {
    const { supervisor, podFaults } = this.#session;
    supervisor.clearFaults();
    await answered(() => podFaults.clear());
    return this.#act<ActiveFault[]>({ call: "clear-faults" }).catch((error: unknown) => {
      // The next manager begins without faults.
      if (this.#session.manager === undefined) return [];
      throw error;
    });
  }

  /** @throws RequestError if the fault isn't valid */
  async inject(fault: Fault): Promise<readonly ActiveFault[]> {
    if (!faultNames.includes(fault.fault)) {
      throw new RequestError(400, `fault ${JSON.stringify(fault.fault)}: it must be one of ${faultNames.join(", ")}`);
    }
    if (fault.fault === "pod-fails") {
      const { namespace, name } = fault;
      await answered(() => this.#session.podFaults.inject(namespace, name));
      // Without a manager that answers, the Pods are known.
      return this.faults().catch(() => this.#session.podFaults.active());
    }
    const isOfKind = fault.fault === "conflict" && fault.kind !== undefined && fault.apiVersion === undefined;
    const kind = isOfKind ? await this.#targets.resolveKind(String(fault.kind)) : {};
    const ofManager = await this.#act<ActiveFault[]>({ call: "fault", fault: { ...fault, ...kind } });
    return [...ofManager, ...(await answered(() => this.#session.podFaults.active()))];
  }

  /** @throws RequestError if the manager doesn't answer */
  async pause(paused: boolean): Promise<void> {
    try {
      await this.#session.pause(paused);
    } catch (error) {
      throw new RequestError(409, (error as Error).message);
    }
  }

  revisions(limit: number): Revisions {
    const { travel } = this.#session.cluster;
    const changes = this.objects.changes(limit);
    return {
      restorable: travel !== undefined,
      revision: travel?.revision() ?? changes[0]?.revision ?? 0,
      changes,
    };
  }

  /** @throws RequestError if the cluster can't be restored to the revision */
  restore(revision: number): void {
    const { travel } = this.#session.cluster;
    if (!travel)
      throw new RequestError(
        409,
        "only the embedded API server can be restored",
        "run scaffold dev without --cluster and --engine",
      );
    try {
      travel.restore(revision);
    } catch (error) {
      throw new RequestError(400, `can't restore revision ${revision}: ${(error as Error).message}`);
    }
    this.#session.events.note(`restored the cluster to revision ${revision}`);
    // Caches take a lower revision for an old answer, so only a new manager sees the restored objects.
    this.#session.restart();
  }

  /**
   * Reconciles an object now: in the namespace that the request or an object has, and else in `default`.
   *
   * @throws RequestError if no controller reconciles the kind, or if the object doesn't exist
   */
  async reconcile(named: NamedObject, controller?: string): Promise<readonly string[]> {
    await this.#session.supervisor.loaded();
    const reconciled = await this.controllers();
    const isReconciled = ({ group, kind }: NamedKind) =>
      reconciled.controllers.some(
        (one) =>
          one.kind === kind &&
          (one.apiVersion === undefined || groupOf(one.apiVersion) === group) &&
          (controller === undefined || one.name === controller),
      );
    const { namespace = "default", ...target } = await this.#targets.resolve(named, isReconciled);
    if (isReconciled({ group: groupOf(target.apiVersion ?? ""), kind: target.kind } as NamedKind)) {
      await this.actions.checkExists({ ...target, ...(namespace === "" ? {} : { namespace }) });
    }
    const controllers = await this.#act<readonly string[]>({
      call: "reconcile",
      target: { ...target, namespace, ...(controller === undefined ? {} : { controller }) },
    });
    if (controllers.length > 0) return controllers;
    throw new RequestError(
      404,
      `no controller reconciles ${controller ?? named.kind}`,
      "see scaffold dev queue for the controllers",
    );
  }

  #kinds(): Status["kinds"] {
    return readDefinitions(this.#session.options.root).documents.flatMap(({ spec }) => {
      const { group, names, versions } = spec as unknown as {
        group: string;
        names: { kind: string; plural: string };
        versions: { name: string; served: boolean; storage: boolean }[];
      };
      const version =
        versions.find(({ served, storage }) => served && storage) ?? versions.find(({ served }) => served);
      return version ? [{ apiVersion: `${group}/${version.name}`, kind: names.kind, plural: names.plural }] : [];
    });
  }

  #why(named: NamedObject, target: NamedObject, limit: number): Why {
    const reconciles = this.#session.records.reconciles(target, limit);
    const found = this.objects.find(target);
    if (!found && reconciles.length === 0) throw objectNotFound(named);
    const { apiVersion = "", kind = target.kind, metadata = {} } = found?.object ?? {};
    const { namespace = target.namespace ?? "", name = target.name, uid = "", resourceVersion = "" } = metadata;
    return {
      object: { apiVersion: apiVersion || (target.apiVersion ?? ""), kind, namespace, name, uid, resourceVersion },
      reconciles,
    };
  }

  async #events(namespace: string, uid: string): Promise<ObjectEvent[]> {
    const { client } = this.#session;
    try {
      const resource = await client.resourceOf("v1", "Event");
      const found = await client.list(resource, namespace || "default", { fieldSelector: `involvedObject.uid=${uid}` });
      return found.map(eventOf).sort((a, b) => b.lastTime.localeCompare(a.lastTime));
    } catch {
      // Events explain more, but nothing depends on them.
      return [];
    }
  }

  /** Requests a change of the manager, from the next one if it is being replaced. */
  async #act<T>(call: { readonly call: string } & Readonly<Record<string, unknown>>): Promise<T> {
    const manager = await this.#session.supervisor.loaded();
    if (manager && !manager.isInspected && this.#session.managerStatus.state === "starting") {
      throw new RequestError(409, "the manager is still loading", "try again when it has started");
    }
    return this.#call<T>(call).catch((error: RequestError) => {
      // It was replaced in the meantime.
      if (error.cause instanceof EndedError) return this.#act<T>(call);
      if (error.cause instanceof LateError) {
        throw new RequestError(409, error.message, "what was requested happens when it answers again");
      }
      throw error;
    });
  }

  async #call<T>(call: { readonly call: string } & Readonly<Record<string, unknown>>): Promise<T> {
    const { manager } = this.#session;
    if (!manager) throw new RequestError(409, "the manager isn't running", "fix the errors, or press r in the session");
    try {
      return await manager.call<T>(call);
    } catch (error) {
      throw new RequestError(409, (error as Error).message, undefined, { cause: error });
    }
  }
}
