import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion, splitApiVersion } from "../api/kind.ts";
import type { Stored } from "../client/client.ts";
import { createLiveClient } from "../client/live-client.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { ignoreAlreadyExists, ignoreNotFound } from "../errors/predicates.ts";
import { readManifests } from "../manifests/manifests.ts";
import { eventually } from "../testing/eventually.ts";
import type { Transport } from "../transport/transport.ts";

/**
 * Returns the objects in files and directories, without kustomizations.
 *
 * @param paths - files and directories
 * @param except - files to leave out
 * @throws an `Error` that contains the path of an unreadable file
 */
export function readObjects(paths: readonly string[], except: readonly string[] = []): KubernetesObject[] {
  const excluded = new Set(except.map((path) => resolve(path)));
  return paths.flatMap((path) => {
    if (!existsSync(path)) return [];
    return readManifests(path).flatMap(({ file, value }) => {
      if (value === null || excluded.has(resolve(file)) || /^kustomization\.ya?ml$/i.test(basename(file))) return [];
      const { apiVersion, kind, metadata } = value as Partial<KubernetesObject>;
      if (!apiVersion || !kind) throw new Error(`${file}: an object must have apiVersion and kind`);
      if (!metadata?.name) throw new Error(`${file}: ${kind} has no name`);
      return [value as KubernetesObject];
    });
  });
}

/**
 * Creates objects, and the namespaces that they name. Namespaced objects without a namespace are created in the given one. Objects
 * that exist already are unchanged: a project has a sample for each version of a kind, often with the same name.
 */
export async function createObjects(
  transport: Transport,
  objects: readonly KubernetesObject[],
  namespace: string,
): Promise<Stored<KubernetesObject>[]> {
  const mapper = createRestMapper(transport);
  const client = createLiveClient({ transport, mapper });
  const created: Stored<KubernetesObject>[] = [];
  const isNamespace = ({ apiVersion, kind }: KubernetesObject) => apiVersion === "v1" && kind === "Namespace";
  const sorted = [...objects].sort((a, b) => Number(isNamespace(b)) - Number(isNamespace(a)));
  const namespaces = new Set(objects.filter(isNamespace).map(({ metadata }) => metadata?.name));
  for (const object of sorted) {
    const [group, version] = splitApiVersion(object.apiVersion);
    const { namespaced } = await mapper.mapping(group, version, object.kind);
    const metadata = namespaced ? { namespace, ...object.metadata } : object.metadata;
    const within = namespaced ? metadata?.namespace : undefined;
    if (within !== undefined && !namespaces.has(within)) {
      namespaces.add(within);
      await ignoreAlreadyExists(client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: within } }));
    }
    const stored = await ignoreAlreadyExists(client.create({ ...object, metadata } as KubernetesObject));
    if (stored !== undefined) created.push(stored);
  }
  return created;
}

/** Deletes objects, and waits until they are gone, unless the time limit is 0. Missing objects are ignored. */
export async function deleteObjects(
  transport: Transport,
  objects: readonly KubernetesObject[],
  timeout: number,
): Promise<void> {
  const client = createLiveClient({ transport, mapper: createRestMapper(transport) });
  for (const object of objects) await ignoreNotFound(client.delete(object));
  if (timeout === 0) return;
  for (const { apiVersion, kind, metadata } of objects) {
    const { namespace = "", name = "" } = metadata ?? {};
    const [group, version] = splitApiVersion(apiVersion);
    const type = groupVersion(group, version).kind(kind);
    await eventually(
      async () => {
        const left = await ignoreNotFound(client.get(type, { namespace, name }));
        if (left === undefined || left.metadata.uid !== metadata?.uid) return;
        const finalizers = left.metadata.finalizers?.join(", ") ?? "none";
        throw new Error(`${kind} ${namespace ? `${namespace}/` : ""}${name} still exists (finalizers: ${finalizers})`);
      },
      { timeout },
    );
  }
}
