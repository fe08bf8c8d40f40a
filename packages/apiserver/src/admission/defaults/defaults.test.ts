import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import type { AdmissionAttributes } from "../../model/admission.ts";
import type { Authorizer } from "../../model/authorizer.ts";
import type { ApiObject } from "../../model/resource.ts";
import type { StatusError } from "../../model/status.ts";
import type { Store } from "../../storage/store.ts";
import { compareAmounts } from "../../validation/amounts.ts";
import { attributesOf, configMap, put, resourceType, storeWith } from "../admission.fixture.ts";
import { AdmissionChain } from "../chain.ts";
import { NamespaceLifecycle } from "../namespace-lifecycle.ts";
import type { AdmissionPlugin } from "../plugin/plugin.ts";
import { CertificateApproval, CertificateSigning, CertificateSubjectRestriction } from "./certificates.ts";
import { TaintNodesByCondition } from "./nodes.ts";
import { DefaultTolerationSeconds, Priority, RuntimeClass } from "./pods.ts";
import {
  DefaultIngressClass,
  DefaultStorageClass,
  PersistentVolumeClaimResize,
  StorageObjectInUseProtection,
} from "./storage.ts";

const pods = resourceType("", "pods", "Pod");
const claims = resourceType("", "persistentvolumeclaims", "PersistentVolumeClaim");
const requests = resourceType("certificates.k8s.io", "certificatesigningrequests", "CertificateSigningRequest", {
  namespaced: false,
});

function object(spec: JsonObject, metadata: JsonObject = {}): ApiObject {
  return { metadata: { name: "a", ...metadata }, spec };
}

async function admit(plugin: AdmissionPlugin, attributes: AdmissionAttributes): Promise<ApiObject> {
  return (await new AdmissionChain([plugin], [], () => undefined).mutate(attributes)) as ApiObject;
}

async function problem(plugin: AdmissionPlugin, attributes: AdmissionAttributes): Promise<StatusError | undefined> {
  const chain = new AdmissionChain([plugin], [], () => undefined);
  try {
    await chain.mutate(attributes);
    await chain.validate(attributes);
    return undefined;
  } catch (error) {
    return error as StatusError;
  }
}

test("a disabled plugin doesn't run", async () => {
  const chain = new AdmissionChain([new NamespaceLifecycle(storeWith())], ["NamespaceLifecycle"], () => undefined);
  expect(await chain.mutate(attributesOf({ object: configMap("a") }))).toBeDefined();
});

test("nothing is created in a namespace that doesn't exist", async () => {
  expect(await problem(new NamespaceLifecycle(storeWith()), attributesOf({ object: configMap("a") }))).toMatchObject({
    code: 404,
    message: 'namespaces "ns" not found',
    details: { name: "ns", kind: "namespaces" },
  });
});

test("nothing is created in a namespace that is being deleted", async () => {
  const plugin = new NamespaceLifecycle(storeWith({ name: "ns", phase: "Terminating" }));
  const problemOf = "unable to create new content in namespace ns because it is being terminated";
  expect(await problem(plugin, attributesOf({ object: configMap("a") }))).toMatchObject({
    code: 403,
    message: `configmaps "a" is forbidden: ${problemOf}`,
    details: {
      name: "a",
      kind: "configmaps",
      causes: [
        { reason: "NamespaceTerminating", message: "namespace ns is being terminated", field: "metadata.namespace" },
      ],
    },
  });
  const update = attributesOf({ operation: "UPDATE", object: configMap("a"), oldObject: configMap("a") });
  expect(await problem(plugin, update)).toBeUndefined();
});

test("a rejection names an object without a name by its generateName", async () => {
  const plugin = new NamespaceLifecycle(storeWith({ name: "ns", phase: "Terminating" }));
  const generated: ApiObject = { metadata: { generateName: "a-" } };
  expect((await problem(plugin, attributesOf({ object: generated })))?.message).toMatch(
    /^configmaps "a-" is forbidden/,
  );
});

test.each(["default", "kube-system", "kube-public"])("the namespace %s can't be deleted", async (name) => {
  const type = resourceType("", "namespaces", "Namespace", { namespaced: false });
  const attributes = attributesOf({ operation: "DELETE", type, namespace: name, name, oldObject: object({}) });
  expect((await problem(new NamespaceLifecycle(storeWith()), attributes))?.message).toBe(
    `namespaces "${name}" is forbidden: this namespace may not be deleted`,
  );
});

test("an access review in a namespace that doesn't exist isn't rejected", async () => {
  const type = resourceType("authorization.k8s.io", "localsubjectaccessreviews", "LocalSubjectAccessReview");
  expect(
    await problem(new NamespaceLifecycle(storeWith()), attributesOf({ type, object: object({}) })),
  ).toBeUndefined();
});

