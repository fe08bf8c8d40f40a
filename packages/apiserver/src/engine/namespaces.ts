import { ownedByServer, timestamp } from "../model/metadata.ts";
import type { Engine } from "../registry/scope.ts";

/**
 * Creates the namespaces that every server has.
 *
 * @param engine - the server
 * @param uid - returns a new UID
 */
export function createNamespaces(engine: Engine, uid: () => string): void {
  const namespaces = engine.store.collection("namespaces");
  for (const name of ["default", "kube-node-lease", "kube-public", "kube-system"]) {
    if (namespaces.get(name) !== undefined) continue;
    const time = timestamp(engine.now());
    const label = "kubernetes.io/metadata.name";
    const fieldsV1 = { "f:metadata": { "f:labels": { ".": {}, [`f:${label}`]: {} } } };
    engine.store.put(namespaces, name, (revision) =>
      JSON.stringify({
        metadata: {
          name,
          uid: uid(),
          resourceVersion: String(revision),
          creationTimestamp: time,
          labels: { [label]: name },
          managedFields: [ownedByServer("v1", time, fieldsV1)],
        },
        spec: { finalizers: ["kubernetes"] },
        status: { phase: "Active" },
      }),
    );
  }
}
