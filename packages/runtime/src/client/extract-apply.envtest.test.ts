// With the managedFields of a real server, an apply of the extracted fields must change neither the object nor its owners.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { ConfigMap, Pod, Service } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { Sample, sampleCrd } from "../testing/sample-crd.fixture.ts";
import type { Client } from "./client.ts";
import { createClient } from "./create-client.ts";
import { extractApply } from "./extract-apply.ts";
import type { ApplyConfiguration } from "./object-types.ts";
import { mergeFrom } from "./patch.ts";

const namespace = "default";
const me = { fieldOwner: "me" };
const environment = new TestEnvironment({ crds: [sampleCrd] });
let client: Client;

beforeAll(async () => {
  client = createClient(await environment.start());
});
afterAll(() => environment.stop());

const settings: ApplyConfiguration<Deployment> = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "all",
    namespace,
    labels: { app: "x" },
    annotations: { "example.com/a.b": "" },
    finalizers: ["a.b/c"],
  },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "x" } },
    template: {
      metadata: { labels: { app: "x" } },
      spec: {
        containers: [
          {
            name: "game",
            image: "game:1",
            args: ["a", "b"],
            ports: [{ containerPort: 80 }, { containerPort: 53, protocol: "UDP", name: "dns" }],
            env: [
              { name: "A", value: "1" },
              { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
            ],
            resources: { limits: { cpu: "1", "example.com/gpu": "1" } },
            volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
            securityContext: {},
          },
        ],
        imagePullSecrets: [{ name: "one" }, { name: "two" }],
        nodeSelector: { zone: "a" },
        tolerations: [{ operator: "Exists" }],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: "zone",
            whenUnsatisfiable: "DoNotSchedule",
            labelSelector: { matchLabels: { a: "b" } },
          },
        ],
        volumes: [{ name: "tmp", emptyDir: {} }],
      },
    },
  },
};
const service: ApplyConfiguration<Service> = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace },
  spec: {
    selector: { app: "x" },
    ports: [
      { port: 80, name: "web" },
      { port: 81, name: "tls", targetPort: "tls" },
    ],
  },
};
const sample: ApplyConfiguration<Sample> = {
  apiVersion: Sample.apiVersion,
  kind: Sample.kind,
  metadata: { name: "all", namespace, ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "u" }] },
  spec: {
    count: 3,
    text: "abc",
    list: ["x", "y"],
    tags: ["b", "a"],
    entries: [{ name: "b" }, { name: "a", port: 90, value: "v" }],
    named: [{ name: "n", value: "v" }],
    labels: { x: "1" },
    fixed: { a: "1", b: "2" },
    open: { anything: { list: [{ a: 1 }], deep: { er: true } } },
    big: 9007199254740993n,
  },
};
const map: ApplyConfiguration<ConfigMap> = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "all", namespace },
  data: { "a.b": "1", __proto: "2" },
};

const cases: [string, Kind, KubernetesObject][] = [
  ["Deployment", Deployment as Kind, settings as KubernetesObject],
  ["Service", Service as Kind, service as KubernetesObject],
  ["custom resource", Sample as Kind, sample as KubernetesObject],
  ["ConfigMap", ConfigMap as Kind, map as KubernetesObject],
];

describe("extractApply", () => {
  it.each(cases)(
    "returns the applied fields, and another apply of them changes nothing: %s",
    async (_name, kind, applied) => {
      await client.apply(applied, me);
      const key = { namespace, name: applied.metadata?.name ?? "" };
      // Another owner writes a label, which must not be extracted.
      const before = await client.get(kind, key);
      await client.patch(
        { ...before, metadata: { ...before.metadata, labels: { ...before.metadata.labels, other: "1" } } },
        mergeFrom(before),
        {
          fieldOwner: "other",
        },
      );
      const live = await client.get(kind, key);
      const extracted = extractApply(live, "me");
      expect(extracted).toEqual(applied);
      const again = await client.apply(extracted, me);
      expect(again.metadata.resourceVersion).toBe(live.metadata.resourceVersion);
      expect(again.metadata.managedFields).toEqual(live.metadata.managedFields);
    },
  );

  it("returns an object that keeps fields and removes deleted ones when it is applied again", async () => {
    const name = "changed";
    const { apiVersion, kind } = ConfigMap;
    await client.apply<ConfigMap>({ apiVersion, kind, metadata: { name, namespace }, data: { a: "1", b: "1" } }, me);
    await client.apply<ConfigMap>(
      { apiVersion, kind, metadata: { name, namespace }, data: { c: "1" } },
      { fieldOwner: "you" },
    );
    const mine = extractApply(await client.get(ConfigMap, { namespace, name }), "me");
    expect(mine.data).toEqual({ a: "1", b: "1" });
    delete mine.data?.b;
    mine.data = { ...mine.data, a: "2" };
    expect((await client.apply(mine, me)).data).toEqual({ a: "2", c: "1" });
  });

  it("distinguishes subresources", async () => {
    const name = "parts";
    const { apiVersion, kind } = Sample;
    const identity = { apiVersion, kind, metadata: { name, namespace } };
    await client.apply<Sample>({ ...identity, spec: { text: "abc" } }, me);
    await client.status.apply<Sample>({ ...identity, status: { phase: "A" } }, me);
    const live = await client.get(Sample, { namespace, name });
    expect(extractApply(live, "me")).toEqual({ ...identity, spec: { text: "abc" } });
    const status = extractApply(live, "me", { subresource: "status" });
    expect(status).toEqual({ ...identity, status: { phase: "A" } });
    const again = await client.status.apply(status, me);
    expect(again.metadata.resourceVersion).toBe(live.metadata.resourceVersion);
  });

  it("returns only the labels of each owner", async () => {
    const name = "shared";
    const { apiVersion, kind } = Pod;
    const config = (label: string): ApplyConfiguration<Pod> => ({
      apiVersion,
      kind,
      metadata: { name, namespace, labels: { both: "1", [label]: "1" } },
    });
    await client.apply<Pod>({ ...config("mine"), spec: { containers: [{ name: "a", image: "a" }] } }, me);
    await client.apply(config("yours"), { fieldOwner: "you" });
    const live = await client.get(Pod, { namespace, name });
    expect(extractApply(live, "me").metadata.labels).toEqual({ both: "1", mine: "1" });
    expect(extractApply(live, "you")).toEqual(config("yours"));
    expect(extractApply(live, "nobody")).toEqual({ apiVersion, kind, metadata: { name, namespace } });
  });
});
