import { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DevProblem } from "@kubewright/dashboard/protocol";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { holdUntilStart } from "../build/hold.ts";
import { endWithSession } from "../build/session-end.ts";
import type { KubeClient } from "../client/kube-client.ts";
import { createSupervisor, type Given, noWebhooks } from "./supervisor.fixture.ts";
import type { ManagerSupervisor } from "./supervisor.ts";

let root: string;
let supervisor: ManagerSupervisor | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-supervisor-"));
});
afterEach(async () => {
  await supervisor?.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Starts a program as the manager. Returns the events and messages, which continue to arrive. */
function run(code: string, given: Given = {}) {
  const path = join(root, "main.mjs");
  writeFileSync(path, `setInterval(() => {}, 1000);\n${code}\n`);
  const created = createSupervisor(root, given);
  supervisor = created.supervisor;
  const bundle = { hash: "1", conversions: "", write: () => path } as unknown as Parameters<
    ManagerSupervisor["start"]
  >[0];
  return { ...created, started: supervisor.start(bundle, performance.now()) };
}

/** Starts a program in place of the running one. */
function replace(code: string): Promise<void> {
  const path = join(root, "next.mjs");
  writeFileSync(path, `${holdUntilStart()}\nsetInterval(() => {}, 1000);\n${code}\n`);
  const bundle = { hash: code, conversions: "", write: () => path } as unknown as Parameters<
    ManagerSupervisor["start"]
  >[0];
  return (supervisor as ManagerSupervisor).start(bundle, performance.now());
}

const report = `process.send({ kubewright: "inspect", message: { type: "started" } });`;

fullTest("reports the start of a slow manager once", async () => {
  const { events, messages, started } = run(`setTimeout(() => { ${report} }, 2000);`, { settleTime: 100 });
  await started;
  expect(events).toMatchObject([{ event: "started", pid: expect.any(Number) }]);
  await expect.poll(() => messages).toEqual(["started", "started"]);
  expect(events).toHaveLength(1);
});

it("waits for a manager that reports its start", async () => {
  const { events, messages, started } = run(`setTimeout(() => { ${report} }, 1500);`);
  const reported = started.then(() => messages.includes("started"));
  expect(await reported).toBe(true);
  expect(events).toHaveLength(1);
});

it("passes a program's lines on before the messages that follow them", async () => {
  const order: string[] = [];
  const { started } = run(
    `${report}
    let count = 0;
    setInterval(() => {
      if (count === 100) return;
      console.log("line " + ++count);
      process.send({ kubewright: "inspect", message: { type: "admission", count } });
    }, 5);`,
    {
      onMessage: (message) => void order.push(`message ${(message as { count?: number }).count}`),
      onLine: (line) => void order.push(line),
    },
  );
  await started;
  // The lines and messages arrive while this process is busy.
  while (!order.includes("line 100")) {
    for (const end = Date.now() + 100; Date.now() < end; );
    await sleep(1);
  }
  const received = () => order.filter((entry) => entry.startsWith("message ") && !entry.includes("undefined"));
  await expect.poll(() => received().length).toBe(100);
  const late = order.filter(
    (entry, index) => entry.startsWith("line") && order.indexOf(entry.replace("line", "message")) < index,
  );
  expect(late).toEqual([]);
});

it("answers a manager that offers webhooks when the cluster calls them, and counts them as configured then", async () => {
  const steps: string[] = [];
  let configured = (): void => {};
  const webhooks = {
    ...noWebhooks,
    serve: ({ port }: { port: number }) => {
      steps.push(`serve ${port}`);
      return new Promise<undefined>((resolve) => {
        configured = () => resolve(undefined);
      });
    },
    serveNothing: async () => void steps.push("serve nothing"),
  };
  const { started } = run(
    `process.send({ kubewright: "webhooks", webhooks: { port: 7, paths: [], definitions: [] } });
    process.on("message", ({ kubewright }) => { if (kubewright === "webhooks") ${report} });`,
    { webhooks },
  );
  await expect.poll(() => steps, { timeout: 20_000 }).toEqual(["serve 7"]);
  const ready = Promise.all([started, supervisor?.webhooksConfigured()]).then(() => steps.push("ready"));
  steps.push("configured");
  configured();
  await ready;
  expect(steps).toEqual(["serve 7", "configured", "ready"]);
});

it("lets requests wait from the end of a manager on, even if it is killed", async () => {
  const steps: string[] = [];
  const { started } = run(report, { webhooks: { ...noWebhooks, hold: () => void steps.push("hold") } });
  await started;
  await supervisor?.webhooksConfigured();
  steps.length = 0;
  process.kill(supervisor?.manager?.pid ?? 0, "SIGKILL");
  await expect.poll(() => steps, { timeout: 20_000 }).toEqual(["hold"]);
});

it("reports that a manager without webhooks serves none", async () => {
  const steps: string[] = [];
  const { started } = run(report, {
    webhooks: { ...noWebhooks, serveNothing: async () => void steps.push("nothing") },
  });
  await started;
  await supervisor?.webhooksConfigured();
  expect(steps).toEqual(["nothing"]);
});

it("keeps the old manager if the new bundle can't be written", async () => {
  const reported: unknown[] = [];
  const { events, started } = run(report, { report: (phase, problems) => void reported.push(phase, ...problems) });
  await started;
  const { pid } = supervisor?.status ?? {};
  reported.length = 0;
  const write = () => {
    throw new Error("ENOSPC: no space left on device, write");
  };
  await supervisor?.start({ hash: "2", conversions: "", write }, performance.now());
  expect(supervisor?.status).toMatchObject({ state: "running", pid });
  expect(reported).toEqual([
    "bundle",
    {
      phase: "bundle",
      message: "can't write the bundle: ENOSPC: no space left on device, write",
      hint: "check the disk, then press r or save a file",
    },
  ]);
  expect(events).toHaveLength(1);
});

it("loads the next manager while the old one stops, and runs its code afterwards", async () => {
  const trace = join(root, "trace");
  const say = (line: string) => `(await import("node:fs")).appendFileSync(${JSON.stringify(trace)}, "${line}\\n");`;
  const { started } = run(`${report}
    process.once("SIGTERM", () => setInterval(async () => {
      if (!existsSync(${JSON.stringify(trace)}) || statSync(${JSON.stringify(trace)}).size === 0) return;
      ${say("old ends")}
      process.exit();
    }, 20));
    const { existsSync, statSync } = await import("node:fs");`);
  await started;
  const path = join(root, "next.mjs");
  writeFileSync(
    path,
    `process.channel.unref();\n${say("next is loaded")}\n${holdUntilStart()}\n${say("next runs")}\nsetInterval(() => {}, 1000);\n${report}\n`,
  );
  await supervisor?.start({ hash: "2", conversions: "", write: () => path }, performance.now());
  expect(readFileSync(trace, "utf8").split("\n")).toEqual(["next is loaded", "old ends", "next runs", ""]);
});

it("the next manager begins with the faults that the old one had last, even during its stop", async () => {
  const say = (faults: object[], then = "undefined") =>
    `process.send({ kubewright: "inspect", faults: ${JSON.stringify(faults)} }, ${then});`;
  const until = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const conflict = { fault: "conflict", kind: "Game", apiVersion: "example.com/v1" };
  const others = [
    { fault: "unavailable", until: until(90) },
    { fault: "webhook-down", until: until(-1) },
  ];
  const { started } = run(`${say([{ ...conflict, left: 3 }, ...others])} ${report}
    process.once("SIGTERM", () => { ${say([{ ...conflict, left: 2 }, ...others], "() => process.exit()")} });`);
  await started;
  expect(supervisor?.faults).toEqual([{ ...conflict, left: 3 }, others[0]]);
  const path = join(root, "faults");
  const write = `writeFileSync(${JSON.stringify(path)}, process.env.KUBEWRIGHT_INSPECT_FAULTS);`;
  await replace(`(await import("node:fs")).${write} ${report}`);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual([
    { ...conflict, count: 2 },
    { fault: "unavailable", seconds: expect.closeTo(60, -2) },
  ]);
  supervisor?.clearFaults();
  expect(supervisor?.faults).toEqual([]);
});

it("lets requests wait for the manager that replaces another, and for none after a failed start", async () => {
  const { started } = run(`${report} process.once("SIGTERM", () => setTimeout(process.exit, 300));`);
  await started;
  const old = await supervisor?.loaded();
  const replaced = replace(`setTimeout(() => { ${report} }, 300);`);
  // The flags are read before the old manager stops.
  await expect.poll(() => supervisor?.loaded().then((manager) => manager === old)).toBe(false);
  expect(supervisor?.manager).toMatchObject({ isInspected: true });
  await replaced;
  await replace(`process.exit(1);`);
  expect(await supervisor?.loaded()).toBe(undefined);
});

it("doesn't wait for the webhooks of a manager that has ended", async () => {
  const { started } = run("process.exit(1);");
  await started;
  await supervisor?.webhooksConfigured();
});

fullTest("reports a manager whose code blocks the event loop, and replaces it at once", async () => {
  const reported: { message?: string }[][] = [];
  const { started } = run(
    // A run of the tests that is interrupted must not leave it.
    `${endWithSession(process.pid)}\nprocess.send({ kubewright: "inspect", message: { type: "started" } }, () => { for (;;); });`,
    { report: (_phase, problems) => void reported.push([...problems]) },
  );
  await started;
  await expect
    .poll(() => reported.at(-1))
    .toEqual([
      {
        phase: "manager",
        message: "the manager doesn't answer: its code blocks the event loop, or a debugger has stopped it",
      },
    ]);
  const path = join(root, "next.mjs");
  writeFileSync(path, `setInterval(() => {}, 1000);\n${report}\n`);
  const kill = vi.spyOn(ChildProcess.prototype, "kill");
  onTestFinished(() => kill.mockRestore());
  await supervisor?.start({ hash: "2", conversions: "", write: () => path }, performance.now());
  // A graceful stop begins with SIGTERM.
  expect(kill.mock.calls).toEqual([["SIGKILL"]]);
  expect(reported.at(-1)).toEqual([]);
});

describe("a manager that can't reach the API server", () => {
  const unavailable = (milliseconds: number) =>
    `process.send({ kubewright: "inspect", faults: [${JSON.stringify({ fault: "unavailable", until: new Date(Date.now() + milliseconds).toISOString() })}] });`;
  const server = { request: async () => ({}) } as unknown as KubeClient;

  /** Starts a manager under a fault that lasts for some time. Returns what is reported, and the number of restarts. */
  async function underFault(milliseconds: number, code = "") {
    const seen = { problems: [] as DevProblem[], restarts: 0 };
    const { started } = run(`${unavailable(milliseconds)} ${report} ${code}`, {
      report: (_, problems) => void seen.problems.push(...problems),
      restart: () => void seen.restarts++,
      client: () => server,
    });
    await started;
    return seen;
  }

  fullTest("because of a fault starts again when the fault is over, without another save", async () => {
    const seen = await underFault(3000);
    await replace("process.exit(1);");
    await expect
      .poll(() => seen.problems)
      .toEqual([
        {
          phase: "manager",
          message: "the manager ended with exit code 1",
          hint: "it starts again when the fault unavailable ends: npx scaffold dev fault clear",
        },
      ]);
    await expect.poll(() => seen.restarts, { timeout: 20_000 }).toBe(1);
    expect(supervisor?.faults).toEqual([]);
  });

  it("because of a fault starts again when the fault is cleared", async () => {
    const seen = await underFault(600_000);
    await replace("process.exit(1);");
    await expect.poll(() => seen.problems).toHaveLength(1);
    expect(seen.restarts).toBe(0);
    supervisor?.clearFaults();
    await expect.poll(() => seen.restarts).toBe(1);
  });

  it("and crashes during a fault starts again, unless another start or the end of the session comes first", async () => {
    const seen = await underFault(600_000, "setTimeout(() => process.exit(3), 200);");
    await expect.poll(() => seen.problems).toHaveLength(1);
    await replace(`${unavailable(600_000)} ${report}`);
    supervisor?.clearFaults();
    await supervisor?.stop();
    expect(seen.restarts).toBe(0);
  });

  fullTest("because the server has ended starts again when it responds", async () => {
    let isUp = false;
    let restarts = 0;
    const client = () =>
      ({ request: async () => (isUp ? {} : Promise.reject(new Error("ECONNREFUSED"))) }) as unknown as KubeClient;
    const { events, started } = run("process.exit(1);", { client, restart: () => void restarts++ });
    await started;
    await expect
      .poll(() => events)
      .toEqual([{ event: "note", message: "the API server doesn't respond: the manager starts again when it does" }]);
    expect(restarts).toBe(0);
    isUp = true;
    await expect.poll(() => restarts, { timeout: 20_000 }).toBe(1);
  });

  it("isn't assumed if the server responds", async () => {
    let restarts = 0;
    let requests = 0;
    const client = () => ({ request: async () => ({ requests: ++requests }) }) as unknown as KubeClient;
    const { events, started } = run("process.exit(1);", { client, restart: () => void restarts++ });
    await started;
    await expect.poll(() => requests).toBe(1);
    expect([events, restarts]).toEqual([[], 0]);
  });
});

describe("a manager whose port another program uses", () => {
  /** Listens as another program. */
  async function occupied(port = 0) {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    return { port: (server.address() as AddressInfo).port, free: () => once(server.close(), "close") };
  }
  const listen = (port: number) =>
    `(await import("node:net")).createServer().listen({ port: ${port}, host: "127.0.0.1" }, () => { ${report} });`;
  const message = (port: number) =>
    `the manager ended with exit code 1: Error: listen EADDRINUSE: address already in use 127.0.0.1:${port}`;

  fullTest("is reported with its port, and starts when the port is free", async () => {
    const { port, free } = await occupied();
    const reported: unknown[] = [];
    let restarts = 0;
    const host = { report: (_: unknown, problems: readonly object[]) => void reported.push(...problems) };
    const { events, started } = run(listen(port), { ...host, restart: () => void restarts++ });
    await started;
    await expect
      .poll(() => reported)
      .toEqual([
        {
          phase: "manager",
          message: message(port),
          hint: "stop the program that uses the port: the manager starts when it is free",
        },
      ]);
    await sleep(1500);
    expect([restarts, events]).toEqual([0, []]);
    await free();
    await expect.poll(() => restarts).toBe(1);
    await sleep(1500);
    expect(restarts).toBe(1);
  });

  it("doesn't start again if it uses the port twice itself", async () => {
    const reported: object[] = [];
    let restarts = 0;
    const { port, free } = await occupied();
    await free();
    const twice = `const net = await import("node:net");
      const first = net.createServer().listen(${port}, "127.0.0.1", () => net.createServer().listen(${port}, "127.0.0.1"));`;
    const host = { report: (_: unknown, problems: readonly object[]) => void reported.push(...problems) };
    await run(twice, { ...host, restart: () => void restarts++ }).started;
    await expect.poll(() => reported).toEqual([{ phase: "manager", message: message(port) }]);
    await sleep(1500);
    expect(restarts).toBe(0);
  });
});
