import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type SimulateOptions, simulate, type World } from "@kubewright/runtime/simulation";
import { it } from "vitest";
import { VirtulMachine, type VirtulMachineSpec } from "#api/v1/index.ts";
import type { Hypervisor } from "../hypervisor/hypervisor.ts";
import { VirtulMachineReconciler } from "./virtulmachine-controller.ts";

const database = { namespace: "default", name: "database" };
const web = { namespace: "default", name: "web" };

function machine(key: typeof web, spec: VirtulMachineSpec): VirtulMachine {
  return { apiVersion: VirtulMachine.apiVersion, kind: VirtulMachine.kind, metadata: { ...key }, spec };
}

/** The hypervisor. Each schedule starts without machines. */
const hypervisor = {
  machines: new Set<string>(),
  async create(id: string) {
    hypervisor.machines.add(id);
    return `https://hypervisor.example.com/${id}`;
  },
  async destroy(id: string) {
    hypervisor.machines.delete(id);
  },
} satisfies Hypervisor & { machines: Set<string> };

const common = {
  crdDirectoryPaths: ["config/crd/bases"],
  external: hypervisor,
  operator: async (mgr) => {
    await new VirtulMachineReconciler(mgr.client, hypervisor).setupWithManager(mgr);
  },
  invariants: [
    eventually("each VirtulMachine has a machine and a ConfigMap, and no others are left", (world) => {
      const uids = world.list(VirtulMachine).map(({ metadata }) => metadata.uid);
      const consoles = world.list(ConfigMap).map(({ data }) => data?.console);
      return (
        uids.length === hypervisor.machines.size &&
        uids.every((uid) => consoles.includes(`https://hypervisor.example.com/${uid}`))
      );
    }),
  ],
} satisfies Partial<SimulateOptions>;

it("converges whatever happens", async () => {
  await simulate({
    ...common,
    scenario: async (world) => {
      await world.client.create(machine(database, { cpu: "2", memory: "8G" }));
      await world.settled();
      await world.client.patch(VirtulMachine, database, { spec: { memory: "16G" } });
      await world.settled();
      await world.client.delete(VirtulMachine, database);
    },
  });
}, 60_000);

it("creates machines after those that they depend on, and deletes them before", async () => {
  const isReady = (world: World, key: typeof web) =>
    hypervisor.machines.has(world.object(VirtulMachine, key)?.metadata.uid ?? "");
  await simulate({
    ...common,
    // All faults but "recreate": the database isn't deleted before the machine that depends on it.
    faults: ["stale", "crash", "replicas", "conflict", "lost", "errors", "watch", "time", "hands", "children", "gc"],
    scenario: async (world) => {
      await world.client.create(machine(web, { cpu: "1", memory: "2G", dependsOn: database.name }));
      await world.client.create(machine(database, { cpu: "2", memory: "8G" }));
      await world.settled();
      await world.client.delete(VirtulMachine, database);
      await world.client.delete(VirtulMachine, web);
    },
    invariants: [
      ...common.invariants,
      always("the machine of web has that of database", (world) => !isReady(world, web) || isReady(world, database)),
    ],
  });
}, 60_000);
