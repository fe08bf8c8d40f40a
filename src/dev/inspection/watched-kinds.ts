import { setTimeout as sleep } from "node:timers/promises";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import { readDefinitions } from "../client/manifests.ts";
import type { ManagerRequests } from "../manager/manager-requests.ts";
import type { ObjectStore } from "../store/objects.ts";
import { columnsOf } from "../store/printer-columns.ts";
import type { SessionEvents } from "../store/session-events.ts";
import { kindOf } from "./project-kinds.ts";

/** The parts of a session that decide which kinds it watches. */
export interface WatchedKindsParts {
  /** Absolute path of the project. */
  readonly root: string;
  readonly client: Pick<KubeClient, "forgetResources">;
  readonly events: SessionEvents;
  readonly objects: ObjectStore;
  readonly requests: Pick<ManagerRequests, "caches">;
}

/** Watches the usual kinds, those of the project's CRDs, and those that the manager watches, until the session ends. */
export function watchKinds(parts: WatchedKindsParts): void {
  const { events, objects } = parts;
  objects.start();
  watchOwnKinds(parts);
  objects.watch("apiextensions.k8s.io/v1", "CustomResourceDefinition", false);
  objects.onDeletion((object) => reportLostDefinition(parts, object));
  events.on("event", ({ event }) => {
    if (event === "applied") watchOwnKinds(parts);
  });
  events.on("message", (message) => {
    if (message.type === "started") void watchManagerKinds(parts);
    if (message.type === "reconcile") objects.addWritten(message.reconcile);
  });
}

/** Watches the kinds of the project's CRDs. */
function watchOwnKinds({ root, objects }: WatchedKindsParts): void {
  for (const definition of readDefinitions(root).documents) {
    const defined = kindOf(definition);
    if (!defined) continue;
    const { apiVersion, kind } = defined;
    const [, version = ""] = apiVersion.split("/");
    objects.setColumns({ apiVersion, kind }, columnsOf(definition, version));
    objects.watch(apiVersion, kind, true);
  }
}

/** Watches the kinds that the manager watches, once its caches have started. */
async function watchManagerKinds({ objects, requests }: WatchedKindsParts): Promise<void> {
  for (const wait of [200, 2000]) {
    await sleep(wait, undefined, { ref: false });
    const caches = await requests.caches().catch(() => []);
    for (const { apiVersion, kind } of caches) objects.watch(apiVersion, kind, false);
  }
}

/** Without its CRD, the manager can't watch a kind, whose objects are deleted, too. */
function reportLostDefinition({ root, client, events }: WatchedKindsParts, { kind, metadata }: KubeObject): void {
  if (kind !== "CustomResourceDefinition") return;
  const { documents } = readDefinitions(root);
  if (!documents.some((definition) => definition.metadata?.name === metadata?.name)) return;
  client.forgetResources();
  events.note(`CustomResourceDefinition ${metadata?.name} was deleted: the next change applies it again, or press g`);
}
