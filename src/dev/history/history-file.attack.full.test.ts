import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SecretValues } from "@kubewright/runtime/secrets";
import { beforeEach, describe, expect, it } from "vitest";
import { bundle } from "../../../scripts/test-support/bundle.ts";
import type { HistoryEntry, RevisionEntry } from "../store/history-entry.ts";
import { HistoryFile } from "./history-file.ts";

let directory: string;
let path: string;
let notes: string[];
const secrets = new SecretValues();
let isMounted = false;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "history-"));
  path = join(directory, "history.jsonl");
  notes = [];
  return () => {
    for (; isMounted; isMounted = false) execFileSync("umount", ["-l", directory]);
    rmSync(directory, { recursive: true, force: true });
  };
});

const entry = (index: number, diff = ""): RevisionEntry => ({
  uid: `uid-${index}`,
  object: { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: `m-${index}` },
  revision: {
    resourceVersion: String(index),
    time: "2026-01-01T00:00:00.000Z",
    type: "modified",
    by: "kubectl",
    changed: ["data"],
    diff,
  },
});

const fileOf = (maxSize?: number): HistoryFile =>
  new HistoryFile({
    path,
    mask: (json) => secrets.maskJson(json),
    note: (message) => notes.push(message),
    ...(maxSize === undefined ? {} : { maxSize }),
  });

/** Writes entries in a session of their own. Returns what the session read at its start. */
async function session(entries: readonly HistoryEntry[], cluster = "a", maxSize?: number): Promise<HistoryEntry[]> {
  const file = fileOf(maxSize);
  const restored = await file.open(cluster);
  for (const added of entries) file.add(added);
  await file.close();
  return restored;
}

it("the next session of the cluster reads the entries, and no other cluster gets them", async () => {
  const entries = [entry(1), entry(2, "+  a: \u2028 €\n")];
  expect(await session(entries)).toEqual([]);
  expect(await session([entry(3)])).toEqual(entries);
  expect(await session([])).toEqual([...entries, entry(3)]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await session([], "b")).toEqual([]);
  expect(readFileSync(path, "utf8")).not.toContain("m-1");
  expect(notes).toEqual([]);
});

it("the file contains no values of Secrets, also of those that become known after the entry", async () => {
  const file = fileOf();
  await file.open("a");
  file.add(entry(1, "+  copy: hunter2-of-a-file\n"));
  secrets.learn({ apiVersion: "v1", kind: "Secret", stringData: { password: "hunter2-of-a-file" } } as never);
  await file.close();
  expect(readFileSync(path, "utf8")).toContain("copy: (hidden)");
  expect(readFileSync(path, "utf8")).not.toContain("hunter2");
});

it("a session that was killed within a line loses only that line", async ({ task }) => {
  await session([entry(1), entry(2)]);
  const whole = readFileSync(path);
  const start = whole.lastIndexOf("\n", whole.length - 2) + 1;
  Object.assign(task.meta, { attempts: whole.length - start });
  for (let size = start; size < whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size), { mode: 0o600 });
    expect(await session([entry(3)]), String(size)).toEqual([entry(1)]);
    expect(await session([]), String(size)).toEqual([entry(1), entry(3)]);
  }
  truncateSync(path, 5);
  expect(await session([])).toEqual([]);
});

