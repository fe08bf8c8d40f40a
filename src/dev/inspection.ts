import { setTimeout as sleep } from "node:timers/promises";
import { applyDocuments } from "./apply.ts";
import { fieldManager, type KubeObject, pathOf, statusOf } from "./kube-client.ts";
import { parseDocuments, readDefinitions } from "./manifests.ts";
import type {
  ActiveFault,
  AppliedObject,
  CacheStatus,
  Caches,
  ControllerStatus,
  Controllers,
  Fault,
  FieldOwner,
  ObjectDetail,
  ObjectEvent,
  ObjectRef,
  Objects,
  Queues,
  Revisions,
  Status,
  Timeline,
  TimelineEntry,
  Why,
} from "./protocol.ts";
import { faultNames } from "./protocol.ts";
import { RequestError } from "./server/body.ts";
import type { DevSession } from "./session.ts";
import { fieldPaths } from "./store/changes.ts";
import { eventOf } from "./store/events.ts";
import { ObjectStore } from "./store/objects.ts";
import type { ObjectFilter } from "./store/records.ts";
import { hasMaskedValue } from "./store/secrets.ts";
import { summaryOf } from "./store/summary.ts";
import { yamlOf } from "./store/yaml.ts";

const empty = { uid: "", resourceVersion: "" };
/** Annotation of the simulated workloads. */
const failAnnotation = "apiserver.kubewright.dev/fail";

/** Answers questions about the cluster and the manager of a session, and acts on them. */
export class Inspection {
  readonly objects: ObjectStore;
  readonly #session: DevSession;
  #url = "";

  constructor(session: DevSession) {
    this.#session = session;
    this.objects = new ObjectStore(session.client, session.signal);
  }

