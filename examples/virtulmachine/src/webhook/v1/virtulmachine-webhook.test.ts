import { testContext } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { VirtulMachine, type VirtulMachineSpec } from "../../../api/v1/index.ts";
import { VirtulMachineCustomDefaulter, VirtulMachineCustomValidator } from "./virtulmachine-webhook.ts";

const ctx = testContext();

function machine(spec: Partial<VirtulMachineSpec>): VirtulMachine {
  const { apiVersion, kind } = VirtulMachine;
  // As users send it: the webhook runs before the schema asks for what is missing.
  return { apiVersion, kind, metadata: { name: "vm", namespace: "default" }, spec: spec as VirtulMachineSpec };
}

describe("VirtulMachineCustomDefaulter", () => {
  it("fills in a size where there is none, and leaves one that is there", async () => {
    const vm = machine({ cpu: "4" });
    await new VirtulMachineCustomDefaulter().default(ctx, vm);
    expect(vm.spec).toEqual({ cpu: "4", memory: "2G" });
  });
});

describe("VirtulMachineCustomValidator", () => {
  const validator = new VirtulMachineCustomValidator();

  it.each([
    [{ cpu: "0", memory: "2G" }, "spec.cpu"],
    [{ cpu: "1.5", memory: "2G" }, "spec.cpu"],
    [{ cpu: "1", memory: "much" }, "spec.memory"],
    [{ cpu: "1", memory: "-2G" }, "spec.memory"],
    [{ cpu: "1", memory: "2G", dependsOn: "vm" }, "spec.dependsOn"],
  ])("refuses %j", async (spec, field) => {
    await expect(validator.validateCreate(ctx, machine(spec))).rejects.toThrow(field);
  });

  it("warns of very many processors", async () => {
    await expect(validator.validateCreate(ctx, machine({ cpu: "65", memory: "2G" }))).resolves.toHaveLength(1);
  });

  it("lets memory grow, and refuses that it shrinks", async () => {
    const [small, big] = [machine({ cpu: "1", memory: "2G" }), machine({ cpu: "1", memory: "2Gi" })];
    await expect(validator.validateUpdate(ctx, small, big)).resolves.toEqual([]);
    await expect(validator.validateUpdate(ctx, big, small)).rejects.toThrow("can't shrink");
  });
});
