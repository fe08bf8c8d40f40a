import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOfProcess } from "@kubewright/apiserver/process";
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

const own = { pid: process.pid, started: startOfProcess(process.pid) };
const unused = "http://127.0.0.1:1";

it.each(["", "{", "null", "[]", "7", '"text"', '{"pid":"x"}', '{"pid":1.5}'])(
  "ignores and replaces a broken session file: %s",
  async (content) => {
    const paths = leave(content);
    expect(runningSession(root)).toBeUndefined();
    await claimSession(paths);
    expect(JSON.parse(readFileSync(paths.session, "utf8"))).toEqual(own);
  },
);

it.each([
  ["this process", process.pid],
  ["another program", process.ppid],
])("a killed session whose process ID has %s is replaced", async (_title, pid) => {
  const paths = leave(JSON.stringify({ pid, url: unused, token: "t" }));
  await claimSession(paths);
  expect(JSON.parse(readFileSync(paths.session, "utf8"))).toEqual(own);
});

it.skipIf(own.started === "")("a session that was killed while it started is replaced at once", async () => {
  const paths = leave(JSON.stringify({ pid: process.ppid, started: "1" }));
  await claimSession(paths);
  expect(JSON.parse(readFileSync(paths.session, "utf8"))).toEqual(own);
});

it.each([-2, 2])("a session that starts keeps its file if the clock jumps by %s years", async (years) => {
  const paths = leave(JSON.stringify({ pid: process.ppid, started: startOfProcess(process.ppid) }));
  const before = new Date(Date.now() - years * 365 * 86_400_000);
  utimesSync(paths.session, before, before);
  await expect(claimSession(paths)).rejects.toThrow("a session of this project runs already");
  expect(JSON.parse(readFileSync(paths.session, "utf8"))).toMatchObject({ pid: process.ppid });
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
