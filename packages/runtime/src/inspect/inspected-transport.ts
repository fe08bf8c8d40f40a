import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject } from "../api/index.ts";
import type { Clock } from "../clock/clock.ts";
import { parseJson } from "../json/parse.ts";
import { stringifyJson } from "../json/stringify.ts";
import { errorText } from "../log/error-text.ts";
import type { ReconcileWrite } from "../session/records.ts";
import { isDryRun } from "../transport/dry-run.ts";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "../transport/transport.ts";
import type { CacheWatch, CacheWatches } from "./cache-watches.ts";
import type { Faults } from "./faults.ts";
import type { KindNames } from "./kind-names.ts";
import type { ObjectTracker } from "./object-tracker.ts";
import { apiVersionOf, type RequestInfo, requestInfo, writeVerb } from "./request-info.ts";
import { type InspectedScope, inspectedScope } from "./scope.ts";
import { yamlDiff } from "./yaml-diff.ts";

/** The parts that an inspected transport reports to. */
export interface TransportObservers {
  readonly clock: Clock;
  readonly tracker: ObjectTracker;
  readonly faults: Faults;
  readonly watches: CacheWatches;
  readonly kinds: KindNames;
}

/** Returns a transport that observes everything that passes between the manager and the server. */
export function inspectedTransport(inner: Transport, parts: TransportObservers): Transport {
  const { clock, tracker, faults, watches, kinds } = parts;

  async function send(sent: TransportRequest, info: RequestInfo | undefined): Promise<TransportResponse> {
    await faults.check(sent, info && kinds.of(info));
    return asApiRequest(() => inner.request(sent));
  }

  async function request(sent: TransportRequest): Promise<TransportResponse> {
    const info = requestInfo(sent.path);
    const scope = inspectedScope.getStore();
    if (!info) {
      const response = await send(sent, info);
      kinds.learn(sent.path, response.body);
      return response;
    }
    if (sent.method === "GET") return scope ? read(sent, info, scope) : observedRead(sent, info);
    // Events about objects aren't part of the state that a reconcile writes.
    if (!scope || info.plural === "events") {
      const response = await send(sent, info);
      if (!isDryRun(sent)) observeAnswer(response.body);
      return response;
    }
    return write(sent, info, scope);
  }

  async function observedRead(sent: TransportRequest, info: RequestInfo): Promise<TransportResponse> {
    const response = await send(sent, info);
    if (info.name === "") observeList(response.body, info, sent);
    else observeAnswer(response.body);
    return response;
  }

  async function read(sent: TransportRequest, info: RequestInfo, scope: InspectedScope): Promise<TransportResponse> {
    const verb = info.name === "" ? "list" : "get";
    const target = {
      apiVersion: apiVersionOf(info),
      ...(info.namespace ? { namespace: info.namespace } : {}),
      ...(info.name ? { name: info.name } : {}),
    };
    if (scope.read) scope.read.fromServer = true;
    try {
      const response = await observedRead(sent, info);
      const { kind, metadata, items } = (response.body ?? {}) as KubernetesObject & { items?: unknown[] };
      const name = kinds.of(info) ?? kind?.replace(/List$/, "") ?? info.plural;
      const version = metadata?.resourceVersion;
      scope.reconcile.read({
        verb,
        kind: name,
        ...target,
        ...(version ? { resourceVersion: version } : {}),
        from: "server",
        ...(verb === "list" ? { count: items?.length ?? 0 } : {}),
      });
      return response;
    } catch (error) {
      scope.reconcile.read({
        verb,
        kind: kinds.of(info) ?? info.plural,
        ...target,
        from: "server",
        error: errorText(error),
      });
      throw error;
    }
  }

  async function write(sent: TransportRequest, info: RequestInfo, scope: InspectedScope): Promise<TransportResponse> {
    const started = clock.now();
    const body = (sent.body ?? {}) as KubernetesObject;
    const kind = kinds.of(info) ?? (sent.method === "DELETE" ? info.plural : (body.kind ?? info.plural));
    const apiVersion = apiVersionOf(info);
    const namespace = info.namespace || undefined;
    const name = info.name || body.metadata?.name;
    const ref: KubernetesObject = { apiVersion, kind, metadata: { namespace, name } };
    const before =
      info.subresource === "" || info.subresource === "status" || sent.method === "PATCH"
        ? tracker.last(ref)
        : undefined;
    const base = {
      verb: writeVerb(sent),
      ...(info.subresource ? { subresource: info.subresource } : {}),
      apiVersion,
      kind,
      ...(namespace ? { namespace } : {}),
    };
    try {
      const response = await send(sent, info);
      const answer = response.body as KubernetesObject | undefined;
      const isObject = answer?.kind !== undefined && answer.kind !== "Status" && answer.metadata?.name !== undefined;
      const isGone = sent.method === "DELETE" && !(isObject && answer.metadata?.deletionTimestamp);
      const after = isGone ? undefined : isObject ? answer : before;
      const isCreated = response.status === 201 || sent.method === "POST";
      const diff = isDiffable(info, answer, kind) ? yamlDiff(isCreated ? undefined : before, stripped(after)) : "";
      if (!isDryRun(sent)) {
        if (isObject && isDiffable(info, answer, kind)) watches.wrote(info, answer);
        if (isGone) tracker.deleted(ref);
        else if (isObject && isDiffable(info, answer, kind)) tracker.saw(answer, scope.reconcile.id);
      }
      scope.reconcile.wrote({
        ...base,
        ...(isObject ? { name: answer.metadata?.name } : name ? { name } : {}),
        ...(isObject && answer.metadata?.resourceVersion ? { resourceVersion: answer.metadata.resourceVersion } : {}),
        diff,
        ...ignoredParts(sent, info, answer),
        error: null,
        durationMs: clock.now() - started,
      });
      return response;
    } catch (error) {
      const target = { ...base, ...(name ? { name } : {}) };
      scope.reconcile.wrote({ ...target, diff: "", error: errorText(error), durationMs: clock.now() - started });
      throw error;
    }
  }

  function observeAnswer(body: unknown): void {
    const object = body as KubernetesObject | undefined;
    if (object?.kind && object.kind !== "Status" && object.metadata?.resourceVersion) tracker.saw(object);
  }

  function observeList(body: unknown, info: RequestInfo, sent: TransportRequest): void {
    const list = body as {
      apiVersion?: string;
      kind?: string;
      items?: unknown;
      metadata?: { resourceVersion?: string };
    };
    if (!Array.isArray(list?.items)) return;
    const kind = (list.kind ?? "").replace(/List$/, "");
    if (kind !== "" && kind !== "PartialObjectMetadata") kinds.set(info, kind);
    if (kind === "PartialObjectMetadata") return;
    for (const item of list.items as KubernetesObject[])
      tracker.saw({ ...item, apiVersion: list.apiVersion ?? "", kind });
    watches.listed(sent, info, list.metadata?.resourceVersion ?? "");
  }

  async function stream(sent: TransportRequest): Promise<TransportStream> {
    const info = requestInfo(sent.path);
    await faults.check(sent, undefined);
    const opened = await asApiRequest(() => inner.stream(sent));
    const closed = faults.opened(opened);
    const watch = info && sent.query?.watch ? watches.opened(sent, info) : undefined;
    return {
      async close() {
        closed();
        watch?.ended();
        await opened.close();
      },
      async *[Symbol.asyncIterator]() {
        try {
          for await (const line of opened) {
            if (watch && info) observeEvent(line, watch, info);
            yield line;
          }
        } finally {
          closed();
          watch?.ended();
        }
      },
    };
  }

  function observeEvent(line: unknown, watch: CacheWatch, info: RequestInfo): void {
    const { type, object } = (line ?? {}) as { type?: string; object?: KubernetesObject };
    if (!object || type === "ERROR") return;
    const version = object.metadata?.resourceVersion;
    watch.event(type === "BOOKMARK" ? undefined : object, version);
    if (type === "BOOKMARK" || object.kind === "PartialObjectMetadata") return;
    if (object.kind) kinds.set(info, object.kind);
    if (type === "DELETED") tracker.deleted(object);
    else tracker.saw(object);
  }

  return { request, stream, close: () => inner.close() };
}

