// Availability under attack: a manager with webhooks, metrics and a controller within the limits of its scaffolded Deployment. The API
// server sends it 20 reviews and 20 changes per second, and attackers hold 500 connections.
//   node --import tsx bench/security.ts [--seconds N] [--only none,all,…] [--managers ours,Go] [--connections N] [--from other|same] [--logs DIR]
// The peer is a manager on controller-runtime within the limits of kubebuilder's scaffold. `--from same` gives the attackers the address
// of the API server. Needs Linux, a built checkout and KUBEBUILDER_ASSETS; root for the limits by cgroup.
// Exits 1 if ours loses a review, answers later than 500 ms (p99), misses a change, exceeds its memory limit or ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createTransport } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { root } from "../scripts/lib/run.mjs";
import { freePort } from "../scripts/test-support/free-port.ts";
import { createCgroup } from "./lib/cgroup.ts";
import { absent, mebibytes, missed, ms, save, table } from "./lib/results.ts";
import { percentile } from "./lib/statistics.ts";
import { type Plan, planOf, type Scenario, scenarios } from "./security/lib/attacks.ts";
import { changeHostileObjects, createHostileObjects } from "./security/lib/hostile-objects.ts";
import { Load } from "./security/lib/load.ts";
import { type AttackedManager, buildOurs, buildTheirs, type Manifests } from "./security/lib/managers.ts";
import { SupervisedManager } from "./security/lib/supervised.ts";

/** Reviews per second, and changes per second. */
const rate = 20;
/** Milliseconds for 99 of 100 reviews. */
const reviewLimit = 500;
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
/** Seconds of load before the attack, which aren't counted. */
const warmUp = 3;

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "30" },
    only: { type: "string", default: scenarios.map(({ id }) => id).join(",") },
    managers: { type: "string", default: "ours,Go" },
    connections: { type: "string", default: "500" },
    from: { type: "string", default: "other" },
    logs: { type: "string" },
    json: { type: "string" },
  },
});
const chosen = flags.only.split(",").map((id) => {
  const selected = scenarios.find((scenario) => scenario.id === id);
  if (!selected) throw new Error(`--only ${id}: must be one of ${scenarios.map((scenario) => scenario.id).join(", ")}`);
  return selected;
});
if (!["other", "same"].includes(flags.from)) throw new Error(`--from ${flags.from}: must be other or same`);
if (process.platform !== "linux") throw new Error("the benchmark reads /proc: it needs Linux");

const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-security-"));
const logs = flags.logs ?? scratch;
mkdirSync(logs, { recursive: true });

/** The results of a scenario. */
interface Measured {
  readonly sent: number;
  readonly lost: number;
  /** Milliseconds of the reviews; `NaN` if all are lost. */
  readonly p50: number;
  readonly p99: number;
  readonly changes: number;
  readonly unreconciled: number;
  readonly changeP99: number;
  readonly peakMiB: number;
  /** How often the manager has ended, and how often for memory. */
  readonly ended: number;
  readonly oomKills: number;
  readonly probes: { readonly sent: number; readonly failed: number };
}

