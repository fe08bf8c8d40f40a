// Cases that the comparison with kube-apiserver in conformance/api-pod-security can't reach.

import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import type { ApiObject } from "../../model/resource.ts";
import type { StatusError } from "../../model/status.ts";
import { attributesOf, put, resourceType, storeWith } from "../admission.fixture.ts";
import { createAdmission } from "../create-admission.ts";
import { existingPodsWarnings } from "./existing-pods.ts";
import { PodSecurity } from "./pod-security.ts";

const pods = resourceType("", "pods", "Pod");
const namespaces = resourceType("", "namespaces", "Namespace", { namespaced: false });
const deployments = resourceType("apps", "deployments", "Deployment");
const restricted = { "pod-security.kubernetes.io/enforce": "restricted" };
const open = { containers: [{ name: "a", image: "image" }] };

function pod(name: string, metadata: JsonObject = {}): ApiObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "ns", ...metadata }, spec: open };
}

function namespace(labels: Record<string, string>): ApiObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: "ns", labels } };
}

function errorOf(call: () => void): StatusError | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return error as StatusError;
  }
}

test("a Pod in an unknown namespace fails, and a template isn't checked", () => {
  const plugin = new PodSecurity(storeWith());
  expect(errorOf(() => plugin.validate(attributesOf({ type: pods, object: pod("a") })))).toMatchObject({
    code: 500,
    message: 'Internal error occurred: failed to lookup namespace "ns"',
  });
  const object = { metadata: { name: "a" }, spec: { template: { spec: open } } };
  const attributes = attributesOf({ type: deployments, object });
  plugin.validate(attributes);
  expect(attributes.warnings).toEqual([]);
});

test("an update can keep invalid labels of a namespace, but not add some", () => {
  const plugin = new PodSecurity(storeWith());
  const update = (before: Record<string, string>, after: Record<string, string>) =>
    errorOf(() =>
      plugin.validate(
        attributesOf({
          operation: "UPDATE",
          type: namespaces,
          namespace: "",
          oldObject: namespace(before),
          object: namespace(after),
        }),
      ),
    );
  const wrong = { "pod-security.kubernetes.io/enforce": "wrong" };
  expect(update(wrong, { ...wrong, other: "a" })).toBeUndefined();
  expect(update(wrong, restricted)).toBeUndefined();
  const message = 'Invalid value: "bad": must be one of privileged, baseline, restricted';
  expect(update(wrong, { "pod-security.kubernetes.io/enforce": "bad" })).toMatchObject({
    code: 422,
    details: { causes: [{ field: "metadata.labels[pod-security.kubernetes.io/enforce]", message }] },
  });
});

test("an invalid level in a label means restricted, without warnings", () => {
  const labels = { "pod-security.kubernetes.io/enforce": "wrong", "pod-security.kubernetes.io/warn": "wrong" };
  const plugin = new PodSecurity(storeWith({ name: "ns", labels }));
  expect(errorOf(() => plugin.validate(attributesOf({ type: pods, object: pod("a") })))?.message).toContain(
    'violates PodSecurity "restricted:latest"',
  );
  const object = { metadata: { name: "a" }, spec: { template: { spec: open } } };
  const attributes = attributesOf({ type: deployments, object });
  plugin.validate(attributes);
  expect(attributes.warnings).toEqual([]);
});

test("custom resources with the name of a built-in resource aren't checked", () => {
  const plugin = new PodSecurity(storeWith({ name: "ns", labels: restricted }));
  const type = resourceType("apps", "deployments", "Deployment", { custom: true });
  const attributes = attributesOf({ type, object: { metadata: { name: "a" }, spec: { template: { spec: open } } } });
  plugin.validate(attributes);
  expect(attributes.warnings).toEqual([]);
});

test("a new level is checked against at most 3000 Pods, beginning with one per controller", () => {
  const controller = { ownerReferences: [{ uid: "1", controller: true }] };
  const alike = Array.from({ length: 3000 }, (_, index) => pod(`alike-${index}`, controller));
  const warnings = existingPodsWarnings("ns", [...alike, pod("last")], { level: "restricted", version: "latest" });
  expect(warnings).toEqual([
    "new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods",
    'existing pods in namespace "ns" violate the new PodSecurity enforce level "restricted:latest"',
    expect.stringMatching(/^alike-0 \(and 2999 other pods\): allowPrivilegeEscalation != false, /),
  ]);
  const privileged = { ...pod("last"), spec: { ...open, hostPID: true } };
  const baseline = existingPodsWarnings("ns", [...alike, privileged], { level: "baseline", version: "latest" });
  expect(baseline[2]).toBe("last: host namespaces");
});

test("Pods aren't checked against the privileged level", () => {
  const store = storeWith();
  for (let index = 0; index <= 3000; index++) put(store, "pods", `ns/${index}`, pod(`${index}`));
  const attributes = attributesOf({
    operation: "UPDATE",
    type: namespaces,
    namespace: "",
    oldObject: namespace(restricted),
    object: namespace({ "pod-security.kubernetes.io/enforce-version": "v1.30" }),
  });
  new PodSecurity(store).validate(attributes);
  expect(attributes.warnings).toEqual([]);
});

test("the plugin runs by default and can be turned off", async () => {
  const chainWithout = (...disabled: string[]) =>
    createAdmission({
      store: storeWith({ name: "ns", labels: restricted }),
      authorizer: { authorize: () => ({ allowed: true, reason: "" }) } as never,
      now: () => 0,
      uid: () => "",
      disabled,
      resources: () => [],
      compile: (() => undefined) as never,
      writeUsage: async () => true,
    }).chain;
  const attributes = () => attributesOf({ type: pods, object: pod("a") });
  await expect(chainWithout().validate(attributes())).rejects.toMatchObject({ code: 403 });
  await expect(chainWithout("PodSecurity").validate(attributes())).resolves.toBeUndefined();
});
