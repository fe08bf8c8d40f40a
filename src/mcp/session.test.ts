import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startOfProcess } from "@kubewright/apiserver/process";
import { expect, it, onTestFinished } from "vitest";
import { sessionPaths, writeSecret } from "../dev/setup/files.ts";
import { ProjectSession } from "./session.ts";

const { signal } = new AbortController();

/** Returns a project in which `scaffold dev` ends with an error. */
function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-mcp-session-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const program = join(root, "fails.cjs");
  const end = join(root, "ended");
  writeFileSync(
    program,
    `console.error("error: can't start: a session of this project runs already\\n  hint: use it");
     require("node:fs").writeFileSync(${JSON.stringify(end)}, "");
     process.exitCode = 1;`,
  );
  return { program, root, env: process.env };
}

it("a session that can't start is an error with the reason", async () => {
  await expect(new ProjectSession(place(), []).start(false, signal)).rejects.toMatchObject({
    id: "session-failed",
    message: "can't start: a session of this project runs already",
    hint: "use it",
  });
});

it("dev_start uses a session that another process starts at the same time", async () => {
  const project = place();
  const status = { engine: "embedded", manager: { state: "running" }, errors: [] };
  const server = createServer((_request, response) => response.end(JSON.stringify(status)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const own = { pid: process.pid, started: startOfProcess(process.pid) };
  const path = sessionPaths(project.root).session;
  // The other session has no address yet.
  writeSecret(path, JSON.stringify(own));
  const session = new ProjectSession(project, []);
  const started = session.start(false, signal);
  const { port } = server.address() as AddressInfo;
  await expect.poll(() => existsSync(join(project.root, "ended"))).toBe(true);
  await sleep(500);
  writeSecret(path, JSON.stringify({ ...own, url: `http://127.0.0.1:${port}`, token: "t" }));
  expect(await started).toEqual(status);
  // It isn't the server's session.
  expect(await session.stop()).toBe(false);
});