function asApiRequest<T>(run: () => Promise<T>): Promise<T> {
  const scope = inspectedScope.getStore();
  return scope ? inspectedScope.run({ ...scope, isApiRequest: true }, run) : run();
}

/** With a status subresource, servers ignore the status in updates of the object, and the spec in updates of the status. */
function ignoredParts(
  { method, body }: TransportRequest,
  { subresource }: RequestInfo,
  answer: KubernetesObject | undefined,
): Pick<ReconcileWrite, "ignored"> {
  if (method !== "PUT" || answer?.kind === "Status") return {};
  const part = subresource === "" ? "status" : subresource === "status" ? "spec" : undefined;
  if (!part) return {};
  const [sent, stored] = [body, answer].map((object) => (object as Record<string, unknown> | undefined)?.[part]);
  if (sent === undefined) return {};
  // As it was sent: without members that are undefined.
  return isDeepStrictEqual(parseJson(stringifyJson(sent)), stored) ? {} : { ignored: [part] };
}

/** Scales, evictions and tokens have objects of their own, which aren't states of the object in the path. */
function isDiffable({ subresource }: RequestInfo, answer: KubernetesObject | undefined, kind: string): boolean {
  return subresource === "" || subresource === "status" || answer?.kind === kind;
}

function stripped(object: KubernetesObject | undefined): KubernetesObject | undefined {
  if (!object?.metadata) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
