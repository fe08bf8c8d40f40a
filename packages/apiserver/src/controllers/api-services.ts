import { equalJson, isObject, type JsonObject } from "@kubewright/cel/json";
import { SystemClient, serverIdentity } from "../client/system-client.ts";
import { WorkQueue } from "../client/work-queue.ts";
import type { ListedGroups } from "../discovery/discovery.ts";
import { type ApiGroup, type ListedVersion, listGroups } from "../discovery/groups.ts";
import { type Condition, setCondition } from "../model/conditions.ts";
import { ownedByServer, timestamp, uuid } from "../model/metadata.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import type { Entry } from "../model/stored-state.ts";
import { type Engine, stateOf } from "../registry/scope.ts";
import { availability, type RemoteService } from "./api-service-availability.ts";

const label = "kube-aggregator.kubernetes.io/automanaged";

/** The priorities of built-in groups and of their versions, as kube-apiserver has them. */
const priorities: Readonly<Record<string, { group: number; versions: Readonly<Record<string, number>> }>> = {
  "": { group: 18_000, versions: { v1: 1 } },
  apps: { group: 17_800, versions: { v1: 15 } },
  "events.k8s.io": { group: 17_750, versions: { v1: 15 } },
  "authentication.k8s.io": { group: 17_700, versions: { v1: 15 } },
  "authorization.k8s.io": { group: 17_600, versions: { v1: 15 } },
  autoscaling: { group: 17_500, versions: { v1: 15, v2: 30 } },
  batch: { group: 17_400, versions: { v1: 15 } },
  "certificates.k8s.io": { group: 17_300, versions: { v1: 15 } },
  "networking.k8s.io": { group: 17_200, versions: { v1: 15 } },
  policy: { group: 17_100, versions: { v1: 15 } },
  "rbac.authorization.k8s.io": { group: 17_000, versions: { v1: 15 } },
  "storage.k8s.io": { group: 16_800, versions: { v1: 15 } },
  "apiextensions.k8s.io": { group: 16_700, versions: { v1: 15 } },
  "admissionregistration.k8s.io": { group: 16_700, versions: { v1: 15 } },
  "scheduling.k8s.io": { group: 16_600, versions: { v1: 15 } },
  "coordination.k8s.io": { group: 16_500, versions: { v1: 15 } },
  "node.k8s.io": { group: 16_300, versions: { v1: 15 } },
  "discovery.k8s.io": { group: 16_200, versions: { v1: 15 } },
  "resource.k8s.io": { group: 16_200, versions: { v1: 21 } },
  "flowcontrol.apiserver.k8s.io": { group: 16_100, versions: { v1: 21 } },
};

/** The spec of an APIService. */
interface Spec extends JsonObject {
  group?: string;
  version: string;
  groupPriorityMinimum: number;
  versionPriority: number;
}

/**
 * The APIServices: those of the server's own groups, which it creates and restores, and those of users, which list groups
 * in discovery and can refer their requests to another server.
 */
export class ApiServices {
  readonly #engine: Engine;
  readonly #type: ResourceType;
  readonly #client: SystemClient;
  readonly #queue: WorkQueue;
  #served: readonly ApiGroup[] = [];
  /** The names of the server's own APIServices, with their specs. */
  #own = new Map<string, Spec>();
  /** The services of the APIServices that refer to another server, by the name of the APIService. */
  readonly #remote = new Map<string, RemoteService>();
  #listed: ListedGroups | undefined;

  /** @param engine - the server, which serves the kind */
  constructor(engine: Engine) {
    this.#engine = engine;
    this.#type = engine.resource("apiregistration.k8s.io", "apiservices") as ResourceType;
    this.#client = new SystemClient(engine, serverIdentity);
    this.#queue = new WorkQueue(engine, (name) => this.#repair(name));
  }

