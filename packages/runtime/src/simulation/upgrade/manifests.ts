import { startApiServer } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import { groupOf, splitApiVersion } from "../../api/kind.ts";
import { collectionPath } from "../../client/resource.ts";
import { createRestMapper } from "../../discovery/rest-mapper.ts";
import { errorText } from "../../log/error-text.ts";
import { inProcessTransport } from "../../testing/in-process-transport.ts";
import type { TimelineEntry } from "../report/timeline.ts";
import { titleOf } from "../world/state.ts";

/** The result of applying manifests of a version over those of another one. */
export interface AppliedManifests {
  /** Why the server rejects an object; undefined if it accepts all. */
  readonly problem: string | undefined;
  readonly timeline: readonly TimelineEntry[];
}

/** The kinds that other objects need. They are applied first. */
const early = ["Namespace", "CustomResourceDefinition"];

/**
 * Applies the manifests of an old version, then those of the new one, as `kubectl apply --server-side` does. Objects of kinds that
 * the server doesn't have, such as those of cert-manager, are left out.
 *
 * @param before - the old version and its objects
 * @param after - the new version and its objects
 */
export async function applyManifests(
  before: { readonly name: string; readonly objects: readonly KubernetesObject[] },
  after: { readonly name: string; readonly objects: readonly KubernetesObject[] },
): Promise<AppliedManifests> {
  const api = await startApiServer({
    ...{ http: false, authorization: "always-allow", warn: () => {} },
    controllers: { garbageCollector: false, workloads: false },
  });
  const timeline: TimelineEntry[] = [];
  try {
    const transport = inProcessTransport(async () => api.handle);
    const apply = async (object: KubernetesObject, version: string): Promise<string | undefined> => {
      const { apiVersion = "", kind = "", metadata } = object;
      const [group, name] = splitApiVersion(apiVersion);
      // New definitions add kinds.
      const mapper = createRestMapper(transport);
      const mapping = await mapper.mapping(group, name, kind).catch(() => undefined);
      if (!mapping) return undefined;
      const title = titleOf({ kind, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" });
      const path = collectionPath({ group, version: name, kind, apiVersion, ...mapping }, metadata?.namespace);
      timeline.push({
        ...{ step: timeline.length + 1, time: 0, actor: "user", action: "apply", object: title },
        ...{ revision: "", detail: `config/default of ${version}` },
      });
      try {
        await transport.request({
          ...{ method: "PATCH", path: `${path}/${encodeURIComponent(metadata?.name ?? "")}`, body: object },
          ...{ query: { fieldManager: "kubectl", force: true }, contentType: "application/apply-patch+yaml" },
        });
        return undefined;
      } catch (error) {
        return `the server rejects the ${title} in config/default of ${version} over that of ${before.name}: ${errorText(error)}`;
      }
    };
    // Somebody else may have created their namespaces.
    const namespaces = new Set([...before.objects, ...after.objects].map(({ metadata }) => metadata?.namespace ?? ""));
    for (const name of namespaces) {
      const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
      if (name !== "") await transport.request({ method: "POST", path: "/api/v1/namespaces", body }).catch(() => {});
    }
    const rejected = new Set<string>();
    for (const object of sorted(before.objects)) if (await apply(object, before.name)) rejected.add(keyOf(object));
    for (const object of sorted(after.objects)) {
      const problem = await apply(object, after.name);
      if (problem !== undefined && !rejected.has(keyOf(object))) return { problem, timeline };
    }
    return { problem: undefined, timeline };
  } finally {
    await api.stop();
  }
}

function keyOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${groupOf(apiVersion)}/${kind} ${metadata?.namespace ?? ""}/${metadata?.name}`;
}

function sorted(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const rank = ({ kind = "" }: KubernetesObject): number => (early.includes(kind) ? early.indexOf(kind) : early.length);
  return [...objects].sort((a, b) => rank(a) - rank(b));
}
