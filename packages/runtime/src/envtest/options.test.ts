import { expect, it } from "vitest";
import { parseDuration } from "./duration.ts";
import { settle } from "./options.ts";
import { toArguments } from "./servers/flags.ts";
import { TestEnvironment } from "./test-environment.ts";

it.each([
  ["20s", 20_000],
  ["1m30s", 90_000],
  ["1.5h", 5_400_000],
  [".5s", 500],
  ["250ms", 250],
  ["0", 0],
  ["20", undefined],
  ["", undefined],
  ["-1s", undefined],
])("parseDuration parses %s like Go", (text, milliseconds) => expect(parseDuration(text)).toBe(milliseconds));

it("settle reads time limits from the options, or else from the environment", () => {
  const env = { KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "1m", KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT: "2s" };
  expect(settle({ controlPlaneStopTimeout: 1 }, env)).toMatchObject({ startTimeout: 60_000, stopTimeout: 1 });
  expect(() => settle({}, { KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "soon" })).toThrow(
    "KUBEBUILDER_CONTROLPLANE_START_TIMEOUT=soon: not a duration",
  );
});

it("settle refuses versions that can't be served", () => {
  expect(() => settle({ kubernetesVersion: "1.35" as "1.36" }, {})).toThrow(
    "invalid kubernetesVersion 1.35: it must be 1.37 or 1.36",
  );
});

it("settle attaches the output if the environment requires it", () => {
  expect(settle({}, {}).attachOutput).toBe(false);
  expect(settle({}, { KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT: "true" }).attachOutput).toBe(true);
});

it("settle uses an existing cluster if the environment requires it, unless the option is set", () => {
  expect(settle({}, {}).useExistingCluster).toBe(false);
  for (const text of ["true", "TRUE"]) expect(settle({}, { USE_EXISTING_CLUSTER: text }).useExistingCluster).toBe(true);
  expect(settle({ useExistingCluster: false }, { USE_EXISTING_CLUSTER: "true" }).useExistingCluster).toBe(false);
});

it("settle appends the CRDs of crdInstallOptions to those of the environment", () => {
  const options = {
    crdDirectoryPaths: ["a"],
    crdInstallOptions: { paths: ["b"], errorIfPathMissing: false, maxTime: 5 },
  };
  expect(settle(options, {})).toMatchObject({
    crdDirectoryPaths: ["a", "b"],
    errorIfCRDPathMissing: false,
    crdInstall: { maxTime: 5, pollInterval: 50, cleanUpAfterUse: false },
  });
});

it("toArguments replaces, repeats and removes flags", () => {
  expect(toArguments({ a: "1", b: "2", c: "3" }, { b: null, c: ["x", "y"], d: "4" })).toEqual([
    "--a=1",
    "--c=x",
    "--c=y",
    "--d=4",
  ]);
});

it("TestEnvironment throws an error before the start, because it isn't running", () => {
  expect(() => new TestEnvironment().kubeconfig).toThrow("isn't running");
});
