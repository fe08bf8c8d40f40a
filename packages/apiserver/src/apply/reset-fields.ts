import { excludeFields, type FieldFilter } from "./typed/field-set.ts";

const status = excludeFields([["status"]]);
const others = excludeFields([["metadata"], ["spec"]]);

/**
 * Returns which fields requests to a custom resource can't set, for `resetFields` of a kind.
 *
 * @param apiVersion - the version of the request
 * @param subresource - its subresource; empty for the resource itself
 * @param statusVersions - the versions that have the status subresource
 * @returns the filter of each version. A request to the resource itself resets the status only in its own version, as in
 * kube-apiserver: owners in other versions lose status fields that the request contains.
 */
export function customResetFields(
  apiVersion: string,
  subresource: string,
  statusVersions: ReadonlySet<string>,
): (apiVersion: string) => FieldFilter | undefined {
  return (version) => {
    if (!statusVersions.has(version)) return undefined;
    if (subresource === "status") return others;
    return subresource === "" && version === apiVersion ? status : undefined;
  };
}
