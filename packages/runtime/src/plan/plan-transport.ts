import type { KubernetesObject } from "../api/index.ts";
import { ApiError } from "../errors/api-error.ts";
import { findApiError, isNotFound } from "../errors/predicates.ts";
import { apiVersionOf, type RequestInfo, requestInfo, writeVerb } from "../inspect/request-info.ts";
import { errorText } from "../log/error-text.ts";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "../transport/transport.ts";
import { dryRunOf, isEvent, isReview, refusal } from "./dry-run.ts";
import { collectionPathOf, isPlannedVersion, type Overlay, type OverlayState, objectPathOf } from "./overlay.ts";
import { changedPaths, isSameState, type PlanRecords } from "./plan-records.ts";
import { PlanWatch } from "./plan-watch.ts";
import { nowhere, positionOf } from "./positions.ts";
import { callSite, planScope } from "./scope.ts";

/** The parts of a plan that its connection uses. */
export interface PlanParts {
  readonly overlay: Promise<Overlay>;
  readonly records: PlanRecords;
  /** Whether writes stay in this process. */
  readonly isLocal: boolean;
  readonly aggregated: readonly string[];
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
  readonly #watches = new Set<PlanWatch>();
  /** The kinds of the lists that were answered, with their objects, by group and kind. */
  readonly #listed = new Map<string, Map<string, KubernetesObject>>();
  readonly #failedLists = new Set<string>();
  /** Requests outside of reconciles, such as those of map functions. */
  #running = 0;

  constructor(inner: Transport, parts: PlanParts) {
    this.#inner = inner;
    this.#parts = parts;
  }

  /** Whether all events were processed, and no handler waits for an answer. */
  get isIdle(): boolean {
    return this.#running === 0 && [...this.#watches].every(({ isIdle }) => isIdle);
  }

  /** The kinds whose lists failed, in lowercase plural with the group. */
  get failedLists(): ReadonlySet<string> {
    return this.#failedLists;
  }

