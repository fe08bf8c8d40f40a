import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestEnvironment } from "../../src/envtest/index.ts";
import type { LeaseDurations } from "../../src/leader-election/options.ts";
import { widgetCRD } from "../../src/manager/widget.fixture.ts";
import { type Fault, type FightReport, fight, leastWrites } from "./election-fight.ts";
import { leaderAt, termsOf } from "./terms.ts";

// KUBEWRIGHT_TAKE_OVERS=50 runs the long version.
const takeOvers = Number(process.env.KUBEWRIGHT_TAKE_OVERS ?? 5);
const faults: readonly Fault[] = ["stop", "kill", "cut off", "release", "stop"];
const leases: readonly LeaseDurations[] = [
  { leaseDuration: 2000, renewDeadline: 1200, retryPeriod: 300 },
  { leaseDuration: 3000, renewDeadline: 1500, retryPeriod: 400 },
  { leaseDuration: 1000, renewDeadline: 600, retryPeriod: 150 },
];

const environment = new TestEnvironment({ crds: [widgetCRD] });
let report: FightReport;

beforeAll(
  async () => {
    await environment.start();
    const round = (_: unknown, index: number) => ({
      fault: faults[index % faults.length]!,
      lease: leases[index % leases.length]!,
    });
    report = await fight({ environment, faults: Array.from({ length: takeOvers }, round) });
  },
  120_000 + takeOvers * 20_000,
);

afterAll(() => environment.stop());

/**
 * Returns the number of late actions that are allowed for a process.
 * The system may stop a process after it has checked its leadership and before it acts, so that it acts after it is resumed. This
 * affects one action, because each action has its own check. Only the server could prevent it.
 */
function allowedLateActions(name: string): number {
  return report.fighters.find((one) => one.name === name)?.fault === "stop" ? 1 : 0;
}

describe("two managers that compete for a lease", { sequential: true }, () => {
  it("M12: take over from each other after each fault of the leader", () => {
    const leaders = termsOf(report.leases).filter(({ leader }) => leader !== "");
    expect(leaders.length).toBeGreaterThan(takeOvers);
    expect(new Set(leaders.map(({ leader }) => leader)).size).toBe(leaders.length);
    const working = new Set(report.ledger.flatMap(({ object }) => object.data?.holder ?? []));
    expect(working.size).toBeGreaterThan(takeOvers);
  });

  it("M7: exit with 1 after losing the lease, and with 0 after releasing it", () => {
    for (const { exitCode, output } of report.fighters) {
      if (exitCode === null) continue;
      expect(exitCode).toBe(output.includes("leader election lost") ? 1 : 0);
    }
    expect(report.fighters.filter(({ exitCode }) => exitCode === 1).length).toBeGreaterThan(0);
  });

  it("start and write nothing if the last renewal is older than the renew deadline", () => {
    const renewals = new Map<string, number[]>();
    for (const { object } of report.leases) {
      const { candidate = "" } = object.metadata.labels ?? {};
      const at = Date.parse(object.spec?.renewTime ?? "");
      renewals.set(candidate, [...(renewals.get(candidate) ?? []), at]);
    }
    const isLate = (name: string, lease: LeaseDurations, at: number): boolean => {
      const age = at - Math.max(...(renewals.get(name) ?? []).filter((renewed) => renewed <= at));
      // Both clocks are rounded to milliseconds.
      return !(age <= lease.renewDeadline + 2);
    };
    for (const { name, lease, starts } of report.fighters) {
      const written = report.ledger.filter(({ object }) => object.data?.holder === name);
      const times = written.map(({ object }) => Number(object.data?.at));
      expect(starts.filter((at) => isLate(name, lease, at)).length, name).toBeLessThanOrEqual(allowedLateActions(name));
      expect(times.filter((at) => isLate(name, lease, at)).length, name).toBeLessThanOrEqual(allowedLateActions(name));
    }
    expect(report.fighters.flatMap(({ starts }) => starts).length).toBeGreaterThanOrEqual(
      leastWrites * (takeOvers + 1),
    );
  });

  it("start no reconcile after the first reconcile of the next leader", () => {
    const spans = report.fighters
      .filter(({ starts }) => starts.length > 0)
      .map(({ name, starts }) => {
        const counted = [...starts].sort((a, b) => a - b).slice(0, starts.length - allowedLateActions(name));
        return { name, first: starts[0]!, last: counted.at(-1) ?? starts[0]! };
      })
      .sort((a, b) => a.first - b.first);
    const overlaps = spans.slice(1).filter(({ first }, index) => first <= spans[index]!.last);
    expect(overlaps).toEqual([]);
  });

  it("write only during their own terms, in the order of the server's versions", () => {
    const terms = termsOf(report.leases);
    const outsideOfTerm = report.ledger.filter(({ version, object }) => {
      const { holder } = object.data ?? {};
      return holder !== undefined && holder !== leaderAt(terms, version);
    });
    for (const { name } of report.fighters) {
      const own = outsideOfTerm.filter(({ object }) => object.data?.holder === name);
      expect(own.length, `${name}, by ${own.map(({ version }) => version)}`).toBeLessThanOrEqual(
        allowedLateActions(name),
      );
    }
  });
});
