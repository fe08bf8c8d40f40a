import type { KubernetesObject } from "../api/index.ts";
import { ApiError } from "../errors/api-error.ts";
import { findApiError, ignoreNotFound, isNotFound } from "../errors/predicates.ts";
import { apiVersionOf, type RequestInfo, requestInfo, writeVerb } from "../inspect/request-info.ts";
import { isDryRun } from "../transport/dry-run.ts";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "../transport/transport.ts";
import { definedResources } from "./defined-resources.ts";
import { isEvent, isReview, mayIgnoreDryRuns, refusal } from "./dry-run.ts";
import { definitionOf, type Overlay, type OverlayState, objectPathOf } from "./overlay.ts";
import { changedPaths, isSameState } from "./plan-records.ts";
import { PlanWatch } from "./plan-watch.ts";
import { PlannedWrites, type WriteParts } from "./planned-writes.ts";
import { nowhere, positionOf } from "./positions.ts";
import { callSite, planScope } from "./scope.ts";

/** The parts of a plan that its connection uses. */
export interface PlanParts extends WriteParts {
  /** The groups and versions of other API servers, if they are known. */
  readonly aggregated: Promise<readonly string[] | undefined>;
  /** The UIDs of the objects that the plan deletes. */
  readonly deleted: Set<string>;
  /** Time limit of a list in milliseconds. */
  readonly timeout: number;
  /** Returns all connections to the same cluster, whose watches receive the planned writes. */
  readonly siblings: () => readonly PlanTransport[];
}

/** A message with a leading object, as lists and objects have it. */
type Body = KubernetesObject & { items?: KubernetesObject[] | null };

/**
 * The connection of a plan to a cluster: reads see the planned writes, and each write is a dry run. Watches receive planned
 * writes only.
 */
export class PlanTransport implements Transport {
  readonly #inner: Transport;
  readonly #parts: PlanParts;
  readonly #writes: PlannedWrites;
  readonly #watches = new Set<PlanWatch>();
  /** The kinds of the lists that were answered, with their objects, by group and kind. */
  readonly #listed = new Map<string, Map<string, KubernetesObject>>();
  readonly #failedLists = new Set<string>();
  /** Requests outside of reconciles, such as those of map functions. */
  #running = 0;

  constructor(inner: Transport, parts: PlanParts) {
    this.#inner = inner;
    this.#parts = parts;
    this.#writes = new PlannedWrites(inner, parts, (info) => this.#lastListed(info));
  }

  /** Whether all events were processed, and no handler waits for an answer. */
  get isIdle(): boolean {
    return this.#running === 0 && [...this.#watches].every(({ isIdle }) => isIdle);
  }

  /** The kinds whose lists failed, in lowercase plural with the group. */
  get failedLists(): ReadonlySet<string> {
    return this.#failedLists;
  }

  async request(sent: TransportRequest): Promise<TransportResponse> {
    if (planScope.getStore()) return this.#request(sent);
    this.#running++;
    try {
      return await this.#request(sent);
    } finally {
      this.#running--;
    }
  }

  async stream(sent: TransportRequest): Promise<TransportStream> {
    const info = requestInfo(sent.path);
    if (!sent.query?.watch || !info) {
      await this.#checkPermitted(sent, info);
      return this.#inner.stream(sent);
    }
    // The caches list instead: the same objects, with one request.
    if (sent.query.sendInitialEvents) throw ApiError.create(400, "BadRequest", "plan: lists aren't streamed");
    const watch = new PlanWatch(sent, info);
    this.#watches.add(watch);
    return watch;
  }

  close(): Promise<void> {
    for (const watch of this.#watches) void watch.close();
    return this.#inner.close();
  }

  async #request(sent: TransportRequest): Promise<TransportResponse> {
    const info = requestInfo(sent.path);
    if (sent.method === "GET") return info ? this.#read(sent, info) : this.#discover(sent);
    // After a call without a result, nothing is known about what follows.
    const end = planScope.getStore()?.end;
    if (end) throw end;
    await this.#checkPermitted(sent, info);
    if (!info) throw this.#refused(`${sent.method} ${sent.path}`);
    if (isReview(info)) return this.#inner.request(sent);
    if (isEvent(info)) return { status: sent.method === "POST" ? 201 : 200, headers: {}, body: sent.body };
    if (isDryRun(sent)) return this.#writes.dryRun(sent, info);
    return this.#write(sent, info);
  }

