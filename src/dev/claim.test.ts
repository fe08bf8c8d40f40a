import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claimSession } from "./claim.ts";
import { runningSession, sessionPaths } from "./files.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-claim-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function leave(content: string): ReturnType<typeof sessionPaths> {
  const paths = sessionPaths(root);
  mkdirSync(paths.cache, { recursive: true });
  writeFileSync(paths.session, content, { mode: 0o600 });
  return paths;
}

const unused = "http://127.0.0.1:1";

it.each(["", "{", "null", "[]", "7", '"text"', '{"pid":"x"}', '{"pid":1.5}'])(
  "ignores and replaces a broken session file: %s",
  async (content) => {
    const paths = leave(content);
    expect(runningSession(root)).toBeUndefined();
    await claimSession(paths);
    expect(JSON.parse(readFileSync(paths.session, "utf8"))).toEqual({ pid: process.pid });
  },
);

it.each([
  ["this process", process.pid],
  ["another program", process.ppid],
])("a killed session whose process ID has %s is replaced, with its lock", async (_title, pid) => {
  const paths = leave(JSON.stringify({ pid, url: unused, token: "t" }));
  writeFileSync(`${paths.data}.lock`, `${pid}\n`);
  await claimSession(paths);
  expect(JSON.parse(readFileSync(paths.session, "utf8"))).toEqual({ pid: process.pid });
  expect(existsSync(`${paths.data}.lock`)).toBe(false);
});

it("keeps the lock of another process", async () => {
  const paths = leave(JSON.stringify({ pid: process.ppid, url: unused, token: "t" }));
  writeFileSync(`${paths.data}.lock`, "1\n");
  await claimSession(paths);
  expect(readFileSync(`${paths.data}.lock`, "utf8")).toBe("1\n");
});

it("a session that starts, or responds, keeps its file", async () => {
  const starting = leave(JSON.stringify({ pid: process.ppid }));
  const message = `can't start: a session of this project runs already (process ${process.ppid})`;
  await expect(claimSession(starting)).rejects.toThrow(message);
  const server = createServer((request, response) => {
    response.statusCode = request.headers.authorization === "Bearer t" ? 200 : 401;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const content = JSON.stringify({ pid: process.ppid, url, token: "t" });
  const paths = leave(content);
  await expect(claimSession(paths)).rejects.toThrow(message);
  expect(readFileSync(paths.session, "utf8")).toBe(content);
  // Another program listens at the port, and doesn't accept the token.
  leave(JSON.stringify({ pid: process.ppid, url, token: "of a killed session" }));
  await claimSession(paths);
  server.closeAllConnections();
  server.close();
});
