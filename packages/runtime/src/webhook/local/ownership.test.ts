import { describe, expect, it } from "vitest";
import type { ManagedFieldsEntry } from "../../api/index.ts";
import { ownersOf, sessionOwner, withOwners } from "./ownership.ts";

const entry = (manager: string, operation: string, fieldsV1: object, more: object = {}): ManagedFieldsEntry => ({
  ...{
    manager,
    operation,
    apiVersion: "apiextensions.k8s.io/v1",
    time: "2026-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
  },
  fieldsV1,
  ...more,
});
const conversion = { "f:strategy": {}, "f:webhook": { "f:clientConfig": { "f:service": { "f:name": {} } } } };
const bundle = { "f:webhook": { "f:clientConfig": { "f:caBundle": {} } } };
const kubectl = entry("kubectl", "Apply", { "f:spec": { "f:group": {}, "f:conversion": conversion } });
const operator = entry("main.js", "Update", { "f:spec": { "f:conversion": bundle } });
const server = entry("kube-apiserver", "Update", { "f:status": { "f:conditions": {} } }, { subresource: "status" });
const before = [kubectl, operator, server];

const field = ["spec", "conversion"];
const session = entry(sessionOwner, "Update", {
  "f:metadata": { "f:annotations": { "f:kubewright.io/local-webhooks": {} } },
  "f:spec": { "f:conversion": { "f:webhook": { "f:clientConfig": { "f:url": {} } } } },
});

describe("the owners of a field", () => {
  it("are recorded with their part of the field only", () => {
    expect(ownersOf(before, field)).toEqual([
      { ...kubectl, fieldsV1: { "f:spec": { "f:conversion": conversion } } },
      operator,
    ]);
    expect(ownersOf(undefined, field)).toEqual([]);
  });

  it("are restored, whether their entries have shrunk or disappeared", () => {
    const during = [entry("kubectl", "Apply", { "f:spec": { "f:group": {} } }), server, session];
    const after = withOwners(during, field, ownersOf(before, field));
    expect(after).toHaveLength(3);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  it("don't include other managers, which keep only their other fields", () => {
    const since = entry("somebody", "Update", { "f:spec": { "f:group": {}, "f:conversion": bundle } });
    const gone = entry("somebody-else", "Update", { "f:spec": { "f:conversion": { "f:strategy": {} } } });
    expect(withOwners([server, since, gone, session], field, [])).toEqual([
      server,
      entry("somebody", "Update", { "f:spec": { "f:group": {} } }),
    ]);
  });

  it("are distinguished by operation, version and subresource, not only by name", () => {
    const updated = entry("kubectl", "Update", { "f:spec": { "f:conversion": bundle } });
    const older = entry(
      "kubectl",
      "Apply",
      { "f:spec": { "f:group": {} } },
      { apiVersion: "apiextensions.k8s.io/v1beta1" },
    );
    const owners = ownersOf([updated], field);
    expect(withOwners([kubectl, older], field, owners)).toEqual([
      entry("kubectl", "Apply", { "f:spec": { "f:group": {} } }),
      older,
      updated,
    ]);
  });

  it("can own the whole field", () => {
    const whole = entry("kubectl", "Apply", { "f:webhooks": {} });
    expect(withOwners([], ["webhooks"], ownersOf([whole], ["webhooks"]))).toEqual([whole]);
  });
});
