import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, test } from "vitest";
import type { ApiObject, StrategyContext } from "../../model/resource.ts";
import { builtInStrategies } from "./strategies.ts";

const strategyFor = builtInStrategies();

/** Writes the status of an object. Returns the metadata that the server stores. */
function writtenMetadata(group: string, resource: string, metadata: JsonObject, before: JsonObject): JsonObject {
  const object = { metadata: { name: "a", ...metadata }, spec: {}, status: {} } as unknown as ApiObject;
  const old = { metadata: { name: "a", ...before }, spec: {}, status: {} } as unknown as ApiObject;
  const context = { now: 0, subresource: "status" } as StrategyContext;
  strategyFor(group, resource).prepareForUpdate?.(object, old, context);
  return object.metadata as JsonObject;
}

const given = { labels: { new: "1" }, annotations: { new: "2" }, finalizers: ["new.io/x"] };
const before = { labels: { old: "1" }, annotations: { old: "2" } };

describe("writes to the status", () => {
  test.each([
    ["admissionregistration.k8s.io", "validatingadmissionpolicies"],
    ["apiregistration.k8s.io", "apiservices"],
    ["flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations"],
    ["networking.k8s.io", "servicecidrs"],
    ["resource.k8s.io", "resourceclaims"],
    ["storage.k8s.io", "volumeattachments"],
  ])("can't change the metadata of %s/%s", (group, resource) => {
    expect(writtenMetadata(group, resource, given, before)).toEqual({ name: "a", ...before });
  });

  test("can't change the labels of Deployments and the revision for a rollback", () => {
    const rollback = "deprecated.deployment.rollback.to";
    const old = { ...before, annotations: { ...before.annotations, [rollback]: "3" } };
    expect(writtenMetadata("apps", "deployments", given, old)).toEqual({
      name: "a",
      ...given,
      labels: before.labels,
      annotations: { new: "2", [rollback]: "3" },
    });
    const fromClient = { annotations: { [rollback]: "4" } };
    expect(writtenMetadata("apps", "deployments", fromClient, {})).toEqual({ name: "a" });
  });

  test("can't change the template generation of DaemonSets", () => {
    const generation = "deprecated.daemonset.template.generation";
    expect(
      writtenMetadata(
        "apps",
        "daemonsets",
        { annotations: { [generation]: "9" } },
        { annotations: { [generation]: "3" } },
      ),
    ).toMatchObject({ annotations: { [generation]: "3" } });
  });

  test("set default labels of ReplicationControllers again if the client omits them", () => {
    const template = { metadata: { labels: { a: "b" } } };
    const old = { metadata: { name: "a" }, spec: { template, selector: { a: "b" } } } as unknown as ApiObject;
    const object = { metadata: { name: "a" }, spec: {}, status: {} } as unknown as ApiObject;
    const context = { now: 0, subresource: "status" } as StrategyContext;
    strategyFor("", "replicationcontrollers").prepareForUpdate?.(object, old, context);
    expect(object.metadata.labels).toEqual({ a: "b" });
  });

  test("change the metadata of other kinds", () => {
    expect(writtenMetadata("batch", "jobs", given, before)).toEqual({ name: "a", ...given });
  });
});
