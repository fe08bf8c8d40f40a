import { isObject, type JsonObject } from "@kubewright/cel/json";
import { ownedByServer } from "../model/metadata.ts";
import type { Store } from "../storage/store.ts";

const apiVersion = "rbac.authorization.k8s.io/v1";
const resources: Record<string, string> = {
  ClusterRole: "clusterroles",
  ClusterRoleBinding: "clusterrolebindings",
  Role: "roles",
  RoleBinding: "rolebindings",
};

/**
 * Creates the roles and bindings that every cluster has, unless they exist.
 *
 * @param store - where they are created
 * @param objects - the objects of `data/rbac-bootstrap.json`, with their kinds
 * @param time - the time of their creation, as metadata holds it
 * @param uid - returns a new UID
 */
export function createBootstrapRoles(
  store: Store,
  objects: readonly JsonObject[],
  time: string,
  uid: () => string,
): void {
  for (const { kind, metadata: given, ...content } of objects) {
    const collection = store.collection(`${resources[String(kind)]}.rbac.authorization.k8s.io`);
    const head = isObject(given) ? given : {};
    const { name, namespace, labels, annotations } = head;
    const key = namespace === undefined ? String(name) : `${String(namespace)}/${String(name)}`;
    if (collection.get(key) !== undefined) continue;
    store.put(collection, key, (revision) =>
      JSON.stringify({
        metadata: {
          name,
          ...(namespace === undefined ? {} : { namespace }),
          uid: uid(),
          resourceVersion: String(revision),
          creationTimestamp: time,
          labels,
          annotations,
          managedFields: [managedFields(labels as JsonObject, annotations as JsonObject, content, time)],
        },
        ...(kind === "ClusterRole" && content.rules === undefined ? { rules: null } : {}),
        ...content,
      }),
    );
  }
}

function managedFields(labels: JsonObject, annotations: JsonObject, content: JsonObject, time: string): JsonObject {
  const keys = (object: JsonObject): JsonObject => ({
    ".": {},
    ...Object.fromEntries(
      Object.keys(object)
        .sort()
        .map((key) => [`f:${key}`, {}]),
    ),
  });
  const fields: JsonObject = {
    ...(content.aggregationRule === undefined
      ? {}
      : { "f:aggregationRule": { ".": {}, "f:clusterRoleSelectors": {} } }),
    "f:metadata": { "f:annotations": keys(annotations), "f:labels": keys(labels) },
  };
  for (const key of ["roleRef", "rules", "subjects"]) if (content[key] !== undefined) fields[`f:${key}`] = {};
  return ownedByServer(apiVersion, time, fields);
}
