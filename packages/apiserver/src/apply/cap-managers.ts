import { compareText } from "@kubewright/cel/json";
import { type ManagedFields, managerIdentifier, type OwnedFields, seconds } from "./managed-fields.ts";

const maximumUpdateManagers = 10;

/**
 * Limits the number of managers that didn't apply their fields. The oldest ones of each version are joined to the manager
 * `ancient-changes`.
 *
 * @param managed - the owners
 * @returns the owners, at most ten of which are from updates if versions permit
 */
export function capUpdateManagers(managed: ManagedFields): ManagedFields {
  const updaters = [...managed.owners].filter(([, { applied }]) => !applied).map(([manager]) => manager);
  if (updaters.length <= maximumUpdateManagers) return managed;
  const owners = new Map(managed.owners);
  const times = new Map(managed.times);
  updaters.sort((a, b) => seconds(times.get(a)) - seconds(times.get(b)) || compareText(a, b));
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const manager of updaters) {
    if (count <= maximumUpdateManagers) break;
    const { set, apiVersion } = owners.get(manager) as OwnedFields;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, manager);
      continue;
    }
    const bucket = managerIdentifier({ manager: "ancient-changes", operation: "Update", apiVersion });
    if (!owners.has(bucket)) {
      owners.set(bucket, owners.get(first) as OwnedFields);
      owners.delete(first);
    }
    const joined = set.union((owners.get(bucket) as OwnedFields).set);
    owners.delete(manager);
    owners.set(bucket, { set: joined, apiVersion, applied: false });
    const time = times.get(manager);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
    count--;
  }
  return { owners, times };
}
