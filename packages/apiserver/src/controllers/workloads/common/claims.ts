import type { JsonObject } from "@kubewright/cel/json";
import type { SystemClient } from "../../../client/system-client.ts";
import type { ApiObject, ResourceType } from "../../../model/resource.ts";
import { type LabelSelector, matchesLabels } from "../../../request/label-selector.ts";
import { controllerOf, controllerReference } from "./objects.ts";

/**
 * Finds the objects that an owner controls. Adopts those that meet its selector and that nothing controls, and releases
 * those that no longer meet it.
 *
 * @param client - writes for the controller
 * @param type - the resource of the objects
 * @param owner - the owner
 * @param selector - its selector
 * @param candidates - the objects of the owner and those without one
 * @returns the objects that it controls
 */
export async function claimObjects<T extends ApiObject>(
  client: SystemClient,
  type: ResourceType,
  owner: ApiObject,
  selector: LabelSelector,
  candidates: readonly T[],
): Promise<T[]> {
  const claimed: T[] = [];
  const deleting = owner.metadata.deletionTimestamp !== undefined;
  for (const object of candidates) {
    const { metadata } = object;
    const reference = controllerOf(object);
    if (reference !== undefined && reference.uid !== owner.metadata.uid) continue;
    const matches = selector.length > 0 && matchesLabels(selector, metadata.labels);
    const id = { type, namespace: metadata.namespace ?? "", name: metadata.name as string };
    if (reference !== undefined) {
      if (matches) claimed.push(object);
      else if (!deleting) await client.update(id, (present) => removeOwner(present, owner.metadata.uid as string));
    } else if (matches && !deleting && metadata.deletionTimestamp === undefined) {
      const adopted = await client.update(id, (present) => {
        if (present.metadata.uid !== metadata.uid || controllerOf(present) !== undefined) return;
        present.metadata.ownerReferences = [...(present.metadata.ownerReferences ?? []), controllerReference(owner)];
      });
      if (adopted !== undefined) claimed.push(adopted as T);
    }
  }
  return claimed;
}

function removeOwner({ metadata }: ApiObject, uid: string): void {
  const rest = (metadata.ownerReferences ?? []).filter((ownerReference: JsonObject) => ownerReference.uid !== uid);
  if (rest.length > 0) metadata.ownerReferences = rest;
  else delete metadata.ownerReferences;
}
