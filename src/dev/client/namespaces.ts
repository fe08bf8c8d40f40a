import { type KubeClient, type KubeObject, statusOf } from "./kube-client.ts";

/** Returns the document of a namespace. */
export function namespaceNamed(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

/** Checks whether a document is a namespace. */
export function isNamespace({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}

/**
 * Returns the namespaces that documents name, but that neither exist in the cluster nor are among the documents. Namespaces
 * of cluster-scoped objects don't count: the server ignores them.
 */
export async function missingNamespaces(client: KubeClient, documents: readonly KubeObject[]): Promise<string[]> {
  const named = new Set<string>();
  for (const { apiVersion = "", kind = "", metadata } of documents) {
    if (metadata?.namespace === undefined) continue;
    // Documents of unknown kinds are reported if they are applied.
    const resource = await client.resourceOf(apiVersion, kind).catch(() => undefined);
    if (resource?.namespaced) named.add(metadata.namespace);
  }
  for (const { metadata } of documents.filter(isNamespace)) named.delete(metadata?.name ?? "");
  if (named.size === 0) return [];
  const resource = await client.resourceOf("v1", "Namespace");
  const isMissing = (name: string) =>
    client.get(resource, "", name).then(
      () => false,
      (error: unknown) => statusOf(error) === 404,
    );
  const missing: string[] = [];
  for (const name of named) if (await isMissing(name)) missing.push(name);
  return missing;
}
