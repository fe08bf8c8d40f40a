import { expect, test } from "vitest";
import { internalDiff, internalForm } from "./internal-types.ts";

test("all fields of the internal struct are shown, by their names in Go", () => {
  expect(internalForm("*batch.PodFailurePolicy", { rules: [{ action: "Ignore" }] })).toEqual({
    Rules: [{ Action: "Ignore", OnExitCodes: null, OnPodConditions: null }],
  });
  expect(internalForm("*batch.PodFailurePolicy", null)).toBeNull();
});

test("structs in others are shown with their zero values, and maps in the order of their keys", () => {
  const spec = internalForm("core.PersistentVolumeClaimSpec", { resources: { requests: { b: "1", a: "2" } } });
  expect(JSON.stringify(spec)).toBe(
    '{"AccessModes":null,"Selector":null,"Resources":{"Limits":null,"Requests":{"a":"2","b":"1"}},"VolumeName":"","StorageClassName":null,"VolumeMode":null,"DataSource":null,"DataSourceRef":null,"VolumeAttributesClassName":null}',
  );
});

test("metadata keeps its form, and the security context has the namespaces of the host", () => {
  const template = { metadata: { labels: { a: "b" } }, spec: { hostNetwork: true, securityContext: { runAsUser: 5 } } };
  expect(internalForm("core.PodTemplateSpec", template)).toMatchObject({
    labels: { a: "b" },
    Spec: { SecurityContext: { HostNetwork: true, HostPID: false, RunAsUser: 5, ShareProcessNamespace: null } },
  });
});

test("differences are those of the lines of JSON, with Go's escapes", () => {
  const claim = (volumeName: string): { volumeName: string } => ({ volumeName });
  expect(internalDiff("core.PersistentVolumeClaimSpec", claim("<a>"), claim("b"))).toContain(
    '- "VolumeName": "\\u003ca\\u003e",\n+ "VolumeName": "b",\n',
  );
});
