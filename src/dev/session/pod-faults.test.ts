import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@kubewright/dashboard/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import { PodFaults } from "./pod-faults.ts";

type Pod = KubeObject & { status?: Record<string, unknown> };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-pods-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The Pods of a cluster, by name. Merge patches with `null` remove a member. */
class Pods {
  readonly pods = new Map<string, Pod>();
  refuses = false;

  add(name: string, annotations?: Record<string, string>, uid = `${name}-1`): void {
    this.pods.set(name, {
      metadata: { name, uid, ...(annotations ? { annotations } : {}) },
      status: { phase: "Running" },
    });
  }

  faults(engine: Engine = "embedded"): PodFaults {
    const client = {
      resourceOf: async () => ({ group: "", version: "v1", plural: "pods", namespaced: true }),
      get: async (_resource: unknown, _namespace: string, name: string) => {
        const pod = this.pods.get(name);
        if (!pod) throw Object.assign(new Error(`pods "${name}" not found`), { code: 404 });
        return pod;
      },
      request: async ({ path, body }: { path: string; body: Pod }) => {
        if (this.refuses) throw new Error("refused");
        const [, name = ""] = /pods\/([^/]+)/.exec(path) ?? [];
        const pod = this.pods.get(name) as Pod;
        const annotations = { ...pod.metadata?.annotations, ...body.metadata?.annotations };
        const status = { ...pod.status, ...body.status };
        this.pods.set(name, {
          metadata: { ...pod.metadata, annotations: plain(annotations) as Record<string, string> },
          status: plain(status),
        });
      },
    } as unknown as KubeClient;
    return new PodFaults({ engine, file: join(directory, "faults.json"), client });
  }

  annotations(name: string): object {
    return this.pods.get(name)?.metadata?.annotations ?? {};
  }
}

function plain(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

const fail = "apiserver.kubewright.dev/fail";

it("a Pod that fails is listed, and works again when the fault is cleared", async () => {
  const cluster = new Pods();
  cluster.add("web-1", { other: "x" });
  const faults = cluster.faults();
  await faults.inject("default", "web-1");
  expect(cluster.annotations("web-1")).toEqual({ other: "x", [fail]: "crash" });
  expect(await faults.active()).toEqual([{ fault: "pod-fails", namespace: "default", name: "web-1" }]);
  await faults.clear();
  expect(cluster.annotations("web-1")).toEqual({ other: "x" });
  expect([await faults.active(), existsSync(join(directory, "faults.json"))]).toEqual([[], false]);
});

it("the user's own failure is restored, also if the Pod fails twice", async () => {
  const cluster = new Pods();
  cluster.add("web-1", { [fail]: "not-ready" });
  const faults = cluster.faults();
  await faults.inject("default", "web-1");
  await faults.inject("default", "web-1");
  expect(await faults.active()).toHaveLength(1);
  await faults.clear();
  expect(cluster.annotations("web-1")).toEqual({ [fail]: "not-ready" });
});

it("a Pod that fails by its status has its old status back", async () => {
  const cluster = new Pods();
  cluster.add("web-1");
  const faults = cluster.faults("binaries");
  await faults.inject("default", "web-1");
  expect(cluster.pods.get("web-1")?.status).toMatchObject({ phase: "Failed", reason: "Fault" });
  await faults.clear();
  expect(cluster.pods.get("web-1")?.status).toEqual({ phase: "Running" });
});

it("a Pod that was deleted, or replaced by another with its name, doesn't fail any longer", async () => {
  const cluster = new Pods();
  for (const name of ["web-1", "web-2"]) cluster.add(name);
  const faults = cluster.faults();
  for (const name of ["web-1", "web-2"]) await faults.inject("default", name);
  cluster.pods.delete("web-1");
  cluster.add("web-2", { [fail]: "oom" }, "web-2-2");
  expect(await faults.active()).toEqual([]);
  await faults.clear();
  expect(cluster.annotations("web-2")).toEqual({ [fail]: "oom" });
});

it("the next session ends the faults of one that was killed", async () => {
  const cluster = new Pods();
  cluster.add("web-1");
  await cluster.faults().inject("default", "web-1");
  // The first session has no end.
  const next = cluster.faults();
  cluster.refuses = true;
  await expect(next.clearLeft()).rejects.toThrow("refused");
  expect(await next.active()).toHaveLength(1);
  cluster.refuses = false;
  const third = cluster.faults();
  await third.clearLeft();
  expect(cluster.annotations("web-1")).toEqual({});
  expect(await third.active()).toEqual([]);
});

it("a Pod that doesn't exist is refused", async () => {
  await expect(new Pods().faults().inject("default", "none")).rejects.toThrow('pods "none" not found');
});
