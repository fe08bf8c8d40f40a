import type { KubernetesObject } from "../api/index.ts";
import { ApiError } from "../errors/api-error.ts";
import { findApiError, isNotFound } from "../errors/predicates.ts";
import type { RequestInfo } from "../inspect/request-info.ts";
import { errorText } from "../log/error-text.ts";
import type { Transport, TransportRequest, TransportResponse } from "../transport/transport.ts";
import { dryRunOf } from "./dry-run.ts";
import { collectionPathOf, isPlannedVersion, type Overlay, type OverlayState, objectPathOf } from "./overlay.ts";
import { isSameState, type PlanRecords } from "./plan-records.ts";

/** The parts of a plan that its writes use. */
export interface WriteParts {
  readonly overlay: Promise<Overlay>;
  readonly records: PlanRecords;
  /** Whether writes stay in this process. */
  readonly isLocal: boolean;
}

/** The effect of a write. */
export interface Written {
  readonly state: OverlayState;
  /** The planned state before the write. */
  readonly before: KubernetesObject | undefined;
  readonly response: TransportResponse;
}

/** Computes the effects of writes: the first one of an object on the server, further ones in the overlay. */
export class PlannedWrites {
  readonly #inner: Transport;
  readonly #parts: WriteParts;
  readonly #listed: (info: RequestInfo) => KubernetesObject | undefined;

  /**
   * @param inner - the connection to the server
   * @param parts - the overlay and the records
   * @param listed - returns an object of the last list of its kind
   */
  constructor(inner: Transport, parts: WriteParts, listed: (info: RequestInfo) => KubernetesObject | undefined) {
    this.#inner = inner;
    this.#parts = parts;
    this.#listed = listed;
  }

  /** Computes the effect of a write, which the server has accepted as a dry run unless all writes are local. */
  async plan(sent: TransportRequest, info: RequestInfo): Promise<Written> {
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
  ): Promise<Written> {
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
      await overlay.request(sent).catch(() => undefined);
      await overlay.refresh(state);
      removeDeleted(overlay, state, info);
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
  async #again(sent: TransportRequest, info: RequestInfo, state: OverlayState, overlay: Overlay): Promise<Written> {
    const before = state.planned;
    if (!this.#parts.isLocal) await this.#checkAgain(sent, state, overlay);
    const response = await overlay.request(sent);
    await overlay.refresh(state);
    removeDeleted(overlay, state, sent.method === "DELETE" ? undefined : info);
    if (info.subresource === "" && sent.method === "POST") state.planned ??= response.body as KubernetesObject;
    return { state, before, response };
  }

  async #checkAgain(sent: TransportRequest, state: OverlayState, overlay: Overlay): Promise<void> {
    const isInCluster = state.stored !== undefined;
    if (isInCluster && state.planned) return this.check(withStoredVersion(sent, state.stored as KubernetesObject));
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
    await this.check({
      method: "POST",
      path,
      body: { ...object, metadata },
      ...(sent.signal ? { signal: sent.signal } : {}),
      ...(sent.timeout === undefined ? {} : { timeout: sent.timeout }),
    });
  }

  /** Sends a dry run whose answer only matters if the server refuses it for a reason that the planned state doesn't cause. */
  async check(sent: TransportRequest): Promise<void> {
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
    const response = await overlay.request(sent);
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

  /** Reads the object of the cluster before its first write. */
  async #stored(info: RequestInfo): Promise<KubernetesObject | undefined> {
    try {
      const { body } = await this.#inner.request({ method: "GET", path: objectPathOf(info) });
      this.#parts.records.learn(body as KubernetesObject);
      return body as KubernetesObject;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      // The role need not allow reading it: the last list has it.
      return this.#listed(info);
    }
  }
}

/** Removes an object after its deletion or eviction, for whose end a plan doesn't wait, unless it has finalizers. */
function removeDeleted(overlay: Overlay, state: OverlayState, info: RequestInfo | undefined): void {
  const isDeletion = info === undefined || info.subresource === "eviction";
  if (isDeletion && state.planned && !hasOwnFinalizers(state.planned)) overlay.remove(state);
}

function notFound({ plural, group, name }: RequestInfo): ApiError {
  return ApiError.create(404, "NotFound", `${plural}${group ? `.${group}` : ""} "${name}" not found`);
}

function isApply({ method, contentType = "" }: TransportRequest): boolean {
  return method === "PATCH" && contentType.startsWith("application/apply-patch");
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
