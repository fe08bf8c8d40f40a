import type { ClusterObject, Kubectl } from "./kubectl.ts";

/** A custom resource with finalizers. */
export interface HeldObject {
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
  readonly finalizers: readonly string[];
}

/**
 * Lists the custom resources that have finalizers. Without the manager, nothing removes these, so the CRDs could never be deleted.
 *
 * @param crds the names of the CRDs
 */
export async function heldObjects(kubectl: Kubectl, crds: readonly string[]): Promise<HeldObject[]> {
  if (crds.length === 0) return [];
  const held: HeldObject[] = [];
  const present = await kubectl.get(["get", "crd", ...crds, "--ignore-not-found", "-o", "name"]);
  for (const line of present.split("\n").filter((each) => each !== "")) {
    const resource = line.slice(line.indexOf("/") + 1);
    const list = JSON.parse(await kubectl.get(["get", resource, "--all-namespaces", "-o", "json"]));
    for (const { metadata } of list.items as ClusterObject[]) {
      const { name, namespace, finalizers = [] } = metadata;
      if (finalizers.length > 0) held.push({ resource, name, namespace, finalizers });
    }
  }
  return held;
}

/** Returns one line per object: `games.example.com default/game-sample: example.com/finalizer`. */
export function describeHeld({ resource, name, namespace, finalizers }: HeldObject): string {
  return `${resource} ${namespace === undefined ? "" : `${namespace}/`}${name}: ${finalizers.join(", ")}`;
}

/** Removes the finalizers of an object. The cleanup that they stand for doesn't happen. */
export async function removeFinalizers(kubectl: Kubectl, { resource, name, namespace }: HeldObject): Promise<void> {
  const patch = JSON.stringify({ metadata: { finalizers: null } });
  const scope = namespace === undefined ? [] : ["-n", namespace];
  await kubectl.run(["patch", resource, name, ...scope, "--type=merge", "-p", patch]);
}
