import type { KubernetesObject } from "../api/index.ts";
import { mergeDiff } from "../client/merge-diff.ts";
import { ApiError } from "../errors/api-error.ts";
import { findApiError, isAlreadyExists, isNotFound } from "../errors/predicates.ts";
import type { RequestInfo } from "../inspect/request-info.ts";
import { errorText } from "../log/error-text.ts";
import type { Transport, TransportRequest, TransportResponse } from "../transport/transport.ts";
import { withoutAllocations } from "./allocations.ts";
import { dryRunOf } from "./dry-run.ts";
import {
  collectionPathOf,
  definitionOf,
  definitionPlural,
  isPlannedVersion,
  namespaceOf,
  type Overlay,
  type OverlayState,
  objectPathOf,
} from "./overlay.ts";
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

  /**
   * Computes the effect of a write, which the server has accepted as a dry run unless all writes are local.
   *
   * @param sent - the request
   * @param info - its resource
   * @param isChecked - whether the server has accepted it already, as a part of another request
   */
  async plan(sent: TransportRequest, info: RequestInfo, isChecked = false): Promise<Written> {
    const overlay = await this.#parts.overlay;
    const body = (sent.body ?? {}) as KubernetesObject;
    const named = objectOf(sent, info);
    const state = named.name === "" ? undefined : overlay.state(named);
    const kind = info.subresource === "" || info.subresource === "status" ? (body.kind ?? "") : "";
    const isInOverlay = this.#parts.isLocal || isChecked || this.#isUnknown(named, kind, overlay);
    if (state) return this.#again(sent, info, state, overlay, isInOverlay);
    const isDefinition = info.plural === definitionPlural;
    if (!isInOverlay && !isDefinition) return this.#first(sent, info, named, kind, overlay);
    // The overlay serves the kinds of definitions that it computes.
    if (!isInOverlay) await this.#inner.request(dryRunOf(sent));
    const stored = named.name === "" ? undefined : await this.#stored(named);
    if (!stored && info.name !== "" && !isApply(sent)) throw notFound(named);
    const kindName = stored?.kind ?? kind;
    if (named.name === "") return this.#generated(sent, named, kindName, overlay);
    const added = await overlay.add(named, kindName, stored);
    return this.#again(sent, info, added, overlay, true);
  }

  /** Answers the operator's own dry run, which changes nothing. */
  async dryRun(sent: TransportRequest, info: RequestInfo): Promise<TransportResponse> {
    const overlay = await this.#parts.overlay;
    const named = objectOf(sent, info);
    const kind = (sent.body as Partial<KubernetesObject> | undefined)?.kind ?? "";
    const isPlanned = named.name !== "" && overlay.state(named) !== undefined;
    if (!isPlanned && !this.#parts.isLocal) return this.#inner.request(dryRunOf(sent));
    if (named.name === "") overlay.use(named, kind);
    else if (!isPlanned) {
      const stored = await this.#stored(named);
      await overlay.add(named, stored?.kind ?? kind, stored);
    }
    return overlay.request(dryRunOf(sent));
  }

  /** Whether the server can't check an object, because its namespace or definition is planned. Notes it. */
  #isUnknown({ group, version, plural, namespace, name }: RequestInfo, kind: string, overlay: Overlay): boolean {
    const reason = overlay.isPlanned(namespaceOf(namespace))
      ? "namespace"
      : overlay.isPlanned(definitionOf({ group, plural }))
        ? "CustomResourceDefinition"
        : undefined;
    if (reason === undefined || this.#parts.isLocal) return reason !== undefined;
    const ref = [kind || `${plural}.${group || version}`, [namespace, name].filter(Boolean).join("/")].join(" ").trim();
    this.#parts.records.notes.add(`not checked by the server: ${ref}, because its ${reason} is planned`);
    return true;
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
    if (named.name === "") this.#noteGenerated(state, answer);
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
    if (stored && isEndOfDeletion(stored, answer)) {
      overlay.remove(state);
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
    isInOverlay: boolean,
  ): Promise<Written> {
    const before = state.planned;
    if (!isInOverlay) await this.#checkAgain(sent, info, state, overlay);
    const response = await overlay.request(sent);
    await overlay.refresh(state);
    removeDeleted(overlay, state, sent.method === "DELETE" ? undefined : info);
    if (info.subresource === "" && sent.method === "POST") state.planned ??= response.body as KubernetesObject;
    return { state, before, response };
  }

  async #checkAgain(sent: TransportRequest, info: RequestInfo, state: OverlayState, overlay: Overlay): Promise<void> {
    const { stored, planned } = state;
    const isOfCluster = stored !== undefined && planned?.metadata?.uid === stored.metadata?.uid;
    const asStored = isOfCluster ? withStoredVersion(sent, stored) : sent;
    if (isOfCluster && sent.method !== "PATCH") return this.check(asStored);
    if (sent.method === "DELETE") return;
    const result = (await overlay.request({ ...sent, query: { ...sent.query, dryRun: "All" } }))
      .body as KubernetesObject;
    if (isOfCluster) return this.#checkPatch(asStored, info, stored, result.kind === state.kind ? result : undefined);
    const object = result.kind === state.kind || !planned ? result : planned;
    const path = collectionPathOf({ ...state.info, version: splitVersion(object, state.info) });
    await this.check({
      method: "POST",
      path,
      body: withoutAllocations(withoutServerFields(object)),
      ...(sent.signal ? { signal: sent.signal } : {}),
      ...(sent.timeout === undefined ? {} : { timeout: sent.timeout }),
    });
  }

  /** Checks a patch, which may depend on what the plan has changed: then a patch of the stored object has the same result. */
  async #checkPatch(
    sent: TransportRequest,
    info: RequestInfo,
    stored: KubernetesObject,
    result: KubernetesObject | undefined,
  ): Promise<void> {
    try {
      await this.#inner.request(dryRunOf(sent));
    } catch (error) {
      const status = findApiError(error)?.code ?? 0;
      if (result === undefined || ![400, 409, 422].includes(status)) return this.#noteUnchecked(sent, error);
      const { force: _, ...query } = sent.query ?? {};
      const part = (object: KubernetesObject): object =>
        info.subresource === "status"
          ? { status: (object as { status?: unknown }).status }
          : withoutServerFields(object);
      const body = mergeDiff(part(stored), part(result));
      await this.check({ ...sent, query, contentType: "application/merge-patch+json", body });
    }
  }

  /** Sends a dry run whose answer only matters if the server refuses it for a reason that the planned state doesn't cause. */
  async check(sent: TransportRequest): Promise<void> {
    try {
      await this.#inner.request(dryRunOf(sent));
    } catch (error) {
      // An object that the plan creates again: the server has checked everything else before.
      if (sent.method === "POST" && isAlreadyExists(error)) return;
      this.#noteUnchecked(sent, error);
    }
  }

  #noteUnchecked(sent: TransportRequest, error: unknown): void {
    const status = findApiError(error)?.code;
    if (status !== 404 && status !== 409) throw error;
    this.#parts.records.notes.add(`not checked by the server: ${sent.method} ${sent.path}: ${errorText(error)}`);
  }

  async #generated(sent: TransportRequest, named: RequestInfo, kind: string, overlay: Overlay) {
    overlay.use(named, kind);
    const response = await overlay.request(sent);
    const answer = response.body as KubernetesObject;
    const ref = { ...named, name: answer.metadata?.name ?? "" };
    const state = await overlay.add(ref, kind, undefined);
    await overlay.refresh(state);
    this.#noteGenerated(state, answer);
    return { state, before: undefined, response };
  }

  #noteGenerated({ kind, info }: OverlayState, created: KubernetesObject | undefined): void {
    const { generateName } = created?.metadata ?? {};
    this.#parts.records.notes.add(
      `generated: ${kind} ${info.namespace ? `${info.namespace}/` : ""}${generateName ?? info.name}…`,
    );
  }

  /** Reads the object of the cluster before its first write. */
  async #stored(info: RequestInfo): Promise<KubernetesObject | undefined> {
    try {
      const { body } = await this.#inner.request({ method: "GET", path: objectPathOf(info) });
      this.#parts.records.secrets.learn(body as KubernetesObject);
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

/** Whether a write removes the last finalizer of a deleted object, which ends with it. */
function isEndOfDeletion({ metadata: before }: KubernetesObject, { metadata: after }: KubernetesObject): boolean {
  const isHeld = ({ finalizers = [] }: { finalizers?: string[] } = {}): boolean => finalizers.length > 0;
  return (
    isHeld(before) && !isHeld(after) && after?.deletionTimestamp !== undefined && !after.deletionGracePeriodSeconds
  );
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

/** A request with the version of the stored object in place of planned ones. */
function withStoredVersion(sent: TransportRequest, { metadata }: KubernetesObject): TransportRequest {
  const version = metadata?.resourceVersion;
  const replaced = (value: unknown): unknown =>
    typeof value === "string" && isPlannedVersion(value) ? version : value;
  if (Array.isArray(sent.body)) {
    return {
      ...sent,
      body: sent.body.map((step) => ({ ...step, ...("value" in step ? { value: replaced(step.value) } : {}) })),
    };
  }
  const body = sent.body as { metadata?: VersionHolder; preconditions?: VersionHolder } | undefined;
  const holders = (["metadata", "preconditions"] as const).filter((key) =>
    isPlannedVersion(body?.[key]?.resourceVersion),
  );
  const changed = holders.map((key) => [key, { ...body?.[key], resourceVersion: version }]);
  return changed.length === 0 ? sent : { ...sent, body: { ...body, ...Object.fromEntries(changed) } };
}

type VersionHolder = { resourceVersion?: string };

/** An object as a client creates it. */
function withoutServerFields(object: KubernetesObject): KubernetesObject {
  const {
    uid: _,
    resourceVersion: __,
    creationTimestamp: ___,
    managedFields: ____,
    generation: _____,
    ...metadata
  } = object.metadata ?? {};
  return { ...object, metadata };
}

function splitVersion({ apiVersion }: KubernetesObject, info: RequestInfo): string {
  return apiVersion?.split("/").at(-1) ?? info.version;
}

/** Returns the object that a write changes. Its name is empty if the server generates it. */
function objectOf({ body }: TransportRequest, info: RequestInfo): RequestInfo {
  const { metadata } = (body ?? {}) as Partial<KubernetesObject>;
  return { ...info, name: info.name || (metadata?.name ?? ""), subresource: "" };
}
