import type { JsonObject } from "@kubewright/cel/json";
import { mandatorySchemas } from "../builtin/strategies/flowcontrol/flow-schema.ts";
import { mandatoryLevels } from "../builtin/strategies/flowcontrol/priority-level-configuration.ts";
import type { Core } from "../engine/engine.ts";
import { timestamp } from "../model/metadata.ts";
import { storeUpdatedObject } from "./system-objects.ts";

const apiVersion = "flowcontrol.apiserver.k8s.io/v1";
const autoUpdate = "apf.kubernetes.io/autoupdate-spec";

/**
 * Stores the objects that decide which requests wait for which, as every server has them. Those that someone manages
 * otherwise stay as they are.
 *
 * @param core - the server
 */
export async function storeFlowControl(core: Core): Promise<void> {
  const isManaged = (old: JsonObject): boolean => (old.annotations as JsonObject | undefined)?.[autoUpdate] === "true";
  for (const [name, spec] of Object.entries({ ...mandatoryLevels, ...suggestedLevels })) {
    await storeUpdatedObject(core, objectOf("PriorityLevelConfiguration", name, spec, {}), isManaged);
  }
  const now = timestamp(core.engine.now());
  for (const [name, spec] of Object.entries({ ...mandatorySchemas, ...suggestedSchemas })) {
    const { name: level } = spec.priorityLevelConfiguration as { name: string };
    const message = `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`;
    const condition = { type: "Dangling", status: "False", lastTransitionTime: now, reason: "Found", message };
    await storeUpdatedObject(core, objectOf("FlowSchema", name, spec, { conditions: [condition] }), isManaged);
  }
}

function objectOf(kind: string, name: string, spec: JsonObject, status: JsonObject): JsonObject {
  const metadata = { name, generation: 1, annotations: { [autoUpdate]: "true" } };
  return { apiVersion, kind, metadata, spec, status };
}

function queues(
  nominalConcurrencyShares: number,
  lendablePercent: number,
  count: number,
  handSize: number,
): JsonObject {
  const queuing = { queues: count, handSize, queueLengthLimit: 50 };
  const limitResponse = { type: "Queue", queuing };
  return { type: "Limited", limited: { nominalConcurrencyShares, limitResponse, lendablePercent } };
}

const suggestedLevels: Readonly<Record<string, JsonObject>> = {
  system: queues(30, 33, 64, 6),
  "node-high": queues(40, 25, 64, 6),
  "leader-election": queues(10, 0, 16, 4),
  "workload-high": queues(40, 50, 128, 6),
  "workload-low": queues(100, 90, 128, 6),
  "global-default": queues(20, 50, 128, 6),
};

const group = (name: string): JsonObject => ({ kind: "Group", group: { name } });
const user = (name: string): JsonObject => ({ kind: "User", user: { name } });
const everyone = [group("system:unauthenticated"), group("system:authenticated")];
const [controllerManager, scheduler] = [user("system:kube-controller-manager"), user("system:kube-scheduler")];
const systemAccounts: JsonObject = { kind: "ServiceAccount", serviceAccount: { namespace: "kube-system", name: "*" } };

const everything: JsonObject = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

function leases(...verbs: string[]): JsonObject {
  return { verbs, apiGroups: ["coordination.k8s.io"], resources: ["leases"], namespaces: ["*"] };
}

function schema(
  level: string,
  matchingPrecedence: number,
  distinguisher: "ByNamespace" | "ByUser" | undefined,
  subjects: JsonObject[],
  rules: JsonObject,
): JsonObject {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(distinguisher === undefined ? {} : { distinguisherMethod: { type: distinguisher } }),
    rules: [{ subjects, ...rules }],
  };
}

const suggestedSchemas: Readonly<Record<string, JsonObject>> = {
  probes: schema("exempt", 2, undefined, everyone, {
    nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
  }),
  "system-leader-election": schema("leader-election", 100, "ByUser", [controllerManager, scheduler, systemAccounts], {
    resourceRules: [leases("get", "create", "update")],
  }),
  "system-node-high": schema("node-high", 400, "ByUser", [group("system:nodes")], {
    resourceRules: [
      { verbs: ["*"], apiGroups: [""], resources: ["nodes", "nodes/status"], clusterScope: true, namespaces: ["*"] },
      leases("*"),
    ],
  }),
  "system-nodes": schema("system", 500, "ByUser", [group("system:nodes")], everything),
  "kube-controller-manager": schema("workload-high", 800, "ByNamespace", [controllerManager], everything),
  "kube-scheduler": schema("workload-high", 800, "ByNamespace", [scheduler], everything),
  "kube-system-service-accounts": schema("workload-high", 900, "ByNamespace", [systemAccounts], everything),
  "service-accounts": schema("workload-low", 9000, "ByUser", [group("system:serviceaccounts")], everything),
  "global-default": schema("global-default", 9900, "ByUser", everyone, everything),
};