/** Starts the attackers. Resolves, when they attack, to a function that stops them. */
async function attack(plan: readonly Plan[]): Promise<() => Promise<void>> {
  const args = ["--no-warnings", "--import", "tsx", join(root, "bench/security/attacker.ts"), JSON.stringify(plan)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  await Promise.race([
    once(child.stdout, "data"),
    exited.then(([code]) => Promise.reject(new Error(`the attackers ended with ${code}`))),
  ]);
  return async () => {
    child.kill("SIGKILL");
    await exited;
  };
}

/** Gives this process and its children precedence over other work on the machine, which must not look like an attack. */
function takePrecedence(): void {
  try {
    setPriority(-10);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
    absent("not root: other work on the machine counts as part of the attack");
  }
}

/** Runs a scenario on a manager with its own API server and etcd. Resolves to the measurements. */
async function measure(manifests: Manifests, manager: AttackedManager, scenario: Scenario): Promise<Measured> {
  const environment = new TestEnvironment({
    engine: "binaries",
    crdDirectoryPaths: [manifests.crds],
    webhookInstallOptions: {
      paths: [manifests.webhooks],
      convertibleKinds: [{ group: "bench.kubewright.dev", kind: "Order" }],
    },
    controlPlaneStartTimeout: 60_000,
  });
  await environment.start();
  try {
    return await measureOn(environment, manager, scenario);
  } finally {
    await environment.stop();
  }
}

async function measureOn(
  environment: TestEnvironment,
  manager: AttackedManager,
  scenario: Scenario,
): Promise<Measured> {
  const { localServingPort, localServingCertDir } = environment.webhookInstallOptions;
  const ports = { webhook: localServingPort, metrics: await freePort(), health: await freePort() };
  const cgroup = createCgroup(`kubewright-bench-${process.pid}`, manager.limits);
  const supervised = new SupervisedManager(manager, {
    args: [
      "--leader-elect",
      `--metrics-bind-address=:${ports.metrics}`,
      `--health-probe-bind-address=:${ports.health}`,
      `--webhook-port=${ports.webhook}`,
      `--webhook-cert-path=${localServingCertDir}`,
    ],
    env: { KUBECONFIG: environment.kubeconfigPath },
    cgroup,
    healthPort: ports.health,
    log: join(logs, `${manager.name}-${scenario.id}.log`),
  });
  const load = new Load(environment.config);
  const transport = createTransport(environment.config);
  const tenant = new AbortController();
  let end = async (): Promise<void> => {};
  try {
    await supervised.start();
    await load.prepare();
    if (scenario.isHostile) {
      await createHostileObjects(transport);
      // A start with hostile objects is part of the attack, but waiting for the previous lease isn't.
      await supervised.restart(() => transport.request({ method: "DELETE", path: leases }));
    }
    if (!scenario.isHostile) await load.run(warmUp, rate, false);
    const plan = planOf(scenario, Number(flags.connections), ports, flags.from === "same");
    if (plan.length > 0) end = await attack(plan);
    if (scenario.isHostile) changeHostileObjects(transport, tenant.signal);
    await load.run(Number(flags.seconds), rate);
    const unreconciled = await load.settle();
    const result = {
      sent: load.reviewsSent,
      lost: load.lost.length,
      p50: percentile(load.reviewTimes, 0.5),
      p99: percentile(load.reviewTimes, 0.99),
      changes: load.changesSent,
      unreconciled: unreconciled + load.changesFailed.length,
      changeP99: percentile(load.changeTimes, 0.99),
      peakMiB: supervised.peakMiB,
      ended: supervised.ended,
      oomKills: cgroup?.oomKills() ?? 0,
      probes: supervised.probes,
    };
    for (const [reason, count] of reasons([...load.lost, ...load.changesFailed])) {
      process.stderr.write(`  ${count} × ${reason}\n`);
    }
    return result;
  } finally {
    tenant.abort();
    await end();
    await supervised.stop();
    await load.close();
    await transport.close();
    cgroup?.remove();
  }
}

/** Counts the messages without their connection-specific parts. */
function reasons(messages: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const same = message.replace(/^(Internal error occurred: )+/, "").replace(/(127\.0\.0\.1):\d+/g, "$1");
    counts.set(same, (counts.get(same) ?? 0) + 1);
  }
  return counts;
}

/** Describes the limits that a result misses. */
function missedBy({ limits }: AttackedManager, measured: Measured): string[] {
  const { lost, sent, p99, unreconciled, changes, peakMiB, ended } = measured;
  return [
    lost > 0 && `${lost} of ${sent} reviews lost: none may be lost`,
    !(p99 <= reviewLimit) && `p99 of the reviews is ${shownMs(p99)}: at most ${reviewLimit} ms are allowed`,
    unreconciled > 0 && `${unreconciled} of ${changes} changes not reconciled`,
    peakMiB >= limits.memoryMiB && `RSS of ${mebibytes(peakMiB)}: the limit is ${limits.memoryMiB} MiB`,
    ended > 0 && `the manager ended ${ended} times`,
  ].filter((text) => text !== false);
}

const shownMs = (value: number): string => (Number.isNaN(value) ? "–" : ms(value));

function cells(scenario: Scenario, manager: AttackedManager, measured: Measured): string[] {
  const { sent, lost, p50, p99, changes, unreconciled, changeP99, peakMiB, ended, oomKills, probes } = measured;
  return [
    scenario.name,
    manager.name,
    `${lost} of ${sent}`,
    shownMs(p50),
    shownMs(p99),
    `${unreconciled} of ${changes}`,
    shownMs(changeP99),
    `${peakMiB.toFixed(0)} of ${manager.limits.memoryMiB} MiB`,
    `${probes.failed} of ${probes.sent}`,
    ended === 0 ? "0" : `${ended}${oomKills > 0 ? `, ${oomKills} for memory` : ""}`,
  ];
}

try {
  const { manager: ours, manifests } = await buildOurs(scratch);
  const wanted = flags.managers.split(",");
  const theirs = wanted.includes("Go") ? await buildTheirs(scratch) : undefined;
  if (wanted.includes("Go") && !theirs) absent("controller-runtime is left out: `go` isn't on PATH");
  const managers = [...(wanted.includes("ours") ? [ours] : []), ...(theirs ? [theirs] : [])];
  const probe = createCgroup(`kubewright-bench-${process.pid}`, ours.limits);
  if (!probe) absent("no cgroup can be written: ours gets V8's heap for its memory limit, and no limit of CPU");
  probe?.remove();

  takePrecedence();
  const rows: string[][] = [];
  table(
    [
      "attack",
      "manager",
      "reviews lost",
      "p50",
      "p99",
      "changes missed",
      "reconciled, p99",
      "RSS, highest",
      "probes failed",
      "ended",
    ],
    rows,
  );
  for (const manager of managers) {
    for (const scenario of chosen) {
      const measured = await measure(manifests, manager, scenario);
      const row = cells(scenario, manager, measured);
      rows.push(row);
      console.log(row.join(" | "));
      save();
      if (manager !== ours) continue;
      for (const text of missedBy(manager, measured)) missed(`${scenario.name}: ${text}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
