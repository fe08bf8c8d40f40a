import type { JsonObject } from "@kubewright/cel/json";
import type { KindCases } from "../case.ts";

/** Makes the object of a kind, named like the kind, and the path of its collection. */
export function kind(
  apiVersion: string,
  name: string,
  rest: JsonObject,
  namespaced = true,
  plural = `${name.toLowerCase()}s`,
): Pick<KindCases, "path" | "object"> {
  const group = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = `${group}${namespaced ? "/namespaces/default" : ""}/${plural}`;
  return { path, object: { apiVersion, kind: name, metadata: { name: name.toLowerCase() }, ...rest } };
}