it("a session that is killed while it writes leaves a file that can be read", async () => {
  const program = `
    import { HistoryFile } from ${JSON.stringify(bundle(new URL("history-file.ts", import.meta.url), directory))};
    const file = new HistoryFile({ path: ${JSON.stringify(path)}, mask: (json) => json, note: console.error, maxSize: 200_000 });
    await file.open("a");
    const entry = ${JSON.stringify(entry(1, "x".repeat(2000)))};
    let written = 0;
    for (;;) {
      for (let index = 0; index < 50; index++) file.add(entry);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (++written === 60) setImmediate(() => process.kill(process.pid, "SIGKILL"));
    }`;
  const { signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect(signal, stderr).toBe("SIGKILL");
  const entries = await session([entry(2)]);
  expect(entries.length).toBeGreaterThan(10);
  for (const restored of entries) expect(restored).toEqual(entry(1, "x".repeat(2000)));
  expect((await session([])).at(-1)).toEqual(entry(2));
  expect(notes).toEqual([]);
});

it("the file is limited: the oldest entries are removed, and too long ones aren't written", async () => {
  const file = fileOf(20_000);
  await file.open("a");
  for (let index = 0; index < 300; index++) file.add(entry(index));
  file.add(entry(300, "x".repeat(600_000)));
  file.add(entry(301));
  await file.close();
  expect(statSync(path).size).toBeLessThan(20_000);
  const entries = await session([], "a", 20_000);
  expect(entries.length).toBeGreaterThan(20);
  expect(entries.at(-1)).toEqual(entry(301));
  expect(entries.at(-2)).toEqual(entry(299));
  expect(readdirSync(directory)).toEqual(["history.jsonl"]);
});

describe("a file of another origin is replaced, and its content isn't shown", () => {
  const header = '{"history":1,"cluster":"a"}\n';
  const line = `${JSON.stringify(entry(1))}\n`;
  const texts: Record<string, string | Buffer> = {
    garbage: Buffer.from([0, 255, 254, 10, 13, 123]),
    "an older version": `{"history":0,"cluster":"a"}\n${line}`,
    "no header": line,
    "an empty file": "",
    "a large line": `${header}${"[".repeat(1_000_000)}\n`,
    "entries of other shapes": `${header}${[
      "null",
      "[]",
      "1",
      '"x"',
      "{}",
      '{"reconcile":null}',
      '{"reconcile":{"id":"1","object":null}}',
      '{"admission":{"object":{}}}',
      JSON.stringify({ ...entry(1), uid: "" }),
      JSON.stringify({ ...entry(1), object: { kind: 1, namespace: {}, name: [] } }),
      JSON.stringify({ ...entry(1), revision: { ...entry(1).revision, changed: [1] } }),
      JSON.stringify({ ...entry(1), revision: { ...entry(1).revision, diff: null } }),
    ].join("\n")}\n`,
  };
  it.each(Object.entries(texts))("%s", async (_, text) => {
    writeFileSync(path, text, { mode: 0o600 });
    expect(await session([entry(2)])).toEqual([]);
    expect(await session([])).toEqual([entry(2)]);
    expect(notes).toEqual([]);
  });

  it("one that other users can write", async () => {
    writeFileSync(path, header + line);
    chmodSync(path, 0o644);
    expect(await session([])).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("a symbolic link, whose target stays unchanged", async () => {
    const target = join(directory, "target");
    writeFileSync(target, header + line, { mode: 0o600 });
    symlinkSync(target, path);
    expect(await session([entry(2)])).toEqual([]);
    expect(readFileSync(target, "utf8")).toBe(header + line);
  });

  it.skipIf(process.platform === "win32")("a pipe without a writer (skipped on Windows)", async () => {
    execFileSync("mkfifo", ["-m", "600", path]);
    expect(await session([entry(2)])).toEqual([]);
    expect(await session([])).toEqual([entry(2)]);
  });
});

describe("a file that can't be written ends only the history, with one line", () => {
  it("a directory in its place", async () => {
    mkdirSync(join(path, "x"), { recursive: true });
    expect(await session([entry(1), entry(2)])).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^the history of this session isn't kept for the next one: E/)]);
    expect(readdirSync(directory)).toEqual(["history.jsonl"]);
  });

  it("a directory that doesn't exist", async () => {
    rmSync(directory, { recursive: true });
    await session([entry(1)]);
    expect(notes).toHaveLength(1);
    expect(existsSync(directory)).toBe(false);
  });

  const canMount = process.platform === "linux" && process.getuid?.() === 0;

  it.skipIf(!canMount)("a full disk (skipped without root)", async () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", directory]);
    isMounted = true;
    const file = fileOf();
    await file.open("a");
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 100; index++) file.add(entry(index, "x".repeat(1000)));
      await file.close();
    }
    expect(notes).toEqual([expect.stringContaining("ENOSPC")]);
    // It stays full, so not even the file can be replaced.
    const entries = await session([entry(1)]);
    expect(entries.length).toBeGreaterThan(10);
    expect(entries[0]).toEqual(entry(0, "x".repeat(1000)));
    expect(readdirSync(directory)).toEqual(["history.jsonl"]);
  });

  it.skipIf(!canMount)("a read-only disk, whose history is still read (skipped without root)", async () => {
    await session([entry(1)]);
    execFileSync("mount", ["--bind", directory, directory]);
    isMounted = true;
    execFileSync("mount", ["-o", "remount,ro,bind", directory]);
    expect(await session([entry(2)])).toEqual([entry(1)]);
    expect(notes).toEqual([expect.stringContaining("EROFS")]);
  });
});
