import { execFileSync } from "node:child_process";
import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type ApiServer, startApiServer } from "../index.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const steps = ["openSync", "writeSync", "ftruncateSync", "renameSync", "mkdirSync", "writeFileSync"] as const;
const codes = { ENOSPC: "no space left on device", EROFS: "read-only file system", EIO: "i/o error" };

let directory: string;
let dataFile: string;
let warnings: string[];
let isMounted = false;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "full-disk-"));
  dataFile = join(directory, "data");
  warnings = [];
  return () => {
    for (; isMounted; isMounted = false) execFileSync("umount", ["-l", directory]);
    rmSync(directory, { recursive: true, force: true });
  };
});

async function start(file = dataFile): Promise<ApiServer> {
  const warn = (message: string): void => void warnings.push(message);
  const server = await startApiServer({ http: false, authorization: ["rbac", "always-allow"], dataFile: file, warn });
  onTestFinished(() => server.stop());
  return server;
}

async function send(server: ApiServer, method: string, url: string, body?: object) {
  const headers = { "content-type": "application/json" };
  const answer = await server.handle({ method, url, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: answer.status, object: JSON.parse(String(answer.body)) };
}

const map = (name: string, size = 10): object => ({ metadata: { name }, data: { a: "x".repeat(size) } });

/** Lets calls about files of the test fail from a call on. Returns how often they were called, and ends it. */
function fail(step: (typeof steps)[number], from: number, code: keyof typeof codes) {
  const original = fs[step] as (...args: unknown[]) => unknown;
  let calls = 0;
  const restore = (): void => {
    (fs as unknown as { [step: string]: unknown })[step] = original;
    syncBuiltinESMExports();
  };
  (fs as unknown as { [step: string]: unknown })[step] = (...args: unknown[]) => {
    const isOwn = typeof args[0] === "number" || String(args[0]).startsWith(directory);
    if (isOwn && ++calls >= from) {
      // A full disk takes a part of a line.
      if (step === "writeSync" && code === "ENOSPC" && calls === from)
        return original(args[0], (args[1] as Buffer).subarray(0, 5));
      throw Object.assign(new Error(`${code}: ${codes[code]}, ${step.replace("Sync", "")}`), { code });
    }
    return original(...args);
  };
  syncBuiltinESMExports();
  onTestFinished(restore);
  return { restore, calls: () => calls };
}

async function namesOf(server: ApiServer): Promise<string[]> {
  return (await send(server, "GET", maps)).object.items.map(
    (item: { metadata: { name: string } }) => item.metadata.name,
  );
}

describe("a disk that is full, read-only or broken", () => {
  it.each(Object.keys(codes) as (keyof typeof codes)[])(
    "at each step of the start, with one line: %s",
    async (code) => {
      for (const step of steps) {
        for (const from of [1, 2, 30]) {
          const failing = fail(step, from, code);
          let problem: Error | undefined;
          try {
            await (await start()).stop();
          } catch (error) {
            problem = error as Error;
          }
          const reached = failing.calls() >= from;
          failing.restore();
          if (problem === undefined) {
            // Only the removal of outdated lines may fail without an end.
            expect(reached && step !== "ftruncateSync" && step !== "renameSync").toBe(false);
          } else {
            expect(problem.message).toMatch(new RegExp(`^${dataFile}: can't be \\w+: ${codes[code]}(\nhint: .+)?$`));
          }
          // Nothing is left that keeps the next server from starting.
          await (await start()).stop();
        }
      }
    },
  );

  it("fails writes with a Status, keeps reads, and continues when there is space", async () => {
    const server = await start();
    await send(server, "POST", maps, map("before"));
    const size = fs.statSync(dataFile).size;
    const failing = fail("writeSync", 1, "ENOSPC");
    for (const [method, url, body] of [
      ["POST", maps, map("during")],
      ["PUT", `${maps}/before`, map("before", 20)],
      ["DELETE", `${maps}/before`, undefined],
    ] as const) {
      const { status, object } = await send(server, method, url, body);
      expect(status).toBe(500);
      expect(object).toMatchObject({
        kind: "Status",
        status: "Failure",
        message: expect.stringMatching(
          /^(Internal error occurred: )?\S+data: can't be written: no space left on device$/,
        ),
        code: 500,
      });
    }
    expect(await namesOf(server)).toEqual(["before"]);
    expect(fs.statSync(dataFile).size).toBe(size);
    failing.restore();
    expect((await send(server, "POST", maps, map("after"))).status).toBe(201);
    expect(warnings).toEqual([
      `${dataFile}: can't be written: no space left on device: requests that write fail until this is solved`,
      `${dataFile}: can be written again`,
    ]);
    await server.stop();
    expect(await namesOf(await start())).toEqual(["after", "before"]);
  });

  it("doesn't join a part of a line with the next one if it can't be removed", async () => {
    const server = await start();
    const truncating = fail("ftruncateSync", 1, "EIO");
    const writing = fail("writeSync", 1, "ENOSPC");
    expect((await send(server, "POST", maps, map("during"))).status).toBe(500);
    writing.restore();
    expect((await send(server, "POST", maps, map("during"))).status).toBe(500);
    truncating.restore();
    expect((await send(server, "POST", maps, map("after"))).status).toBe(201);
    await server.stop();
    expect(await namesOf(await start())).toEqual(["after"]);
  });

  it.each(["openSync", "writeSync", "renameSync"] as const)(
    "changes nothing if a return to the past fails: %s",
    async (step) => {
      const server = await start();
      await send(server, "POST", maps, map("a"));
      const { revision } = server;
      await send(server, "POST", maps, map("b"));
      const failing = fail(step, 1, "ENOSPC");
      expect(() => server.restore(revision)).toThrow(`${dataFile}: can't be rewritten: no space left on device`);
      failing.restore();
      expect(await namesOf(server)).toEqual(["a", "b"]);
      expect((await send(server, "POST", maps, map("c"))).status).toBe(201);
      server.restore(revision);
      expect(await namesOf(server)).toEqual(["a"]);
      await server.stop();
      expect(await namesOf(await start())).toEqual(["a"]);
    },
  );

  it("doesn't keep other watches from a change when a controller of the server can't write", async () => {
    const server = await start();
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    const labels = { "rbac.authorization.k8s.io/aggregate-to-admin": "true" };
    const failing = fail("writeSync", 2, "ENOSPC");
    const rules = [{ apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get"] }];
    expect((await send(server, "POST", roles, { metadata: { name: "more", labels }, rules })).status).toBe(201);
    failing.restore();
    await send(server, "POST", maps, map("after"));
    const admin = (await send(server, "GET", `${roles}/admin`)).object;
    expect(admin.rules).toContainEqual(rules[0]);
  });
});

/** Small disks need the permissions of root, and Linux. */
const canMount = process.platform === "linux" && process.getuid?.() === 0;

function mount(...args: string[]): void {
  execFileSync("mount", args);
  isMounted = true;
}

describe.skipIf(!canMount)("a disk of a megabyte (skipped without root)", () => {
  it("fills up and is freed without a loss", async () => {
    mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", directory);
    const filler = join(directory, "filler");
    writeFileSync(filler, Buffer.alloc(300_000));
    let server = await start();
    const stored: string[] = [];
    for (let index = 0; ; index++) {
      const name = `m${String(index).padStart(4, "0")}`;
      const { status } = await send(server, "POST", maps, map(name, 5000));
      if (status === 500) break;
      expect(status).toBe(201);
      stored.push(name);
    }
    expect(await namesOf(server)).toEqual(stored);
    await server.stop();
    // A start writes, too.
    await expect(start()).rejects.toThrow(`${dataFile}: can't be written: no space left on device`);
    rmSync(filler);
    server = await start();
    expect(await namesOf(server)).toEqual(stored);
    expect((await send(server, "POST", maps, map("z"))).status).toBe(201);
    await server.stop();
    expect(readFileSync(dataFile, "utf8").endsWith("}\n")).toBe(true);
  });

  it("is read-only", async () => {
    await (await start()).stop();
    mount("--bind", directory, directory);
    execFileSync("mount", ["-o", "remount,ro,bind", directory]);
    const problem = `${dataFile}: can't be locked: read-only file system\nhint: name a file that you can write`;
    await expect(start()).rejects.toThrow(problem);
  });
});