  async #checkPermitted(sent: TransportRequest, info: RequestInfo | undefined): Promise<void> {
    const aggregated = await this.#parts.aggregated;
    const overlay = await this.#parts.overlay;
    const isUnsafe = info !== undefined && mayIgnoreDryRuns(info, aggregated, () => overlay.isDefined(info));
    const refused = refusal(sent, info, isUnsafe);
    if (refused) throw this.#refused(refused);
  }

  /** Adds the kinds of planned definitions, and of those of the project, to the kinds of the server. */
  async #discover(sent: TransportRequest): Promise<TransportResponse> {
    const resources = definedResources(sent.path, await this.#parts.overlay);
    if (resources.length === 0) return this.#inner.request(sent);
    const response = await ignoreNotFound(this.#inner.request(sent));
    const served = (response?.body ?? { kind: "APIResourceList", apiVersion: "v1" }) as {
      resources?: { name: string }[];
    };
    const names = new Set(served.resources?.map(({ name }) => name));
    const added = resources.filter(({ name }) => !names.has(name));
    const body = { ...served, resources: [...(served.resources ?? []), ...added] };
    return { status: 200, headers: {}, ...response, body };
  }

  async #read(sent: TransportRequest, info: RequestInfo): Promise<TransportResponse> {
    const overlay = await this.#parts.overlay;
    if (info.name === "") return this.#list(sent, info, overlay);
    const state = overlay.state(info);
    if (state && info.subresource !== "log") return overlay.request(sent);
    const response = await this.#inner.request(sent);
    if (info.subresource === "") this.#parts.records.secrets.learn(response.body as KubernetesObject);
    return response;
  }

  /** Reads a list of the server, in which planned objects replace the stored ones. */
  async #list(sent: TransportRequest, info: RequestInfo, overlay: Overlay): Promise<TransportResponse> {
    const empty = { kind: "List", apiVersion: apiVersionOf(info), metadata: { resourceVersion: "1" }, items: [] };
    const response = (await this.#listOfServer(sent, info, overlay)) ?? { status: 200, headers: {}, body: empty };
    const list = response.body as Body;
    const kind = (list.kind ?? "").replace(/List$/, "");
    const isPartial = kind === "PartialObjectMetadata";
    const items = list.items ?? [];
    for (const item of items) this.#parts.records.secrets.learn({ ...item, kind });
    if (!isPartial) this.#remember(info.group, kind, list.apiVersion, items);
    const states = [...overlay.states].filter(
      (state) => state.info.group === info.group && state.info.plural === info.plural,
    );
    if (states.length === 0) return response;
    const names = new Set(states.map((state) => `${state.info.namespace}/${state.info.name}`));
    const stored = items.filter(({ metadata }) => !names.has(`${metadata?.namespace ?? ""}/${metadata?.name}`));
    if (list.metadata && (list.metadata as { continue?: string }).continue) {
      return { ...response, body: { ...list, items: stored } };
    }
    const { limit: _, continue: __, resourceVersion: ___, resourceVersionMatch: ____, ...query } = sent.query ?? {};
    const planned = (await overlay.request({ ...sent, query })).body as Body;
    // The overlay also has the definitions that it was given.
    const own = (planned.items ?? []).filter(({ metadata }) =>
      names.has(`${metadata?.namespace ?? ""}/${metadata?.name}`),
    );
    return { ...response, body: { ...list, items: [...stored, ...own] } };
  }

  /** Returns the list of the server; `undefined` for a kind that only the plan or the project defines. */
  async #listOfServer(
    sent: TransportRequest,
    info: RequestInfo,
    overlay: Overlay,
  ): Promise<TransportResponse | undefined> {
    const { timeout } = this.#parts;
    try {
      return await this.#inner.request({ ...sent, timeout: Math.min(sent.timeout ?? timeout, timeout) });
    } catch (error) {
      if (isNotFound(error) && (await this.#isOnlyDefinedHere(info, overlay))) return undefined;
      const key = `${info.plural}.${info.group}`;
      // Caches list again and again.
      if (!planScope.getStore() && !this.#failedLists.has(key) && !sent.signal?.aborted) {
        this.#failedLists.add(key);
        this.#parts.records.fail("list", error, undefined, nowhere);
      }
      throw error;
    }
  }

  /** Whether the cluster doesn't have the definition of a kind, in any version, but the plan or the project has it. */
  async #isOnlyDefinedHere(info: RequestInfo, overlay: Overlay): Promise<boolean> {
    const definition = definitionOf(info);
    if (overlay.isPlanned(definition)) return true;
    if (!overlay.isDefined(info)) return false;
    const read = this.#inner.request({ method: "GET", path: objectPathOf(definition) });
    const isMissing = await read.then(() => false, isNotFound);
    if (isMissing) this.#parts.records.notes.add(`the cluster doesn't have ${definition.name}, so no objects exist`);
    return isMissing;
  }

  #lastListed(info: RequestInfo): KubernetesObject | undefined {
    for (const [key, objects] of this.#listed) {
      const listed = key.startsWith(`${info.group}/`) && objects.get(`${info.namespace}/${info.name}`);
      if (listed && apiVersionOf(info) === listed.apiVersion) return listed;
    }
    return undefined;
  }

  #remember(group: string, kind: string, apiVersion: string | undefined, items: readonly KubernetesObject[]): void {
    const key = `${group}/${kind}`;
    const objects = this.#listed.get(key) ?? new Map<string, KubernetesObject>();
    for (const item of items) {
      const { namespace = "", name } = item.metadata ?? {};
      objects.set(`${namespace}/${name}`, { ...item, apiVersion: apiVersion ?? "", kind });
    }
    this.#listed.set(key, objects);
  }

  async #write(sent: TransportRequest, info: RequestInfo, isChecked = false): Promise<TransportResponse> {
    const scope = planScope.getStore();
    const position = positionOf(callSite.getStore());
    if (info.plural === "secrets")
      this.#parts.records.secrets.learn({ ...(sent.body as KubernetesObject), kind: "Secret" });
    try {
      if (info.name === "" && sent.method === "DELETE") return await this.#deleteCollection(sent, info);
      const { state, before, response } = await this.#writes.plan(sent, info, isChecked);
      const { planned } = state;
      this.#parts.records.secrets.learn(planned);
      const isSame = before !== undefined && planned !== undefined && isSameState(before, planned);
      if (isSame || (!before && !planned)) {
        this.#parts.records.wroteSame(state);
        return response;
      }
      if (scope) {
        scope.changes++;
        scope.changed = changedPaths(before, planned);
      }
      if (this.#parts.records.isOfUser) state.base = planned;
      else {
        this.#parts.records.wrote(state, {
          verb: writeVerb(sent),
          subresource: info.subresource,
          controller: scope?.controller ?? "",
          object: scope?.object ?? { kind: "", namespace: "", name: "" },
          reasons: scope?.reasons ?? [],
          ...position,
        });
      }
      this.#publish(state, before);
      if (before && !planned && !isOrphaning(sent)) await this.#collectGarbage(before);
      return response;
    } catch (error) {
      const status = findApiError(error)?.code;
      // Operators expect these, and react to them.
      if (scope && status !== 404 && status !== 409 && !scope.reported.has(error as object)) {
        scope.reported.add(error as object);
        this.#parts.records.fail("write", error, scope, position);
      }
      throw error;
    }
  }

  async #deleteCollection(sent: TransportRequest, info: RequestInfo): Promise<TransportResponse> {
    const { body: _, contentType: __, ...list } = sent;
    const { dryRun: ___, ...query } = sent.query ?? {};
    const { items } = (await this.#read({ ...list, method: "GET", query }, info)).body as Body;
    if (!this.#parts.isLocal) await this.#writes.check(sent);
    for (const { metadata } of items ?? []) {
      const one = { ...info, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" };
      const deletion = {
        method: "DELETE",
        path: objectPathOf(one),
        ...(sent.body ? { body: sent.body } : {}),
      } as const;
      // The server has permitted the deletion of the collection: deletions of single objects need another permission.
      await this.#write(deletion, one, true);
    }
    return { status: 200, headers: {}, body: { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" } };
  }

  /** Planned children of a deleted owner are deleted. */
  async #collectGarbage(owner: KubernetesObject): Promise<void> {
    const overlay = await this.#parts.overlay;
    const { deleted } = this.#parts;
    deleted.add(owner.metadata?.uid ?? "");
    for (const state of [...overlay.states]) {
      const owners = state.planned?.metadata?.ownerReferences ?? [];
      if (owners.length === 0 || !owners.every(({ uid }) => deleted.has(uid))) continue;
      const before = state.planned as KubernetesObject;
      overlay.remove(state);
      this.#publish(state, before);
      await this.#collectGarbage(before);
    }
  }

  #publish({ info, planned }: OverlayState, before: KubernetesObject | undefined): void {
    for (const transport of this.#parts.siblings()) transport.#changed(info, before, planned);
  }

  #changed(info: RequestInfo, before: KubernetesObject | undefined, planned: KubernetesObject | undefined): void {
    for (const watch of this.#watches) {
      const { group, plural, namespace, name } = watch.info;
      if (watch.isClosed) this.#watches.delete(watch);
      else if (group === info.group && plural === info.plural && (namespace === "" || namespace === info.namespace)) {
        if (name === "" || name === info.name) watch.changed(before, planned);
      }
    }
  }

  #refused(what: string): Error {
    const error = new Error(`plan: ${what} refused`);
    const scope = planScope.getStore();
    scope?.reported.add(error);
    this.#parts.records.fail("write", error, scope);
    return error;
  }
}

/** Whether a deletion leaves the children of the object. */
function isOrphaning({ method, body }: TransportRequest): boolean {
  return method === "DELETE" && (body as { propagationPolicy?: string } | undefined)?.propagationPolicy === "Orphan";
}