  /**
   * Begins to follow the APIServices and what they refer to.
   *
   * @returns a function that ends it
   */
  start(): () => void {
    const { store } = this.#engine;
    const collection = store.collection(this.#type.collection);
    for (const entry of collection.list("")) this.#see(entry.key, entry);
    const ends = [collection.follow((key, entry) => this.#see(key, entry))];
    for (const name of ["services", "endpointslices.discovery.k8s.io"]) {
      const check = (): void => {
        for (const key of this.#remote.keys()) this.#check(key);
      };
      ends.push(store.collection(name).onChange(check));
    }
    return () => {
      for (const end of ends) end();
    };
  }

  /**
   * Stores an APIService per served version of a group, and removes those of groups that aren't served now.
   *
   * @param served - the groups that this server serves
   */
  update(served: readonly ApiGroup[]): void {
    const { store } = this.#engine;
    const collection = store.collection(this.#type.collection);
    this.#served = served;
    this.#listed = undefined;
    this.#own = new Map();
    for (const { name: group, versions } of served) {
      // The group of APIServices itself has none.
      if (group === "apiregistration.k8s.io") continue;
      for (const { version } of versions) this.#own.set(`${version}.${group}`, specOf(group, version));
    }
    for (const name of this.#own.keys()) if (collection.get(name) === undefined) this.#create(name);
    for (const entry of collection.list("")) {
      if (this.#own.has(entry.key) || !isManaged(stateOf(this.#type, entry))) continue;
      const object = JSON.parse(entry.text) as { metadata: JsonObject };
      store.delete(collection, entry.key, (revision) =>
        JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }),
      );
    }
  }

  /** Returns the groups of discovery, the same lists until something changes. */
  get listed(): ListedGroups {
    if (this.#listed !== undefined) return this.#listed;
    const versions = this.#engine.store
      .collection(this.#type.collection)
      .list("")
      .map((entry): ListedVersion => {
        const spec = stateOf(this.#type, entry).spec as Spec;
        const { group = "", version, groupPriorityMinimum, versionPriority } = spec;
        const isRemote = this.#remote.has(entry.key);
        return { name: entry.key, group, version, groupPriorityMinimum, versionPriority, isRemote };
      });
    this.#listed = listGroups(this.#served, versions);
    return this.#listed;
  }

  /**
   * Reports whether an APIService refers the requests for a path to another server.
   *
   * @param path - the path of a request
   * @returns true for paths of another server
   */
  isRemote(path: string): boolean {
    if (this.#remote.size === 0) return false;
    const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)/.exec(path) ?? [];
    return group !== undefined && this.#remote.has(`${version}.${group}`);
  }

  #see(key: string, entry: Entry | undefined): void {
    this.#listed = undefined;
    const spec = entry && (stateOf(this.#type, entry).spec as JsonObject | undefined);
    if (isObject(spec?.service)) this.#remote.set(key, { ...spec, service: spec.service } as RemoteService);
    else this.#remote.delete(key);
    this.#check(key);
  }

  #check(key: string): void {
    if (this.#problem(key) !== undefined) this.#queue.add(key);
  }

  #object(key: string): ApiObject | undefined {
    const entry = this.#engine.store.collection(this.#type.collection).get(key);
    return entry && stateOf(this.#type, entry);
  }

  /** Returns the part of an APIService that must be repaired; undefined if there is none. */
  #problem(key: string): "missing" | "spec" | "status" | undefined {
    const object = this.#object(key);
    const own = this.#own.get(key);
    // Those of built-in groups are created only at the start.
    if (object === undefined) return own !== undefined && !isBuiltIn(own) ? "missing" : undefined;
    if (own !== undefined && isManaged(object)) return equalJson(object.spec, own) ? undefined : "spec";
    const condition = conditionsOf(object).find(({ type }) => type === "Available");
    const { lastTransitionTime: _, ...present } = condition ?? {};
    return equalJson(present, { ...this.#condition(key) }) ? undefined : "status";
  }

  #condition(key: string): Condition {
    const remote = this.#remote.get(key);
    const condition = remote === undefined ? local : availability(this.#engine, remote);
    return { type: "Available", ...condition };
  }

  async #repair(key: string): Promise<void> {
    const problem = this.#problem(key);
    const id = { type: this.#type, namespace: "", name: key };
    if (problem === "missing") this.#create(key);
    else if (problem === "spec") {
      await this.#client.update(id, (object) => {
        object.spec = { ...this.#own.get(key) };
      });
    } else if (problem === "status") {
      const condition = this.#condition(key);
      const time = timestamp(this.#engine.now());
      await this.#client.update(
        id,
        (object) => setCondition(object as unknown as JsonObject, condition, time),
        "status",
      );
    }
  }

  #create(name: string): void {
    const { store } = this.#engine;
    const spec = this.#own.get(name) as Spec;
    store.put(store.collection(this.#type.collection), name, (revision) =>
      JSON.stringify(apiService(this.#engine, name, spec, String(revision))),
    );
  }
}

const local: Omit<Condition, "type"> = {
  status: "True",
  reason: "Local",
  message: "Local APIServices are always available",
};

const isBuiltIn = ({ group = "" }: Spec): boolean => priorities[group] !== undefined;

const isManaged = ({ metadata }: ApiObject): boolean => metadata.labels?.[label] === "true";

function conditionsOf({ status }: ApiObject): JsonObject[] {
  const { conditions } = (status ?? {}) as { conditions?: JsonObject[] };
  return conditions ?? [];
}

function specOf(group: string, version: string): Spec {
  const priority = priorities[group];
  return {
    ...(group === "" ? {} : { group }),
    version,
    groupPriorityMinimum: priority?.group ?? 1000,
    versionPriority: priority?.versions[version] ?? 100,
  };
}

function apiService(engine: Engine, name: string, spec: Spec, revision: string): JsonObject {
  const time = timestamp(engine.now());
  const fieldsV1 = {
    "f:metadata": { "f:labels": { ".": {}, [`f:${label}`]: {} } },
    "f:spec": { "f:group": {}, "f:groupPriorityMinimum": {}, "f:version": {}, "f:versionPriority": {} },
  };
  return {
    metadata: {
      name,
      uid: uuid(engine.random),
      resourceVersion: revision,
      creationTimestamp: time,
      labels: { [label]: isBuiltIn(spec) ? "onstart" : "true" },
      managedFields: [ownedByServer("apiregistration.k8s.io/v1", time, fieldsV1)],
    },
    spec,
    status: { conditions: [{ type: "Available", ...local, lastTransitionTime: time }] },
  };
}