  /** Returns the objects of a kind that lists have returned, and the planned ones. */
  async objects(group: string, kind: string): Promise<KubernetesObject[]> {
    const objects = new Map(this.#listed.get(`${group}/${kind}`));
    for (const { info, kind: name, planned } of (await this.#parts.overlay).states) {
      if (info.group !== group || name !== kind) continue;
      const key = `${info.namespace}/${info.name}`;
      if (planned) objects.set(key, planned);
      else objects.delete(key);
    }
    return [...objects.values()];
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
      const refused = refusal(sent, info, this.#parts.aggregated);
      if (refused) throw this.#refused(refused);
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
    if (sent.method === "GET") return info ? this.#read(sent, info) : this.#inner.request(sent);
    const refused = refusal(sent, info, this.#parts.aggregated);
    if (refused) throw this.#refused(refused);
    if (!info) throw this.#refused(`${sent.method} ${sent.path}`);
    if (isReview(info)) return this.#inner.request(sent);
    if (isEvent(info)) return { status: sent.method === "POST" ? 201 : 200, headers: {}, body: sent.body };
    if (isDryRun(sent)) return this.#inner.request(dryRunOf(sent));
    return this.#write(sent, info);
  }

  async #read(sent: TransportRequest, info: RequestInfo): Promise<TransportResponse> {
    const overlay = await this.#parts.overlay;
    if (info.name === "") return this.#list(sent, info, overlay);
    const state = overlay.state(info);
    if (state && info.subresource !== "log") return overlay.request(sent);
    const response = await this.#inner.request(sent);
    if (info.subresource === "") this.#parts.records.learn(response.body as KubernetesObject);
    return response;
  }

  /** Reads a list of the server, in which planned objects replace the stored ones. */
  async #list(sent: TransportRequest, info: RequestInfo, overlay: Overlay): Promise<TransportResponse> {
    const response = await this.#listOfServer(sent, info);
    const list = response.body as Body;
    const kind = (list.kind ?? "").replace(/List$/, "");
    const isPartial = kind === "PartialObjectMetadata";
    const items = list.items ?? [];
    for (const item of items) this.#parts.records.learn({ ...item, kind });
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
    return { ...response, body: { ...list, items: [...stored, ...(planned.items ?? [])] } };
  }

  async #listOfServer(sent: TransportRequest, info: RequestInfo): Promise<TransportResponse> {
    const { timeout } = this.#parts;
    try {
      return await this.#inner.request({ ...sent, timeout: Math.min(sent.timeout ?? timeout, timeout) });
    } catch (error) {
      const key = `${info.plural}.${info.group}`;
      // Caches list again and again.
      if (!planScope.getStore() && !this.#failedLists.has(key) && !sent.signal?.aborted) {
        this.#failedLists.add(key);
        this.#parts.records.fail("list", error, undefined, nowhere);
      }
      throw error;
    }
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

  async #write(sent: TransportRequest, info: RequestInfo): Promise<TransportResponse> {
    const scope = planScope.getStore();
    const position = positionOf(callSite.getStore());
    try {
      if (info.name === "" && sent.method === "DELETE") return await this.#deleteCollection(sent, info);
      const written = await this.#planned(sent, info);
      const { state, before, response } = written;
      const ref = { kind: state.kind, namespace: state.info.namespace, name: state.info.name };
      const { planned } = state;
      const isSame = before !== undefined && planned !== undefined && isSameState(before, planned);
      if (isSame || (!before && !planned)) {
        this.#parts.records.isUnchanged(ref);
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
      if (before && !planned) await this.#collectGarbage(before);
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

  /** Computes the effect of a write. */
  async #planned(
    sent: TransportRequest,
    info: RequestInfo,
  ): Promise<{ state: OverlayState; before: KubernetesObject | undefined; response: TransportResponse }> {
    const overlay = await this.#parts.overlay;
    const body = (sent.body ?? {}) as KubernetesObject;
    const named = { ...info, name: info.name || (body.metadata?.name ?? ""), subresource: "" };
    const state = named.name === "" ? undefined : overlay.state(named);
    const kind = info.subresource === "" || info.subresource === "status" ? (body.kind ?? "") : "";
    if (state) return this.#again(sent, info, state, overlay);
    if (this.#parts.isLocal) {
      const stored = named.name === "" ? undefined : await this.#stored(named);
      if (!stored && info.name !== "" && !isApply(sent)) throw notFound(named);
      const kindName = stored?.kind ?? kind;
      if (named.name === "") return this.#generated(sent, named, kindName, overlay);
      const added = await overlay.add(named, kindName, stored);
      return this.#again(sent, info, added, overlay);
    }
    return this.#first(sent, info, named, kind, overlay);
  }

  /** The first write of an object: the server's answer to the dry run is its planned state. */
  async #first(
    sent: TransportRequest,
    info: RequestInfo,
    named: RequestInfo,
    kind: string,
    overlay: Overlay,
  ): Promise<{ state: OverlayState; before: KubernetesObject | undefined; response: TransportResponse }> {
    const isCreation = sent.method === "POST" && info.subresource === "";
    const stored = isCreation ? undefined : await this.#stored(named);
    const response = await this.#inner.request(dryRunOf(sent));
    const answer = response.body as KubernetesObject | undefined;
    const isObject = answer?.kind !== undefined && answer.kind !== "Status" && answer.metadata?.name !== undefined;
    const name = named.name || answer?.metadata?.name || "";
    const ref = { ...named, name };
    const state = await overlay.add(ref, stored?.kind ?? (kind || (isObject ? (answer.kind as string) : "")), stored);
    if (named.name === "") this.#noteGenerated(state);
    const isOfObject =
      isObject && (info.subresource === "" || info.subresource === "status" || answer.kind === state.kind);
    if (sent.method === "DELETE") {
      const remains = isOfObject && hasOwnFinalizers(answer) ? answer : undefined;
      if (remains) await overlay.put(state, remains);
      else overlay.remove(state);
      return { state, before: stored, response };
    }
    if (!isOfObject) {
      // Scales, evictions and bindings change an object that isn't in the answer.
      await overlay.request(withoutDryRun(sent)).catch(() => undefined);
      await overlay.refresh(state);
      return { state, before: stored, response };
    }
    if (stored && isSameState(stored, answer)) return { state, before: stored, response };
    const planned = await overlay.put(state, answer);
    const { resourceVersion } = planned.metadata ?? {};
    return {
      state,
      before: stored,
      response: { ...response, body: { ...answer, metadata: { ...answer.metadata, resourceVersion } } },
    };
  }

  /** A further write of an object. The server checks permissions and admission, and the overlay computes the result. */
  async #again(
    sent: TransportRequest,
    info: RequestInfo,
    state: OverlayState,
    overlay: Overlay,
  ): Promise<{ state: OverlayState; before: KubernetesObject | undefined; response: TransportResponse }> {
    const before = state.planned;
    if (!this.#parts.isLocal) await this.#check(sent, state, overlay);
    const response = await overlay.request(withoutDryRun(sent));
    await overlay.refresh(state);
    if (sent.method === "DELETE" && state.planned && !hasOwnFinalizers(state.planned)) overlay.remove(state);
    if (info.subresource === "" && sent.method === "POST") state.planned ??= response.body as KubernetesObject;
    return { state, before, response };
  }

  async #check(sent: TransportRequest, state: OverlayState, overlay: Overlay): Promise<void> {
    const isInCluster = state.stored !== undefined;
    if (isInCluster && state.planned) return this.#try(withStoredVersion(sent, state.stored as KubernetesObject));
    if (sent.method === "DELETE" || isInCluster) return;
    const result = (await overlay.request({ ...sent, query: { ...sent.query, dryRun: "All" } }))
      .body as KubernetesObject;
    const object = result.kind === state.kind || !state.planned ? result : state.planned;
    const {
      uid: _,
      resourceVersion: __,
      creationTimestamp: ___,
      managedFields: ____,
      ...metadata
    } = object.metadata ?? {};
    const path = collectionPathOf({ ...state.info, version: splitVersion(object, state.info) });
    await this.#try({
      method: "POST",
      path,
      body: { ...object, metadata },
      ...(sent.signal ? { signal: sent.signal } : {}),
      ...(sent.timeout === undefined ? {} : { timeout: sent.timeout }),
    });
  }

  /** Sends a dry run whose answer only matters if the server refuses it for a reason that the planned state doesn't cause. */
  async #try(sent: TransportRequest): Promise<void> {
    try {
      await this.#inner.request(dryRunOf(sent));
    } catch (error) {
      const status = findApiError(error)?.code;
      if (status !== 404 && status !== 409) throw error;
      this.#parts.records.notes.add(`not checked by the server: ${sent.method} ${sent.path}: ${errorText(error)}`);
    }
  }

  async #generated(sent: TransportRequest, named: RequestInfo, kind: string, overlay: Overlay) {
    overlay.use(named, kind);
    const response = await overlay.request(withoutDryRun(sent));
    const answer = response.body as KubernetesObject;
    const ref = { ...named, name: answer.metadata?.name ?? "" };
    const state = await overlay.add(ref, kind, undefined);
    await overlay.refresh(state);
    this.#noteGenerated(state);
    return { state, before: undefined, response };
  }

  #noteGenerated({ kind, info, planned }: OverlayState): void {
    const { generateName } = planned?.metadata ?? {};
    this.#parts.records.notes.add(
      `generated: ${kind} ${info.namespace ? `${info.namespace}/` : ""}${generateName ?? info.name}…`,
    );
  }

  async #deleteCollection(sent: TransportRequest, info: RequestInfo): Promise<TransportResponse> {
    const { body: _, contentType: __, ...list } = sent;
    const { dryRun: ___, ...query } = sent.query ?? {};
    const { items } = (await this.#read({ ...list, method: "GET", query }, info)).body as Body;
    if (!this.#parts.isLocal) await this.#try(sent);
    for (const { metadata } of items ?? []) {
      const one = { ...info, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" };
      await this.#write({ method: "DELETE", path: objectPathOf(one), ...(sent.body ? { body: sent.body } : {}) }, one);
    }
    return { status: 200, headers: {}, body: { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" } };
  }

  /** Planned children of a deleted owner are deleted. */
  async #collectGarbage(owner: KubernetesObject): Promise<void> {
    const overlay = await this.#parts.overlay;
    const gone = new Set([owner.metadata?.uid]);
    for (const state of [...overlay.states]) {
      const owners = state.planned?.metadata?.ownerReferences ?? [];
      if (owners.length === 0 || !owners.every(({ uid }) => gone.has(uid))) continue;
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

  /** Reads the object of the cluster before its first write. */
  async #stored(info: RequestInfo): Promise<KubernetesObject | undefined> {
    try {
      const { body } = await this.#inner.request({ method: "GET", path: objectPathOf(info) });
      this.#parts.records.learn(body as KubernetesObject);
      return body as KubernetesObject;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      // The role need not allow reading it: the last list has it.
      for (const [key, objects] of this.#listed) {
        const listed = key.startsWith(`${info.group}/`) && objects.get(`${info.namespace}/${info.name}`);
        if (listed && apiVersionOf(info) === listed.apiVersion) return listed;
      }
      return undefined;
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

function notFound({ plural, group, name }: RequestInfo): ApiError {
  return ApiError.create(404, "NotFound", `${plural}${group ? `.${group}` : ""} "${name}" not found`);
}

function isApply({ method, contentType = "" }: TransportRequest): boolean {
  return method === "PATCH" && contentType.startsWith("application/apply-patch");
}

function isDryRun({ query, body }: TransportRequest): boolean {
  return query?.dryRun !== undefined || (body as { dryRun?: unknown } | undefined)?.dryRun !== undefined;
}

function withoutDryRun(sent: TransportRequest): TransportRequest {
  const { signal, ...rest } = sent;
  return signal ? { ...rest, signal } : rest;
}

/** Finalizers of the garbage collector end without the operator. */
function hasOwnFinalizers({ metadata }: KubernetesObject): boolean {
  return (metadata?.finalizers ?? []).some((name) => name !== "foregroundDeletion" && name !== "orphan");
}

/** A request with the version of the stored object in place of a planned one. */
function withStoredVersion(sent: TransportRequest, stored: KubernetesObject): TransportRequest {
  const body = sent.body as KubernetesObject | undefined;
  if (!isPlannedVersion(body?.metadata?.resourceVersion)) return sent;
  const { resourceVersion } = stored.metadata ?? {};
  return { ...sent, body: { ...body, metadata: { ...body?.metadata, resourceVersion } } };
}

function splitVersion({ apiVersion }: KubernetesObject, info: RequestInfo): string {
  return apiVersion?.split("/").at(-1) ?? info.version;
}
