import type { ApiGroup } from "../discovery/discovery.ts";
import type { JsonObject } from "../json/json.ts";
import { ownedByServer, timestamp, uuid } from "../registry/metadata.ts";
import type { Engine } from "../registry/scope.ts";

const label = "kube-aggregator.kubernetes.io/automanaged";

/** The priorities of built-in groups and of their versions, as kube-apiserver has them. */
const priorities: Readonly<Record<string, { group: number; versions: Readonly<Record<string, number>> }>> = {
  "": { group: 18_000, versions: { v1: 1 } },
  apps: { group: 17_800, versions: { v1: 15 } },
  "events.k8s.io": { group: 17_750, versions: { v1: 15 } },
  "authentication.k8s.io": { group: 17_700, versions: { v1: 15 } },
  "authorization.k8s.io": { group: 17_600, versions: { v1: 15 } },
  autoscaling: { group: 17_500, versions: { v1: 15, v2: 30 } },
  batch: { group: 17_400, versions: { v1: 15 } },
  "certificates.k8s.io": { group: 17_300, versions: { v1: 15 } },
  "networking.k8s.io": { group: 17_200, versions: { v1: 15 } },
  policy: { group: 17_100, versions: { v1: 15 } },
  "rbac.authorization.k8s.io": { group: 17_000, versions: { v1: 15 } },
  "storage.k8s.io": { group: 16_800, versions: { v1: 15 } },
  "apiextensions.k8s.io": { group: 16_700, versions: { v1: 15 } },
  "admissionregistration.k8s.io": { group: 16_700, versions: { v1: 15 } },
  "scheduling.k8s.io": { group: 16_600, versions: { v1: 15 } },
  "coordination.k8s.io": { group: 16_500, versions: { v1: 15 } },
  "node.k8s.io": { group: 16_300, versions: { v1: 15 } },
  "discovery.k8s.io": { group: 16_200, versions: { v1: 15 } },
  "resource.k8s.io": { group: 16_200, versions: { v1: 21 } },
  "flowcontrol.apiserver.k8s.io": { group: 16_100, versions: { v1: 21 } },
};

/**
 * Stores an APIService per served version of a group, and removes those of groups that aren't served now.
 *
 * @param engine - the server
 * @param groups - the groups that are served
 */
export function updateApiServices(engine: Engine, groups: readonly ApiGroup[]): void {
  const collection = engine.store.collection("apiservices.apiregistration.k8s.io");
  const served = new Set<string>();
  for (const { name: group, versions } of groups) {
    // The group of APIServices itself has none.
    if (group === "apiregistration.k8s.io") continue;
    for (const { version } of versions) {
      const name = `${version}.${group}`;
      served.add(name);
      if (collection.get(name) !== undefined) continue;
      engine.store.put(collection, name, (revision) =>
        JSON.stringify(apiService(engine, name, group, version, String(revision))),
      );
    }
  }
  for (const { key, text } of collection.list("")) {
    if (served.has(key)) continue;
    const object = JSON.parse(text) as { metadata: { labels?: JsonObject } };
    if (object.metadata.labels?.[label] !== "true") continue;
    engine.store.delete(collection, key, (revision) =>
      JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }),
    );
  }
}

function apiService(engine: Engine, name: string, group: string, version: string, revision: string): JsonObject {
  const known = priorities[group];
  const time = timestamp(engine.now());
  const fieldsV1 = {
    "f:metadata": { "f:labels": { ".": {}, [`f:${label}`]: {} } },
    "f:spec": { "f:group": {}, "f:groupPriorityMinimum": {}, "f:version": {}, "f:versionPriority": {} },
  };
  return {
    metadata: {
      name,
      uid: uuid(engine.random),
      resourceVersion: revision,
      creationTimestamp: time,
      labels: { [label]: known === undefined ? "true" : "onstart" },
      managedFields: [ownedByServer("apiregistration.k8s.io/v1", time, fieldsV1)],
    },
    spec: {
      ...(group === "" ? {} : { group }),
      version,
      groupPriorityMinimum: known?.group ?? 1000,
      versionPriority: known?.versions[version] ?? 100,
    },
    status: {
      conditions: [
        {
          type: "Available",
          status: "True",
          lastTransitionTime: time,
          reason: "Local",
          message: "Local APIServices are always available",
        },
      ],
    },
  };
}
