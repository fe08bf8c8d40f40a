import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { testDirectory } from "../test-support/tree.ts";
import { withLock } from "./lock.ts";

const lockFile = (root: string) =>
  join(tmpdir(), `kubewright-locks-${userInfo().uid}`, createHash("sha256").update(root).digest("hex").slice(0, 32));

it("withLock lets runs in one project work one by one", async () => {
  const root = testDirectory();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await sleep(30);
    events.push(`${name} ends`);
  };
  const waited: number[] = [];
  await Promise.all([
    withLock(root, work("first")),
    withLock(root, work("second"), { onWait: (pid) => waited.push(pid) }),
  ]);
  expect(events).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  expect(waited).toEqual([process.pid]);
});

it("withLock lets runs in different projects work at the same time", async () => {
  let inside = 0;
  const work = async () => {
    inside++;
    await expect.poll(() => inside).toBe(2);
  };
  await Promise.all([withLock(testDirectory(), work), withLock(testDirectory(), work)]);
});

it("withLock releases the lock if the work fails", async () => {
  const root = testDirectory();
  const failing = withLock(root, async () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await withLock(root, async () => "yes")).toBe("yes");
});

it("withLock replaces the lock of a killed run", async () => {
  const root = testDirectory();
  await withLock(root, async () => undefined);
  const dead = spawnSync(process.execPath, ["-e", "console.log(process.pid)"], { encoding: "utf8" }).stdout.trim();
  writeFileSync(lockFile(root), dead);
  expect(await withLock(root, async () => "mine")).toBe("mine");
});

it.skipIf(process.platform === "win32")(
  "withLock replaces the lock of a process whose ID another one has",
  async () => {
    const root = testDirectory();
    await withLock(root, async () => undefined);
    writeFileSync(lockFile(root), `${process.ppid} 1`);
    expect(await withLock(root, async () => "mine")).toBe("mine");
  },
);

it.each([-2, 2])("withLock waits for a run although the clock has jumped by %s years", async (years) => {
  const root = testDirectory();
  const events: string[] = [];
  let other: Promise<unknown> = Promise.resolve();
  await withLock(root, async () => {
    const before = new Date(Date.now() - years * 365 * 86_400_000);
    utimesSync(lockFile(root), before, before);
    await new Promise<void>((onWait) => {
      other = withLock(root, async () => events.push("other"), { onWait: () => onWait() });
      other.finally(onWait).catch(() => {});
    });
    events.push("first");
  });
  await other;
  expect(events).toEqual(["first", "other"]);
});

it("withLock stops waiting on an interruption, and leaves the other run's lock", async () => {
  const root = testDirectory();
  const controller = new AbortController();
  await withLock(root, async () => {
    const waiting = withLock(root, async () => "never", {
      signal: controller.signal,
      onWait: () => controller.abort(),
    });
    await expect(waiting).rejects.toMatchObject({ id: "interrupted" });
    const name = lockFile(root).split("/").at(-1) ?? "";
    expect(readdirSync(join(lockFile(root), "..")).filter((file) => file.startsWith(name))).toContain(name);
  });
});
