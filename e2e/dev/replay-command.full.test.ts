// `scaffold dev --replay`: the findings of a simulation in the dashboard, without a project and without a cluster.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { hasPty, Pty } from "../../scripts/test-support/pty.ts";
import { checkout, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { send } from "./requests.ts";

const findings = join(checkout, "e2e/dev/testdata/findings.json");
let directory: string;
let child: ChildProcess | undefined;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-replay-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => child?.kill("SIGKILL"));

/** Starts the command, and returns its first line and a function that ends it. */
async function start(...args: string[]) {
  let output = "";
  const started = spawn(process.execPath, [scaffoldBin, "dev", "--replay", ...args], { cwd: directory });
  child = started;
  started.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  const ended = new Promise<number | null>((resolve) => started.once("close", resolve));
  await eventually(() => expect(output).toContain("\n"));
  return {
    ready: JSON.parse(output.split("\n")[0] ?? "") as { event: string; dashboard: string; findings: number },
    async end(signal: NodeJS.Signals) {
      started.kill(signal);
      return [await ended, JSON.parse(output.trim().split("\n").at(-1) ?? "")];
    },
  };
}

/** Opens the dashboard's URL, and returns the headers of later requests. */
async function login(dashboard: string) {
  const { status, headers } = await send(dashboard);
  const [, key] = /^\/replay#key=([\w-]{43})$/.exec(String(headers.location)) ?? [];
  expect([status, key]).toEqual([303, expect.any(String)]);
  return { cookie: headers["set-cookie"]?.[0]?.split(";")[0] ?? "", "x-kubewright-key": String(key) };
}

describe("the server", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("R1: serves the page and its data, and ends with 0 at %s", async (signal) => {
    const { ready, end } = await start(findings, "--json");
    expect(ready).toMatchObject({
      event: "ready",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      dashboard: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/),
      durationMs: expect.any(Number),
      findings: 1,
    });
    const headers = await login(ready.dashboard);
    const { origin } = new URL(ready.dashboard);
    expect((await send(`${origin}/replay`, { headers })).body).toContain("<title>scaffold dev</title>");
    const { body } = await send(`${origin}/api/replay`, { headers });
    expect(JSON.parse(body)).toEqual({ source: findings, ...JSON.parse(readFileSync(findings, "utf8")) });
    expect(await end(signal)).toEqual([0, expect.objectContaining({ event: "stopped", reason: "interrupted" })]);
  });

  it("R2: rejects other hosts and origins, a missing or used token, and requests for a session", async () => {
    const { ready } = await start(findings, "--json");
    const { origin, port } = new URL(ready.dashboard);
    expect((await send(`${origin}/api/replay`)).status).toBe(401);
    expect((await send(`${origin}/replay`)).status).toBe(401);
    const headers = await login(ready.dashboard);
    expect((await send(ready.dashboard)).status).toBe(401);
    const url = `${origin}/api/replay`;
    expect((await send(url, { headers: { ...headers, host: `evil.example:${port}` } })).status).toBe(421);
    expect((await send(url, { headers: { ...headers, origin: "http://evil.example" } })).status).toBe(403);
    const type = { ...headers, "content-type": "application/json" };
    for (const path of ["apply", "delete", "stop", "replay"]) {
      expect((await send(`${origin}/api/${path}`, { method: "POST", headers: type, body: "{}" })).status, path).toBe(
        404,
      );
    }
  });
});

it.runIf(hasPty)("R3: the command prints lines on a terminal, and ends after the key q", async () => {
  const pty = new Pty(`"${process.execPath}" "${scaffoldBin}" dev --replay "${findings}"`, {
    cwd: directory,
    columns: 200,
    env: { NO_COLOR: "1" },
  });
  try {
    await eventually(() => expect(pty.output).toContain("q quit"));
    expect(pty.output).toContain("findings.json: 1 finding\r\ndashboard   http://127.0.0.1:");
    pty.type("q");
    expect(await pty.ended).toBe(0);
    expect(pty.output).toContain("stopped: quit");
  } finally {
    pty.close();
  }
});

it.skipIf(process.platform === "win32")("R6: the command ends with its parent, even if that is killed", async () => {
  const command = `"${process.execPath}" "${scaffoldBin}" dev --replay "${findings}" --json & echo "$!"; wait`;
  const parent = spawn("sh", ["-c", command], { cwd: directory });
  child = parent;
  let output = "";
  parent.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  const closed = new Promise((resolve) => parent.stdout.once("close", resolve));
  await eventually(() => expect(output).toContain('"event":"ready"'));
  const pid = Number(/^(\d+)$/m.exec(output)?.[1]);
  parent.kill("SIGKILL");
  try {
    // The output is closed when the last process that has it ends.
    await closed;
    expect(output).toContain('"reason":"the parent process has ended"');
  } finally {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
});

describe("wrong calls", () => {
  const failed = async (...args: string[]) => {
    const { code, stderr } = await run(process.execPath, [scaffoldBin, "dev", ...args], { cwd: directory });
    return [code, stderr];
  };
  const hint = "\n  hint: create the file: npx scaffold simulate --json > findings.json\n";

  it("R4: print a one-line error for a file that isn't a report", async () => {
    writeFileSync(join(directory, "text.json"), "schedules 3");
    writeFileSync(join(directory, "other.json"), '{"schedules":1,"seconds":1,"faults":{},"findings":[{}]}');
    expect(await failed("--replay", "none.json")).toEqual([
      2,
      `error: can't replay none.json: the file doesn't exist${hint}`,
    ]);
    expect(await failed("--replay", "text.json")).toEqual([
      2,
      expect.stringMatching(/^error: can't replay text\.json: .*JSON.*\n {2}hint: .*\n$/),
    ]);
    expect(await failed("--replay", "other.json")).toEqual([
      2,
      `error: can't replay other.json: findings[0].file: must be a string${hint}`,
    ]);
  });

  it("R5: print an error for flags of a session", async () => {
    for (const flag of [["--cluster"], ["--engine", "binaries"], ["--reset"], ["--webhook-url", "https://x"]]) {
      const [code, text] = await failed("--replay", findings, ...flag);
      expect([code, text]).toEqual([2, expect.stringContaining(`error: --replay excludes ${flag[0]}: `)]);
    }
    expect((await failed("--replay", findings, "--", "--x"))[0]).toBe(2);
  });
});
