import type { PlannedWrite, PlanResult } from "@kubewright/runtime/dev";
import { type PlanDocument, planDocument } from "./document.ts";

const game = { kind: "Game", namespace: "default", name: "chess" };
const at = (line: number) => ({ file: "src/controller/game-controller.ts", line, column: 7 });
const write = (line: number): PlannedWrite => ({
  ...{ verb: "update" as const, subresource: "", controller: "game", object: game, reasons: [{ type: "create" }] },
  ...at(line),
});
const child = (kind: string, name: string) => ({ kind, namespace: "default", name });

/** The result of a plan with one of everything. */
export const result: PlanResult = {
  changes: [
    {
      ...child("ConfigMap", "chess-old"),
      ...{ action: "delete", apiVersion: "v1", rollout: false, fields: [], writes: [write(120)] },
    },
    {
      ...child("Deployment", "chess"),
      ...{ action: "update", apiVersion: "apps/v1", rollout: true, pods: 2 },
      fields: [
        {
          path: "spec.template.spec.containers[0].image",
          action: "change",
          before: "nginx:1.29",
          after: "nginx:1.30",
        },
        { path: 'metadata.labels["example.com/x"]', action: "add", after: "\u0007red" },
      ],
      writes: [write(84), write(84)],
    },
    {
      ...child("Service", "chess-headless"),
      ...{ action: "create", apiVersion: "v1", rollout: false, writes: [write(97)] },
      fields: [{ path: "spec", action: "add", after: { clusterIP: "None" } }],
    },
  ],
  external: [
    {
      system: "buckets",
      function: "create",
      arguments: ["photos"],
      assumed: true,
      controller: "game",
      object: game,
      ...at(40),
    },
  ],
  failed: [
    {
      ...{ phase: "write", controller: "game", object: game, status: 403, message: "secrets is forbidden" },
      ...{ marker: "+kubebuilder:rbac:groups=core,resources=secrets,verbs=create", ...at(90) },
    },
  ],
  later: [{ controller: "game", object: game, requeueAfter: 60_000 }],
  skipped: ["Janitor"],
  notes: ["generated: Pod default/chess-…"],
  reconciles: 15,
  unchanged: 12,
};

/** Returns the document of a plan. */
export function plan(differing: Partial<PlanResult> = {}): PlanDocument {
  const cluster = {
    ...{ context: "kind-dev", server: "https://127.0.0.1:6443" },
    ...{ user: "system:serviceaccount:mygame-system:mygame-controller-manager", writes: "server" as const },
  };
  return planDocument(cluster, { ...result, ...differing }, 900);
}
