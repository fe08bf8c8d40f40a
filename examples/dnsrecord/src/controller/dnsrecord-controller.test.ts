import { fakeClient, testContext, testLogger } from "@kubewright/runtime/testing";
import { beforeEach, expect, it } from "vitest";
import { DnsRecord } from "#api/v1/index.ts";
import type { Entry, Provider } from "../provider/provider.ts";
import { DnsRecordReconciler } from "./dnsrecord-controller.ts";

const key = { namespace: "default", name: "chess" };

/** A provider in memory, which records its writes. */
class MemoryProvider implements Provider {
  readonly entries = new Map<string, Entry>();
  readonly writes: string[] = [];
  /** Fails the next call after it took effect, like a lost response. */
  losesResponse = false;

  async find(owner: string): Promise<Entry | undefined> {
    return [...this.entries.values()].find((entry) => entry.owner === owner);
  }

  async create(desired: Omit<Entry, "id">): Promise<Entry> {
    const entry = { ...desired, id: `r-${this.entries.size + 1}` };
    this.entries.set(entry.id, entry);
    this.writes.push("create");
    if (this.losesResponse) {
      this.losesResponse = false;
      throw new Error("socket hang up");
    }
    return entry;
  }

  async update(entry: Entry): Promise<void> {
    this.entries.set(entry.id, entry);
    this.writes.push("update");
  }

  async remove(id: string): Promise<void> {
    this.entries.delete(id);
    this.writes.push("remove");
  }
}

const log = testLogger(beforeEach);

/** Returns a fake client with a DnsRecord, and functions to reconcile and to read it. */
function cluster() {
  const spec = { host: "chess.example.com", address: "192.0.2.10", ttlSeconds: 300 };
  const record: DnsRecord = { apiVersion: DnsRecord.apiVersion, kind: DnsRecord.kind, metadata: { ...key }, spec };
  const client = fakeClient({ objects: [record], statusSubresource: [DnsRecord] });
  const provider = new MemoryProvider();
  const reconciler = new DnsRecordReconciler(client, provider);
  const reconcile = () => reconciler.reconcile(testContext({ log }), key);
  const read = () => client.get(DnsRecord, key);
  const ready = async () => (await read()).status?.conditions?.find(({ type }) => type === "Ready");
  return { client, provider, reconcile, read, ready };
}

it("creates the record, and reports its id", async () => {
  const { provider, reconcile, read, ready } = cluster();
  await reconcile();
  const { metadata, status } = await read();
  expect([...provider.entries.values()]).toEqual([
    { id: "r-1", owner: metadata.uid, host: "chess.example.com", address: "192.0.2.10", ttlSeconds: 300 },
  ]);
  expect(status?.recordId).toBe("r-1");
  expect(await ready()).toMatchObject({ status: "True", reason: "Synced", observedGeneration: 1 });
});

it("is idempotent: a second run writes nothing", async () => {
  const { provider, reconcile, read } = cluster();
  await reconcile();
  const { metadata } = await read();
  await reconcile();
  expect(provider.writes).toEqual(["create"]);
  expect((await read()).metadata.resourceVersion).toBe(metadata.resourceVersion);
});

// #region lost
it("creates one record even if the response to the first creation is lost", async () => {
  const { provider, reconcile, ready } = cluster();
  provider.losesResponse = true;
  await expect(reconcile()).rejects.toThrow("socket hang up");
  expect(await ready()).toMatchObject({ status: "False", reason: "ProviderFailed", message: "socket hang up" });
  await reconcile();
  expect(provider.entries.size).toBe(1);
  expect(await ready()).toMatchObject({ status: "True" });
});
// #endregion lost

it("reverts a change at the provider, and looks again later", async () => {
  const { provider, reconcile } = cluster();
  await reconcile();
  const [entry] = provider.entries.values();
  if (entry) provider.entries.set(entry.id, { ...entry, address: "203.0.113.9" });
  expect(await reconcile()).toEqual({ requeueAfter: 10_000 });
  expect(provider.entries.get("r-1")?.address).toBe("192.0.2.10");
});

it("removes the record before the object", async () => {
  const { client, provider, reconcile, read } = cluster();
  await reconcile();
  await client.delete(await read());
  // The finalizer keeps the object.
  expect((await read()).metadata.deletionTimestamp).toBeDefined();
  await reconcile();
  expect(provider.entries.size).toBe(0);
  await expect(read()).rejects.toThrow("not found");
});

it("keeps the object if the provider fails", async () => {
  const { client, provider, reconcile, read } = cluster();
  await reconcile();
  await client.delete(await read());
  provider.remove = async () => {
    throw new Error("out of service");
  };
  await expect(reconcile()).rejects.toThrow("out of service");
  expect((await read()).metadata.finalizers).toEqual(["dns.example.com/record"]);
});
