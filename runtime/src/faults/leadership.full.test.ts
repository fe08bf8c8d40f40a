import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestEnvironment } from "../envtest/index.ts";
import type { LeaseDurations } from "../leader-election/options.ts";
import { widgetCRD } from "../manager/widget.fixture.ts";
import { type Fault, type FightReport, fight } from "./election-fight.ts";
import { leaderAt, termsOf } from "./terms.ts";

// KUBEWRIGHT_TAKE_OVERS=50 is the long form.
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
 * A process may be stopped between the question whether it may act and the act, and do it when it wakes up: one act, because one
 * is asked for at a time. Only the server could prevent that.
 */
function excused(name: string): number {
  return report.fighters.find((one) => one.name === name)?.fault === "stop" ? 1 : 0;
}

describe("two managers that fight for a lease", { sequential: true }, () => {
  it("M12: one takes over after the other, as often as its leader is struck", () => {
    const leaders = termsOf(report.leases).filter(({ leader }) => leader !== "");
    expect(leaders.length).toBeGreaterThan(takeOvers);
    expect(new Set(leaders.map(({ leader }) => leader)).size).toBe(leaders.length);
    const working = new Set(report.ledger.flatMap(({ object }) => object.data?.holder ?? []));
    expect(working.size).toBeGreaterThan(takeOvers);
  });

  it("M7: a process that has lost the lease ends with code 1 and a reason; one that released it ends with 0", () => {
    for (const { exitCode, output } of report.fighters) {
      if (exitCode === null) continue;
      expect(exitCode).toBe(output.includes("leader election lost") ? 1 : 0);
    }
    expect(report.fighters.filter(({ exitCode }) => exitCode === 1).length).toBeGreaterThan(0);
  });

  it("nothing is started or written when the last renewal is older than the renew deadline", () => {
    const renewals = new Map<string, number[]>();
    for (const { object } of report.leases) {
      const { candidate = "" } = object.metadata.labels ?? {};
      const at = Date.parse(object.spec?.renewTime ?? "");
      renewals.set(candidate, [...(renewals.get(candidate) ?? []), at]);
    }
    const isLate = (name: string, lease: LeaseDurations, at: number): boolean => {
      const age = at - Math.max(...(renewals.get(name) ?? []).filter((renewed) => renewed <= at));
      // Both clocks count whole milliseconds.
      return !(age <= lease.renewDeadline + 2);
    };
    for (const { name, lease, starts } of report.fighters) {
      const written = report.ledger.filter(({ object }) => object.data?.holder === name);
      const times = written.map(({ object }) => Number(object.data?.at));
      expect(starts.filter((at) => isLate(name, lease, at)).length, name).toBeLessThanOrEqual(excused(name));
      expect(times.filter((at) => isLate(name, lease, at)).length, name).toBeLessThanOrEqual(excused(name));
    }
    expect(report.fighters.flatMap(({ starts }) => starts).length).toBeGreaterThan(5 * takeOvers);
  });

  it("no reconcile of a leader begins after the first one of the next", () => {
    const spans = report.fighters
      .filter(({ starts }) => starts.length > 0)
      .map(({ name, starts }) => {
        const counted = [...starts].sort((a, b) => a - b).slice(0, starts.length - excused(name));
        return { name, first: starts[0]!, last: counted.at(-1) ?? starts[0]! };
      })
      .sort((a, b) => a.first - b.first);
    const overlaps = spans.slice(1).filter(({ first }, index) => first <= spans[index]!.last);
    expect(overlaps).toEqual([]);
  });

  it("in the server's order every write lies within its writer's own term", () => {
    const terms = termsOf(report.leases);
    const strange = report.ledger.filter(({ version, object }) => {
      const { holder } = object.data ?? {};
      return holder !== undefined && holder !== leaderAt(terms, version);
    });
    for (const { name } of report.fighters) {
      const own = strange.filter(({ object }) => object.data?.holder === name);
      expect(own.length, `${name}, by ${own.map(({ version }) => version)}`).toBeLessThanOrEqual(excused(name));
    }
  });
});
