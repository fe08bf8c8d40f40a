import type { Kubectl } from "./rollout.ts";

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
  const held: HeldObject[] = [];
  const there = await kubectl(["get", "crd", ...crds, "--ignore-not-found", "-o", "name"], { capture: true });
  for (const line of there.split(/\r?\n/).filter((line) => line !== "")) {
    const resource = line.slice(line.indexOf("/") + 1);
    const list = await kubectl(["get", resource, "--all-namespaces", "-o", "json"], { capture: true });
    for (const { metadata } of JSON.parse(list).items) {
      const { name, namespace, finalizers = [] } = metadata;
      if (finalizers.length > 0) held.push({ resource, name, namespace, finalizers });
    }
  }
  return held;
}

/** Returns the resource, namespace and name of an object, for messages. */
export function nameOf({ resource, name, namespace }: HeldObject): string {
  return `${resource} ${namespace ? `${namespace}/` : ""}${name}`;
}

/** Removes the finalizers of objects. The cleanup that they stand for doesn't happen. */
export async function removeFinalizers(
  kubectl: Kubectl,
  held: readonly HeldObject[],
  print: (text: string) => void,
): Promise<void> {
  for (const object of held) {
    const { resource, name, namespace, finalizers } = object;
    print(`${nameOf(object)}: removing ${finalizers.join(", ")}\n`);
    const patch = JSON.stringify({ metadata: { finalizers: null } });
    const where = namespace ? ["-n", namespace] : [];
    await kubectl(["patch", resource, name, ...where, "--type=merge", "-p", patch]);
  }
}
