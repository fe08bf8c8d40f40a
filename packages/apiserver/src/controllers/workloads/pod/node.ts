import type { JsonObject } from "@kubewright/cel/json";
import { SystemClient } from "../../../client/system-client.ts";
import { releaseOf } from "../../../data/versions.ts";
import { timestamp } from "../../../model/metadata.ts";
import type { ApiObject, ResourceType } from "../../../model/resource.ts";
import type { WorkloadContext } from "../common/context.ts";
import { type Condition, conditionOf } from "../common/objects.ts";
import { nodeName, podsPerNode } from "../common/pod-capacity.ts";

/** The address of the simulated node. */
export const nodeAddress = "10.0.0.2";

/** A node. */
export interface Node extends ApiObject {
  spec: { unschedulable?: boolean; taints?: { key: string; value?: string; effect: string }[] };
  status?: JsonObject & { allocatable?: JsonObject };
}

const conditions = [
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
] as const;

/**
 * Creates the simulated node, unless it exists.
 *
 * @param context - what the controllers share
 */
export async function registerNode(context: WorkloadContext): Promise<void> {
  const { engine } = context;
  const type = engine.resource("", "nodes") as ResourceType;
  const user = { name: `system:node:${nodeName}`, groups: ["system:nodes", "system:authenticated"] };
  const client = new SystemClient(engine, { user, manager: "kubelet" });
  const id = { type, namespace: "", name: nodeName };
  if (client.get(id) === undefined) {
    await client.create(type, {
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        name: nodeName,
        labels: {
          "beta.kubernetes.io/arch": "amd64",
          "beta.kubernetes.io/os": "linux",
          "kubernetes.io/arch": "amd64",
          "kubernetes.io/hostname": nodeName,
          "kubernetes.io/os": "linux",
        },
      },
      spec: { podCIDR: "10.244.0.0/16", podCIDRs: ["10.244.0.0/16"] },
    });
  }
  const resources = {
    cpu: "64",
    "ephemeral-storage": "1Ti",
    "hugepages-1Gi": "0",
    "hugepages-2Mi": "0",
    memory: "256Gi",
    pods: String(podsPerNode),
  };
  // The taint of new nodes goes when the node is ready.
  await client.update(id, (node) => {
    const spec = node.spec as Node["spec"];
    const taints = (spec.taints ?? []).filter(({ key }) => key !== "node.kubernetes.io/not-ready");
    if (taints.length > 0) spec.taints = taints;
    else delete spec.taints;
  });
  await client.update(
    id,
    (node) => {
      const before = (node.status ?? {}) as { conditions?: Condition[] };
      const time = timestamp(engine.now());
      const release = releaseOf(engine.kubernetes);
      node.status = {
        ...before,
        addresses: [
          { type: "InternalIP", address: nodeAddress },
          { type: "Hostname", address: nodeName },
        ],
        allocatable: resources,
        capacity: resources,
        conditions: conditions.map(([kind, status, reason, message]) => {
          const since = conditionOf(before, kind)?.lastTransitionTime ?? time;
          return { type: kind, status, lastHeartbeatTime: time, lastTransitionTime: since, reason, message };
        }),
        nodeInfo: {
          architecture: "amd64",
          bootID: "",
          containerRuntimeVersion: `simulated://${release.slice(1)}`,
          kernelVersion: "simulated",
          kubeProxyVersion: "",
          kubeletVersion: release,
          machineID: "",
          operatingSystem: "linux",
          osImage: "Simulated by kubewright",
          systemUUID: "",
        },
      };
    },
    "status",
  );
}