test("Pods tolerate for five minutes that their node isn't ready", async () => {
  const added = (key: string) => ({
    key: `node.kubernetes.io/${key}`,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 300,
  });
  const run = (spec: JsonObject) =>
    admit(new DefaultTolerationSeconds(), attributesOf({ type: pods, object: object(spec) }));
  expect((await run({})).spec).toEqual({ tolerations: [added("not-ready"), added("unreachable")] });
  const own = { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" };
  expect((await run({ tolerations: [own] })).spec).toEqual({ tolerations: [own, added("unreachable")] });
  expect((await run({ tolerations: [{ operator: "Exists" }] })).spec).toEqual({
    tolerations: [{ operator: "Exists" }],
  });
});

function priorities(...classes: [string, number, boolean][]): Store {
  const store = storeWith();
  for (const [name, value, globalDefault] of classes) {
    const content = { metadata: { name }, value, globalDefault, preemptionPolicy: "PreemptLowerPriority" };
    put(store, "priorityclasses.scheduling.k8s.io", name, content);
  }
  return store;
}

test("Pods have the priority of their class", async () => {
  const plugin = new Priority(priorities(["high", 100, false]));
  const pod = (spec: JsonObject) => attributesOf({ type: pods, object: object(spec) });
  const preemptionPolicy = "PreemptLowerPriority";
  expect((await admit(plugin, pod({}))).spec).toEqual({ priority: 0, preemptionPolicy });
  const priorityClassName = "high";
  expect((await admit(plugin, pod({ priorityClassName }))).spec).toEqual({
    priorityClassName,
    priority: 100,
    preemptionPolicy,
  });
  expect((await problem(plugin, pod({ priorityClassName: "none" })))?.message).toBe(
    'pods "a" is forbidden: no PriorityClass with name none was found',
  );
  expect((await problem(plugin, pod({ priority: 5 })))?.message).toBe(
    'pods "a" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  );
});

test("only one PriorityClass can be the default", async () => {
  const plugin = new Priority(priorities(["low", 1, true]));
  expect((await admit(plugin, attributesOf({ type: pods, object: object({}) }))).spec).toMatchObject({
    priorityClassName: "low",
    priority: 1,
  });
  const type = resourceType("scheduling.k8s.io", "priorityclasses", "PriorityClass", { namespaced: false });
  const other: ApiObject = { metadata: { name: "b" }, globalDefault: true };
  expect((await problem(plugin, attributesOf({ type, object: other })))?.message).toBe(
    'priorityclasses.scheduling.k8s.io "b" is forbidden: PriorityClass low is already marked as default. Only one default can exist',
  );
});

test("RuntimeClasses add overhead, selectors and tolerations", async () => {
  const store = storeWith();
  const toleration = { key: "x", operator: "Exists" };
  put(store, "runtimeclasses.node.k8s.io", "r", {
    metadata: { name: "r" },
    overhead: { podFixed: { cpu: "100m" } },
    scheduling: { nodeSelector: { a: "b" }, tolerations: [toleration] },
  });
  const plugin = new RuntimeClass(store);
  const pod = (spec: JsonObject) => attributesOf({ type: pods, object: object({ runtimeClassName: "r", ...spec }) });
  expect((await admit(plugin, pod({ tolerations: [{ ...toleration, effect: "NoExecute" }] }))).spec).toEqual({
    runtimeClassName: "r",
    overhead: { cpu: "100m" },
    nodeSelector: { a: "b" },
    tolerations: [toleration],
  });
  expect((await problem(plugin, pod({ runtimeClassName: "none" })))?.message).toBe(
    'pods "a" is forbidden: pod rejected: RuntimeClass "none" not found',
  );
  expect((await problem(plugin, pod({ nodeSelector: { a: "c" } })))?.message).toBe(
    'pods "a" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = c',
  );
  const alone = attributesOf({ type: pods, object: object({ overhead: { cpu: "1" } }) });
  expect((await problem(plugin, alone))?.message).toContain("Pod Overhead set without corresponding RuntimeClass");
});

test("claims without a class have the newest default class", async () => {
  const store = storeWith();
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  for (const [name, year] of [
    ["old", 2024],
    ["new", 2025],
  ] as const) {
    const metadata = { name, annotations, creationTimestamp: `${year}-01-01T00:00:00Z` };
    put(store, "storageclasses.storage.k8s.io", name, { metadata });
  }
  const plugin = new DefaultStorageClass(store);
  const run = (spec: JsonObject) => admit(plugin, attributesOf({ type: claims, object: object(spec) }));
  expect((await run({})).spec).toEqual({ storageClassName: "new" });
  expect((await run({ storageClassName: "" })).spec).toEqual({ storageClassName: "" });
});

test("Ingresses without a class have the default class", async () => {
  const store = storeWith();
  const annotations = { "ingressclass.kubernetes.io/is-default-class": "true" };
  put(store, "ingressclasses.networking.k8s.io", "nginx", { metadata: { name: "nginx", annotations } });
  const type = resourceType("networking.k8s.io", "ingresses", "Ingress");
  const run = (metadata: JsonObject) =>
    admit(new DefaultIngressClass(store), attributesOf({ type, object: object({}, metadata) }));
  expect((await run({})).spec).toEqual({ ingressClassName: "nginx" });
  expect((await run({ annotations: { "kubernetes.io/ingress.class": "x" } })).spec).toEqual({});
});

test("a new claim gets the finalizer that protects it while it is used", async () => {
  const run = (metadata: JsonObject) =>
    admit(new StorageObjectInUseProtection(), attributesOf({ type: claims, object: object({}, metadata) }));
  expect((await run({})).metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
  expect((await run({ finalizers: ["x"] })).metadata.finalizers).toEqual(["x", "kubernetes.io/pvc-protection"]);
});

test("claims can grow if their class allows it", async () => {
  const store = storeWith();
  put(store, "storageclasses.storage.k8s.io", "fixed", { metadata: { name: "fixed" } });
  put(store, "storageclasses.storage.k8s.io", "growing", { metadata: { name: "growing" }, allowVolumeExpansion: true });
  const plugin = new PersistentVolumeClaimResize(store);
  const claim = (storage: string, storageClassName: string, phase: string): ApiObject => ({
    ...object({ storageClassName, resources: { requests: { storage } } }),
    status: { phase },
  });
  const run = (storageClassName: string, phase: string, size = "2Gi") => {
    const objects = { object: claim(size, storageClassName, phase), oldObject: claim("1Gi", storageClassName, phase) };
    return problem(plugin, attributesOf({ operation: "UPDATE", type: claims, ...objects }));
  };
  expect(await run("growing", "Bound")).toBeUndefined();
  expect(await run("fixed", "Pending", "1024Mi")).toBeUndefined();
  expect((await run("growing", "Pending"))?.message).toBe(
    'persistentvolumeclaims "a" is forbidden: Only bound persistent volume claims can be expanded',
  );
  expect((await run("fixed", "Bound"))?.message).toMatch(/: only dynamically provisioned pvc can be resized and /);
});

test.each([
  ["1Gi", "1024Mi", 0],
  ["1.5Gi", "1536Mi", 0],
  ["1k", "1000", 0],
  ["500m", "0.5", 0],
  ["1e3", "1k", 0],
  ["1G", "1Gi", -1],
  ["-1", "0", -1],
])("the quantities %s and %s compare as %d", (a, b, expected) => {
  expect(compareAmounts(a, b)).toBe(expected);
});

test("new nodes have a taint until they are ready", async () => {
  const type = resourceType("", "nodes", "Node", { namespaced: false });
  const run = (spec: JsonObject) => admit(new TaintNodesByCondition(), attributesOf({ type, object: object(spec) }));
  const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
  expect((await run({ taints: [{ key: "a", effect: "NoSchedule" }] })).spec).toEqual({
    taints: [{ key: "a", effect: "NoSchedule" }, taint],
  });
  expect((await run({ taints: [taint] })).spec).toEqual({ taints: [taint] });
});

const onlyDomain: Authorizer = {
  authorize: ({ name, verb }) => ({ allowed: name === "good.com/*" && verb !== "", reason: "" }),
};

test("approving and signing need a permission for the signer, or for all signers of its domain", async () => {
  const request = (signerName: string, status: JsonObject = {}): ApiObject => ({ ...object({ signerName }), status });
  const approval = (signer: string) => {
    const objects = { object: request(signer), oldObject: request(signer) };
    return attributesOf({ operation: "UPDATE", type: requests, subresource: "approval", ...objects });
  };
  expect(await problem(new CertificateApproval(onlyDomain), approval("good.com/x"))).toBeUndefined();
  expect((await problem(new CertificateApproval(onlyDomain), approval("bad.com/x")))?.message).toBe(
    'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to approve requests with signerName "bad.com/x"',
  );
  const signing = (certificate: string) => {
    const objects = {
      object: request("bad.com/x", { certificate }),
      oldObject: request("bad.com/x", { certificate: "a" }),
    };
    return attributesOf({ operation: "UPDATE", type: requests, subresource: "status", ...objects });
  };
  expect(await problem(new CertificateSigning(onlyDomain), signing("a"))).toBeUndefined();
  expect((await problem(new CertificateSigning(onlyDomain), signing("b")))?.message).toMatch(
    /user not permitted to sign requests with signerName "bad\.com\/x"$/,
  );
});

test("a request for a client certificate with the group system:masters is rejected", async () => {
  const organization = (text: string) =>
    Buffer.concat([
      Buffer.from([0x30, 0x06, 0x03, 0x55, 0x04, 0x0a].slice(1)),
      Buffer.from([0x0c, text.length]),
      Buffer.from(text),
    ]);
  const pem = (text: string) =>
    `-----BEGIN CERTIFICATE REQUEST-----\n${organization(text).toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
  const run = (text: string) => {
    const request = Buffer.from(pem(text)).toString("base64");
    const spec = { signerName: "kubernetes.io/kube-apiserver-client", request };
    return problem(new CertificateSubjectRestriction(), attributesOf({ type: requests, object: object(spec) }));
  };
  expect(await run("team")).toBeUndefined();
  expect((await run("system:masters"))?.message).toMatch(
    /use of kubernetes\.io\/kube-apiserver-client signer with system:masters group is not allowed$/,
  );
});
