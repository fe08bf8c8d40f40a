import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../../../scripts/test-support/bundle.ts";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";

// A separate process, because a heap snapshot of a process with many tests takes many seconds.
let directory: string;
let server: ChildProcess;
let port: number;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-pprof-"));
  server = fork(bundle(new URL("pprof.fixture.ts", import.meta.url), directory), { execArgv: [] });
  [port] = await once(server, "message");
});

afterAll(async () => {
  server.disconnect();
  await once(server, "exit");
  rmSync(directory, { recursive: true });
});

const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}/debug/pprof${path}`, init);

interface CpuProfile {
  nodes: { callFrame: { functionName: string } }[];
  samples: number[];
}

describe("profiles", () => {
  it("are listed", async () => {
    for (const path of ["", "/"]) expect(await (await get(path)).text()).toContain("profile?seconds=30");
    expect((await get("/goroutine")).status).toBe(404);
  });

  it("of the CPU contain the functions that ran", async () => {
    server.send("burn");
    const functions = async (): Promise<string[]> => {
      const response = await get("/profile?seconds=1");
      expect(response.headers.get("content-disposition")).toMatch(/attachment; filename="\d+-.*\.cpuprofile"/);
      const profile = (await response.json()) as CpuProfile;
      expect(profile.samples.length).toBeGreaterThan(0);
      return profile.nodes.map(({ callFrame }) => callFrame.functionName);
    };
    // On a busy machine, the process may hardly run within a second.
    await expect.poll(functions).toContain("burnsTime");
    server.send("stop");
  });

  fullTest("of allocations and heap snapshots have the format of V8's tools", async () => {
    const allocations = (await (await get("/allocs?seconds=1")).json()) as { head: object; samples: unknown[] };
    expect(allocations).toMatchObject({ head: { callFrame: { functionName: "(root)" } }, samples: expect.any(Array) });
    const heap = JSON.parse(await (await get("/heap")).text()) as { snapshot: { node_count: number } };
    expect(heap.snapshot.node_count).toBeGreaterThan(1000);
  });

  fullTest("are recorded one at a time, and stop when the client disconnects", async () => {
    const gone = new AbortController();
    const first = get("/profile?seconds=600", { signal: gone.signal }).catch(() => {});
    await expect.poll(async () => (await get("/profile?seconds=1")).status).toBe(409);
    gone.abort();
    await first;
    await expect.poll(async () => (await get("/profile?seconds=1")).status).toBe(200);
  });

  it("take from 1 to 600 seconds", async () => {
    for (const wrong of ["0", "-1", "601", "x", ""]) expect((await get(`/profile?seconds=${wrong}`)).status).toBe(400);
  });
});
