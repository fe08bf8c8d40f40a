// Attacks on the file of a session: races of processes that start, and files that a repository contains.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RemoteSession } from "../remote.ts";
import { claimSession, stateOf } from "./claim.ts";
import { prepareCache, runningSession, sessionPaths, writeSecret } from "./files.ts";

let root: string;
let paths: ReturnType<typeof sessionPaths>;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-claim-"));
  paths = sessionPaths(root);
  mkdirSync(paths.cache, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const ended = () => Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));

it("a process that was late doesn't remove the file of the session that has replaced the killed one", async () => {
  const fresh = JSON.stringify({ pid: process.ppid });
  // The other process claims the session while this one waits for the answer of the killed one.
  const server = createServer((_request, response) => {
    writeFileSync(`${paths.session}.new`, fresh, { mode: 0o600 });
    renameSync(`${paths.session}.new`, paths.session);
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(paths.session, JSON.stringify({ pid: process.ppid, url, token: "t" }), { mode: 0o600 });
    await expect(claimSession(paths)).rejects.toThrow("a session of this project runs already");
    expect(readFileSync(paths.session, "utf8")).toBe(fresh);
  } finally {
    server.close();
  }
});

it("a process that was killed while it replaced the file doesn't stop others from replacing it", async () => {
  const pid = ended();
  writeFileSync(paths.session, JSON.stringify({ pid }), { mode: 0o600 });
  const right = `${paths.session}.${stateOf(paths.session)}`;
  writeFileSync(right, `${process.ppid}\n`);
  await expect(claimSession(paths)).rejects.toThrow("can't start");
  writeFileSync(right, `${pid}\n`);
  await claimSession(paths);
  expect(JSON.parse(readFileSync(paths.session, "utf8"))).toMatchObject({ pid: process.pid });
  expect(readdirSync(paths.cache)).toEqual(["session.json"]);
});

describe("a session file that isn't the user's private file directs no command to another server", () => {
  const session = (url: string) => JSON.stringify({ pid: process.pid, url, token: "stolen" });

  it("other URLs are ignored", ({ task }) => {
    const urls = [
      "http://evil.example",
      "https://127.0.0.1:1",
      "http://127.0.0.1",
      "http://127.0.0.1:80@evil.example",
      "http://127.0.0.1:8080.evil.example",
      "http://127.0.0.1:8080/x",
      "http://127.0.0.1:8080?x",
      "http://127.0.0.1:8080#@evil.example",
      "http://127.0.0.1:8080\n",
      "http://user@127.0.0.1:8080",
      "http://localhost:8080",
      "http://[::1]:8080",
      "http://0.0.0.0:8080",
      "http://127.0.0.1:123456",
      "file:///etc/passwd",
    ];
    Object.assign(task.meta, { attempts: urls.length });
    for (const url of urls) {
      writeSecret(paths.session, session(url));
      expect(runningSession(root), url).toBeUndefined();
      expect(() => new RemoteSession(root), url).toThrow("no session of scaffold dev runs");
    }
  });

  it.skipIf(process.platform === "win32")("files that others can read or write, and links, are refused", ({ task }) => {
    const modes = [0o644, 0o640, 0o604, 0o660, 0o602, 0o777];
    Object.assign(task.meta, { attempts: modes.length + 1 });
    writeFileSync(paths.session, session("http://127.0.0.1:8080"));
    for (const mode of modes) {
      chmodSync(paths.session, mode);
      expect(() => new RemoteSession(root), mode.toString(8)).toThrow("other users can access it");
    }
    writeFileSync(join(root, "other"), session("http://127.0.0.1:8080"), { mode: 0o600 });
    rmSync(paths.session);
    symlinkSync(join(root, "other"), paths.session);
    expect(() => new RemoteSession(root)).toThrow("it is a symbolic link");
  });

  it("a new session replaces them, and sends no request", async ({ task }) => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(String(request.headers.host));
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve));
    const { port } = server.address() as AddressInfo;
    const target = join(root, "target");
    writeFileSync(target, "kept");
    const leave = [
      () =>
        writeFileSync(
          paths.session,
          JSON.stringify({ pid: process.ppid, url: `http://127.0.0.2:${port}`, token: "t" }),
        ),
      () => symlinkSync(target, paths.session),
      () => symlinkSync(join(root, "missing"), paths.session),
    ];
    Object.assign(task.meta, { attempts: leave.length });
    try {
      for (const create of leave) {
        rmSync(paths.session, { force: true });
        create();
        await claimSession(paths).catch(() => undefined);
        expect(readFileSync(target, "utf8")).toBe("kept");
      }
      expect(JSON.parse(readFileSync(paths.session, "utf8"))).toMatchObject({ pid: process.pid });
      expect(requests).toEqual([]);
    } finally {
      server.close();
    }
  });
});

it("the next session removes the credentials that a killed one left", () => {
  writeSecret(paths.kubeconfig, JSON.stringify({ "current-context": "production", users: [{ name: "admin" }] }));
  prepareCache(paths);
  expect(() => readFileSync(paths.kubeconfig)).toThrow("ENOENT");
  // That of the embedded server shows that there were objects.
  writeSecret(paths.kubeconfig, "current-context: kubewright\n");
  prepareCache(paths);
  expect(readFileSync(paths.kubeconfig, "utf8")).toContain("kubewright");
});
