import { setTimeout as sleep } from "node:timers/promises";
import type { AppliedObject, DevProblem } from "@kubewright/dashboard/protocol";
import { fieldManager, type KubeClient, type KubeObject, pathOf, statusOf } from "./kube-client.ts";

const establishTime = 10_000;

/** Applies documents with server-side apply, one after the other. A failure doesn't stop the others. */
export async function applyDocuments(
  client: KubeClient,
  documents: readonly KubeObject[],
  defaultNamespace = "default",
): Promise<AppliedObject[]> {
  const applied: AppliedObject[] = [];
  for (const document of documents) applied.push(await applyDocument(client, document, defaultNamespace));
  return applied;
}

async function applyDocument(
  client: KubeClient,
  document: KubeObject,
  defaultNamespace: string,
): Promise<AppliedObject> {
  const { apiVersion = "", kind = "", metadata = {} } = document;
  const name = metadata.name ?? "";
  const about = { kind, name, ...(metadata.namespace ? { namespace: metadata.namespace } : {}) };
  try {
    if (apiVersion === "" || kind === "" || name === "") {
      throw new Error("the document has no apiVersion, kind or metadata.name");
    }
    const resource = await client.resourceOf(apiVersion, kind);
    const namespace = resource.namespaced ? (metadata.namespace ?? defaultNamespace) : "";
    const path = pathOf(resource, namespace, name);
    const before = await client.get(resource, namespace, name).catch((error: unknown) => {
      if (statusOf(error) === 404) return undefined;
      throw error;
    });
    const body = namespace === "" ? document : { ...document, metadata: { ...metadata, namespace } };
    const after = (await client.request({
      method: "PATCH",
      path,
      query: { fieldManager, force: true },
      contentType: "application/apply-patch+yaml",
      body,
    })) as KubeObject;
    const isSame = before?.metadata?.resourceVersion === after.metadata?.resourceVersion;
    const action = before === undefined ? "created" : isSame ? "unchanged" : "configured";
    return { kind, name, ...(namespace === "" ? {} : { namespace }), action };
  } catch (error) {
    return { ...about, action: "failed", message: (error as Error).message };
  }
}

/** Deletes an object; it may be gone already. */
export async function deleteDocument(
  client: KubeClient,
  { apiVersion = "", kind = "", metadata }: KubeObject,
): Promise<void> {
  const resource = await client.resourceOf(apiVersion, kind);
  const path = pathOf(resource, metadata?.namespace ?? "", metadata?.name ?? "");
  await client.request({ method: "DELETE", path }).catch((error: unknown) => {
    if (statusOf(error) !== 404) throw error;
  });
}

/** Applies CRDs, and waits until they are served. */
export async function applyDefinitions(client: KubeClient, documents: readonly KubeObject[]): Promise<AppliedObject[]> {
  const applied = await applyDocuments(client, documents);
  if (applied.some(({ action }) => action === "created" || action === "configured")) client.forgetResources();
  for (const { name, action } of applied) if (action === "created") await established(client, name);
  return applied;
}

/**
 * Checks whether CRDs exist in the cluster.
 *
 * @param client - the client of the cluster
 * @param documents - the CRDs
 * @returns false if one was deleted
 */
export async function allExist(client: KubeClient, documents: readonly KubeObject[]): Promise<boolean> {
  const resource = await client.resourceOf("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  const exists = ({ metadata = {} }: KubeObject) =>
    client.get(resource, "", metadata.name ?? "").then(
      () => true,
      // Other failures are reported by the next request that changes something.
      (error: unknown) => statusOf(error) !== 404,
    );
  return (await Promise.all(documents.map(exists))).every(Boolean);
}

async function established(client: KubeClient, name: string): Promise<void> {
  const definition = await client.resourceOf("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  for (const end = performance.now() + establishTime; performance.now() < end; await sleep(20)) {
    const { status } = (await client.get(definition, "", name)) as { status?: { conditions?: Condition[] } };
    if (status?.conditions?.some(({ type, status }) => type === "Established" && status === "True")) return;
  }
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

/**
 * Checks whether the cluster has objects of the definitions.
 *
 * @param client - the client of the cluster
 * @param definitions - the CustomResourceDefinitions
 * @returns true if there is one
 */
export async function hasObjects(client: KubeClient, definitions: readonly KubeObject[]): Promise<boolean> {
  for (const { spec } of definitions) {
    const { group, names, versions } = spec as unknown as DefinitionSpec;
    const version = versions.find(({ served }) => served)?.name;
    if (version === undefined) continue;
    const resource = await client.resourceOf(`${group}/${version}`, names.kind);
    if ((await client.list(resource, "", { limit: 1 })).length > 0) return true;
  }
  return false;
}

/**
 * @param missing - namespaces that didn't exist before
 * @returns the problems of documents that couldn't be applied
 */
export function failures(applied: readonly AppliedObject[], missing: readonly string[] = []): DevProblem[] {
  return applied
    .filter(({ action }) => action === "failed")
    .map(({ kind, name, namespace = "", message = "" }) => ({
      phase: "apply",
      message: `${kind} ${name}: ${message}`,
      ...(missing.includes(namespace) ? { hint: `run kubectl create namespace ${namespace}, then press a` } : {}),
    }));
}
