import { expect, it } from "vitest";
import { createFeatureGates, parseFeatureGates } from "./feature-gates.ts";
import { kubernetesVersions } from "./versions.ts";

it.each(kubernetesVersions)("ShardedListAndWatch is off in %s, and can be switched on", (version) => {
  expect(createFeatureGates(version).enabled("ShardedListAndWatch")).toBe(false);
  expect(createFeatureGates(version, { ShardedListAndWatch: true }).enabled("ShardedListAndWatch")).toBe(true);
});

it("a gate has the default of the version", () => {
  expect(createFeatureGates("1.36").enabled("InOrderInformers")).toBe(true);
  // It is off while a server of 1.37 remains compatible with 1.36.
  expect(createFeatureGates("1.37").enabled("DRAFractionalCapacityRange")).toBe(false);
});

it("the gates of all alpha and beta features switch those that aren't set themselves", () => {
  const gates = createFeatureGates("1.37", { AllAlpha: true, AllBeta: false, WatchListClient: true });
  expect(gates.enabled("ShardedListAndWatch")).toBe(true);
  expect(gates.enabled("WatchListClient")).toBe(true);
  expect(gates.enabled("InOrderInformersBatchProcess")).toBe(false);
  expect(gates.enabled("JobManagedBy")).toBe(true);
  const off = createFeatureGates("1.37", { ShardedListAndWatch: false, AllAlpha: true });
  expect(off.enabled("ShardedListAndWatch")).toBe(false);
});

it("a gate that is implemented nowhere has no effect", () => {
  expect(createFeatureGates("1.37", { SizeBasedListCostEstimate: false }).enabled("Other")).toBe(false);
});

// The messages of kube-apiserver 1.37.2.
it.each([
  [{ Foo: true }, "unrecognized feature gate: Foo"],
  [{ toString: true }, "unrecognized feature gate: toString"],
  [{ AllAlpha: true, Foo: true }, "unrecognized feature gate: Foo"],
  [{ JobManagedBy: false }, "cannot set feature gate JobManagedBy to false, feature is locked to true"],
  [
    { ShardedListAndWatch: "yes" as unknown as boolean },
    'invalid value of ShardedListAndWatch=yes, err: strconv.ParseBool: parsing "yes": invalid syntax',
  ],
])("rejects %j as kube-apiserver does", (settings, message) => {
  expect(() => createFeatureGates("1.37", settings)).toThrow(new RangeError(message));
});

it("reads the gates of a command line, of which the last value counts", () => {
  const texts = ["ShardedListAndWatch=true, AllBeta = F,", "kube:ShardedListAndWatch=false", "", "AllAlpha=1"];
  expect(parseFeatureGates(texts)).toEqual({ ShardedListAndWatch: false, AllBeta: false, AllAlpha: true });
});

it.each([
  ["ShardedListAndWatch", "missing bool value for ShardedListAndWatch"],
  [
    "ShardedListAndWatch=bar",
    'invalid value of ShardedListAndWatch=bar, err: strconv.ParseBool: parsing "bar": invalid syntax',
  ],
  ["foo:ShardedListAndWatch=true", "component not registered: foo"],
])("rejects the text %s as kube-apiserver does", (text, message) => {
  expect(() => parseFeatureGates([text])).toThrow(new RangeError(message));
});
