import { always, eventually, simulate } from "@kubewright/runtime/simulation";
import { expect, it } from "vitest";
import { DnsRecord } from "#api/v1/index.ts";
import type { Entry, Provider } from "../provider/provider.ts";
import { DnsRecordReconciler } from "./dnsrecord-controller.ts";

const key = { namespace: "default", name: "chess" };

const chess: DnsRecord = {
  apiVersion: DnsRecord.apiVersion,
  kind: DnsRecord.kind,
  metadata: { ...key },
  spec: { host: "chess.example.com", address: "192.0.2.10" },
};

/** The DNS provider. Each schedule starts without entries. */
const provider: Provider & { entries: Map<string, Entry> } = {
  entries: new Map<string, Entry>(),
  async find(owner) {
    return [...provider.entries.values()].find((entry) => entry.owner === owner);
  },
  async create(desired) {
    const entry = { ...desired, id: `r-${provider.entries.size + 1}` };
    provider.entries.set(entry.id, entry);
    return entry;
  },
  async update(entry) {
    provider.entries.set(entry.id, entry);
  },
  async remove(id) {
    provider.entries.delete(id);
  },
};

it("converges whatever happens", async () => {
  await simulate({
    crdDirectoryPaths: ["config/crd/bases"],
    external: provider,
    // All faults but "hands": if somebody removes the finalizer and deletes the object, its entry remains.
    faults: ["stale", "crash", "replicas", "conflict", "lost", "errors", "watch", "recreate", "time"],
    operator: async (mgr) => {
      await new DnsRecordReconciler(mgr.client, provider).setupWithManager(mgr);
    },
    scenario: async (world) => {
      await world.client.create(chess);
      await world.settled();
      await world.client.patch(DnsRecord, key, { spec: { address: "192.0.2.11" } });
      await world.settled();
      await world.client.delete(DnsRecord, key);
    },
    invariants: [
      always("the provider has at most one entry per DnsRecord", () => {
        const owners = [...provider.entries.values()].map(({ owner }) => owner);
        return new Set(owners).size === owners.length;
      }),
      eventually("the provider has the entries of the DnsRecords, and no others", (world) => {
        const expected = world.list(DnsRecord).map(({ metadata: { uid }, spec }) => ({ owner: uid, ...spec }));
        expect([...provider.entries.values()].map(({ id, ...entry }) => entry)).toEqual(expected);
      }),
    ],
  });
}, 60_000);
