// Children of several kinds in one list: everything in these loops must type-check without casts.
import { describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { ConfigMap, Service } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import type { Client, Stored } from "../client/client.ts";
import { objectKeyFromObject } from "../client/object-key.ts";
import { fakeClient } from "../testing/fake-client.ts";
import { applyIfChanged } from "./apply-if-changed.ts";
import { createOrPatch, createOrUpdate } from "./create-or-update.ts";
import { getControllerOf, hasOwnerReference, setControllerReference, setOwnerReference } from "./owner-references.ts";

const metadata = { namespace: "default", name: "web" };
const labels = { app: "web" };
const own = { fieldOwner: "game" };

function deployment(): Deployment {
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  const spec = { selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...metadata }, spec };
}
function service(): Service {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...metadata },
    spec: { selector: labels, ports: [{ port: 80 }] },
  };
}
function configMap(): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata }, data: { host: "a" } };
}

const general = (): KubernetesObject[] => [deployment(), service(), configMap()];
const union = (): (Deployment | Service | ConfigMap)[] => [deployment(), service(), configMap()];
/** The type that the compiler infers. */
const inferred = () => [deployment(), service(), configMap()];

async function setUp(): Promise<{ client: Client; owner: Stored<ConfigMap> }> {
  const client = fakeClient();
  const owner = await client.create(ConfigMap, { metadata: { namespace: "default", name: "owner" } });
  return { client, owner };
}

async function stored(client: Client): Promise<KubernetesObject[]> {
  return [
    await client.get(Deployment, metadata),
    await client.get(Service, metadata),
    await client.get(ConfigMap, metadata),
  ];
}

describe("children of several kinds", () => {
  it("can be created, updated, patched and deleted in a loop", async () => {
    const { client, owner } = await setUp();
    for (const child of general()) {
      setControllerReference(owner, child);
      const created = await client.create(child);
      await client.update({ ...created, metadata: { ...created.metadata, labels } });
      expect(objectKeyFromObject(created)).toEqual(metadata);
    }
    for (const child of await stored(client)) {
      expect([child.metadata?.labels, getControllerOf(child)?.name]).toEqual([labels, "owner"]);
    }
    for (const child of general()) await client.delete(child);
    for (const child of union()) await client.create(child);
    for (const child of inferred()) await client.delete(child);
  });

  it("can be applied in a loop", async () => {
    const { client, owner } = await setUp();
    for (const children of [general, union, inferred]) {
      for (const child of children()) {
        setOwnerReference(owner, child);
        await client.apply(child, own);
        const applied = await applyIfChanged(client, child, own);
        expect(applied.metadata.name).toBe("web");
      }
    }
    for (const child of await stored(client)) expect(hasOwnerReference(owner, child)).toBe(true);
  });

  it("can be created or updated in a loop", async () => {
    const { client, owner } = await setUp();
    for (const children of [general, union, inferred]) {
      for (const child of children()) {
        const { metadata: _, ...desired } = child;
        await createOrUpdate(client, child, (current) => {
          Object.assign(current, desired);
          current.metadata.labels = labels;
          setControllerReference(owner, current);
        });
        await createOrPatch(client, child, (current) => {
          current.metadata.annotations = { name: current.metadata.name };
        });
      }
    }
    for (const child of await stored(client)) {
      expect(child.metadata).toMatchObject({ labels, annotations: { name: "web" } });
    }
  });

  it("can have a function each", async () => {
    const { client, owner } = await setUp();
    const [first, second] = [deployment(), service()];
    const steps = [
      () => createOrUpdate(client, first, (current) => setControllerReference(owner, current)),
      () =>
        createOrUpdate(client, second, (current) => {
          current.spec = { ...current.spec, selector: labels };
        }),
    ];
    const results: string[] = [];
    for (const step of steps) results.push(await step());
    expect(results).toEqual(["created", "created"]);
  });

  it("keep the help of the compiler", async () => {
    const { client } = await setUp();
    // @ts-expect-error `replica` isn't a field of a Deployment.
    const wrong: (Deployment | Service)[] = [{ ...deployment(), spec: { ...deployment().spec, replica: 1 } }];
    expect(wrong).toHaveLength(1);
    const unnamed = { apiVersion: "apps/v1", kind: "Deployment", metadata: {}, spec: { replicas: 1 } };
    // @ts-expect-error A part of a Deployment needs a name.
    await expect(applyIfChanged<Deployment>(client, unnamed, own)).rejects.toThrow("name");
  });
});
