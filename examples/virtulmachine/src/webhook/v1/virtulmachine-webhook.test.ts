import { testContext } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { VirtulMachine, type VirtulMachineSpec } from "#api/v1/index.ts";
import { VirtulMachineDefaulter, VirtulMachineValidator } from "./virtulmachine-webhook.ts";

const ctx = testContext();

function machine(spec: Partial<VirtulMachineSpec>): VirtulMachine {
  const { apiVersion, kind } = VirtulMachine;
  // Incomplete, as users may send it: the webhook runs before the API server validates the schema.
  return { apiVersion, kind, metadata: { name: "vm", namespace: "default" }, spec: spec as VirtulMachineSpec };
}

describe("VirtulMachineDefaulter", () => {
  it("sets a missing size, and keeps a set one", async () => {
    const vm = machine({ cpu: "4" });
    await new VirtulMachineDefaulter().default(ctx, vm);
    expect(vm.spec).toEqual({ cpu: "4", memory: "2G" });
  });
});

describe("VirtulMachineValidator", () => {
  const validator = new VirtulMachineValidator();

  it.each([
    [{ cpu: "0", memory: "2G" }, "spec.cpu"],
    [{ cpu: "1.5", memory: "2G" }, "spec.cpu"],
    [{ cpu: "1", memory: "much" }, "spec.memory"],
    [{ cpu: "1", memory: "-2G" }, "spec.memory"],
    [{ cpu: "1", memory: "2G", dependsOn: "vm" }, "spec.dependsOn"],
  ])("rejects %j", async (spec, field) => {
    await expect(validator.validateCreate(ctx, machine(spec))).rejects.toThrow(field);
  });

  it("warns about a large number of processors", async () => {
    await expect(validator.validateCreate(ctx, machine({ cpu: "65", memory: "2G" }))).resolves.toHaveLength(1);
  });

  it("allows more memory, and rejects less", async () => {
    const [small, big] = [machine({ cpu: "1", memory: "2G" }), machine({ cpu: "1", memory: "2Gi" })];
    await expect(validator.validateUpdate(ctx, small, big)).resolves.toEqual([]);
    await expect(validator.validateUpdate(ctx, big, small)).rejects.toThrow("can't shrink");
  });
});