  /** Starts to watch the project's kinds, and those that the manager watches. */
  start(url: string): void {
    this.#url = url;
    this.objects.start();
    this.watchOwnKinds();
    this.#session.onMessage((message) => {
      if (message.type === "started") void this.watchManagerKinds();
    });
  }

  /** Watches the kinds of the project's CRDs. */
  watchOwnKinds(): void {
    for (const { apiVersion, kind } of this.#kinds()) this.objects.watch(apiVersion, kind, true);
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
    };
  }

  listObjects(): Objects {
    return { objects: this.objects.summaries() };
  }

  /** @throws RequestError if the object isn't known */
  async why(filter: ObjectFilter, limit: number): Promise<Why> {
    const reconciles = this.#session.records.reconciles(filter, limit);
    const object = await this.#identify(filter);
    if (!object && reconciles.length === 0) throw notFound(filter);
    const about = reconciles[0]?.object ?? {
      kind: filter.kind ?? "",
      namespace: filter.namespace ?? "",
      name: filter.name ?? "",
    };
    return { object: object ?? { ...about, ...empty }, reconciles };
  }

  /** @throws RequestError if the object isn't known */
  async timeline(filter: ObjectFilter, limit: number): Promise<Timeline> {
    const { object, reconciles } = await this.why(filter, limit);
    const found = this.objects.find(filter);
    const events = object.uid === "" ? [] : await this.#events(object.namespace, object.uid);
    const entries: TimelineEntry[] = [
      ...reconciles.map((reconcile): TimelineEntry => ({ type: "reconcile", time: reconcile.time, reconcile })),
      ...(found?.revisions ?? []).map((change): TimelineEntry => ({ type: "change", time: change.time, change })),
      ...events.map((event): TimelineEntry => ({ type: "event", time: event.lastTime, event })),
      ...this.#session.records
        .admissions(filter, limit)
        .map((admission): TimelineEntry => ({ type: "admission", time: admission.time, admission })),
    ];
    return { object, entries: entries.sort((a, b) => b.time.localeCompare(a.time)).slice(0, limit) };
  }

  /** @throws RequestError if the object isn't known */
  async object(filter: ObjectFilter & { apiVersion?: string }): Promise<ObjectDetail> {
    const found = this.objects.find(filter);
    if (!found) throw notFound(filter);
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
    return this.#call({ call: "faults" });
  }

  async clearFaults(): Promise<readonly ActiveFault[]> {
    return this.#call({ call: "clear-faults" });
  }

  /** @throws RequestError if the fault isn't valid */
  async inject(fault: Fault): Promise<readonly ActiveFault[]> {
    if (!faultNames.includes(fault.fault)) {
      throw new RequestError(400, `fault ${JSON.stringify(fault.fault)}: it must be one of ${faultNames.join(", ")}`);
    }
    if (fault.fault !== "pod-fails") return this.#call({ call: "fault", fault });
    await this.#failPod(fault.namespace, fault.name);
    return this.faults().catch(() => []);
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
    this.#session.emit({ event: "note", message: `restored the cluster to revision ${revision}` });
    // Caches take a lower revision for an old answer, so only a new manager sees the restored objects.
    this.#session.restart();
  }

  /** @throws RequestError if a document isn't valid, or the replaced object has changed */
  async apply(yaml: string, replace: boolean): Promise<readonly AppliedObject[]> {
    let documents: KubeObject[];
    try {
      documents = parseDocuments(yaml);
    } catch (error) {
      throw new RequestError(400, `the YAML can't be read: ${(error as Error).message}`);
    }
    if (documents.length === 0) throw new RequestError(400, "the YAML contains no object");
    if (documents.some(hasMaskedValue)) {
      throw new RequestError(
        422,
        "a value of the Secret is hidden, so that applying it would destroy it",
        "use kubectl edit",
      );
    }
    const plain = documents.map(({ metadata: { managedFields: _, ...metadata } = {}, ...rest }) => ({
      ...rest,
      metadata,
    }));
    if (!replace) return applyDocuments(this.#session.client, plain);
    const applied: AppliedObject[] = [];
    for (const document of plain) applied.push(await this.#replace(document));
    return applied;
  }

  /** @throws RequestError if the server refuses it */
  async delete(ref: ObjectRef): Promise<void> {
    const { resource, namespace } = await this.#resource(ref);
    const path = pathOf(resource, namespace, ref.name);
    await this.#send(() =>
      this.#session.client.request({ method: "DELETE", path, query: { propagationPolicy: "Background" } }),
    );
  }

  /** @throws RequestError if the object can't be scaled */
  async scale(ref: ObjectRef, replicas: number): Promise<void> {
    if (!Number.isInteger(replicas) || replicas < 0) {
      throw new RequestError(400, `replicas: ${replicas} must be an integer of at least 0`);
    }
    const { resource, namespace } = await this.#resource(ref);
    const canScale = resource.subresources.includes("scale");
    await this.#send(() =>
      this.#session.client.request({
        method: "PATCH",
        path: pathOf(resource, namespace, ref.name, canScale ? "scale" : ""),
        query: { fieldManager },
        contentType: "application/merge-patch+json",
        body: { spec: { replicas } },
      }),
    );
  }

  /** @throws RequestError if no controller reconciles the kind */
  async reconcile(ref: {
    kind?: string;
    namespace?: string;
    name: string;
    controller?: string;
  }): Promise<readonly string[]> {
    const controllers = await this.#call<readonly string[]>({ call: "reconcile", target: ref });
    if (controllers.length === 0) {
      throw new RequestError(
        404,
        `no controller reconciles ${ref.controller ?? ref.kind}`,
        "see scaffold dev queue for the controllers",
      );
    }
    return controllers;
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

  async #identify(filter: ObjectFilter): Promise<Why["object"] | undefined> {
    const found = this.objects.find(filter);
    if (!found) return undefined;
    const { kind = "", metadata = {} } = found.object;
    const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata;
    return { kind, namespace, name, uid, resourceVersion };
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

  async #resource({ apiVersion, kind, namespace, name }: ObjectRef) {
    const known = this.objects.find({ kind, namespace: namespace ?? "", name })?.object;
    const version =
      apiVersion ??
      known?.apiVersion ??
      this.#kinds().find((one) => one.kind.toLowerCase() === kind.toLowerCase())?.apiVersion;
    if (version === undefined) throw notFound({ kind, namespace: namespace ?? "", name });
    const resource = await this.#send(() => this.#session.client.resourceOf(version, known?.kind ?? kind));
    return { resource, namespace: namespace || (resource.namespaced ? "default" : "") };
  }

  async #replace(document: KubeObject): Promise<AppliedObject> {
    const { apiVersion = "", kind = "", metadata = {} } = document;
    const { name = "", resourceVersion } = metadata;
    if (!resourceVersion) throw new RequestError(400, "metadata.resourceVersion: is required for an edit");
    const { resource, namespace } = await this.#resource({
      apiVersion,
      kind,
      name,
      ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    });
    const path = pathOf(resource, namespace, name);
    const after = (await this.#send(() =>
      this.#session.client.request({ method: "PUT", path, query: { fieldManager }, body: document }),
    )) as KubeObject;
    const action = after.metadata?.resourceVersion === resourceVersion ? "unchanged" : "configured";
    return { kind, name, ...(namespace === "" ? {} : { namespace }), action };
  }

  async #failPod(namespace: string, name: string): Promise<void> {
    const { client, options } = this.#session;
    const pod = await client.resourceOf("v1", "Pod");
    const isEmbedded = options.engine === "embedded";
    const path = pathOf(pod, namespace, name, isEmbedded ? "" : "status");
    const body = isEmbedded
      ? { metadata: { annotations: { [failAnnotation]: "crash" } } }
      : { status: { phase: "Failed", reason: "Fault", message: "failed by scaffold dev" } };
    const query = { fieldManager };
    await this.#send(() =>
      client.request({ method: "PATCH", path, query, contentType: "application/merge-patch+json", body }),
    );
  }

  async #call<T>(call: { readonly call: string } & Readonly<Record<string, unknown>>): Promise<T> {
    const { manager } = this.#session;
    if (!manager) throw new RequestError(409, "the manager isn't running", "fix the errors, or press r in the session");
    try {
      return await manager.call<T>(call);
    } catch (error) {
      throw new RequestError(409, (error as Error).message);
    }
  }

  /** Answers errors of the API server with its status. */
  async #send<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw new RequestError(statusOf(error) ?? 502, (error as Error).message);
    }
  }
}

function notFound({ kind = "", namespace = "", name = "" }: ObjectFilter): RequestError {
  const object = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
  return new RequestError(404, `${object} not found`, "see scaffold dev objects for the objects of the project");
}
