import type { RunChecks } from "./checks/run-checks.ts";
import type { AmbientFaults } from "./faults/ambient.ts";
import { realImmediate } from "./globals.ts";
import type { RunSettings } from "./run-settings.ts";
import { drained } from "./schedule/scheduler.ts";
import type { UpgradeChecks } from "./upgrade/upgrade-checks.ts";
import type { UpgradeRun } from "./upgrade/upgrade-run.ts";
import { newName } from "./upgrade/version.ts";
import { leader } from "./world/lease.ts";
import type { OperatorProcess } from "./world/process.ts";
import type { RunWorld } from "./world/run-world.ts";
import type { ScenarioWait } from "./world/scenario-wait.ts";
import { horizonOf } from "./world/times.ts";

/** The parts of a run that its driver uses. */
export interface DrivenRun {
  readonly world: RunWorld;
  readonly processes: readonly OperatorProcess[];
  /** Whether the processes elect a leader. */
  readonly leaderElection: boolean;
  readonly ambient: AmbientFaults;
  readonly checks: RunChecks;
  readonly wait: ScenarioWait;
  readonly settings: RunSettings;
  readonly upgrade?: DrivenUpgrade | undefined;
}

/** An upgrade of the operator, and its checks. */
export interface DrivenUpgrade {
  readonly run: UpgradeRun;
  readonly checks: UpgradeChecks;
  /** Notes the present state. */
  note(label: string): void;
}

/** Lets the events of a run happen, one at a time. */
export class Driver {
  readonly #run: DrivenRun;

  /** @param run - the parts of the run */
  constructor(run: DrivenRun) {
    this.#run = run;
  }

  /** Lets things happen until the condition is met, or a rule is broken. */
  async drive(isDone: () => boolean): Promise<void> {
    const { wait } = this.#run;
    const { scheduler, verdict } = this.#run.world;
    let idle = 0;
    for (;;) {
      await drained();
      if (verdict.isOver || isDone()) return;
      const { pending } = wait;
      if (pending?.until !== undefined && !scheduler.isBusy && scheduler.nextTimer > pending.until) {
        scheduler.advanceTo(pending.until);
        wait.end();
        continue;
      }
      if (pending && pending.until === undefined) {
        await this.settled(false);
        if (verdict.isOver) return;
        wait.end();
        continue;
      }
      if (this.#turn()) idle = 0;
      else if (idle++ > 1000) throw new Error("the scenario waits for something that the world doesn't contain");
      else await realImmediate();
    }
  }

  /**
   * Lets things happen until nothing is left to do, then checks the state. If the operator is upgraded now, this happens with each
   * version.
   *
   * @param isLast - whether the scenario has ended
   */
  async settled(isLast: boolean): Promise<void> {
    const { upgrade, world } = this.#run;
    if (!upgrade?.run.waits(isLast)) return this.settle(isLast);
    const { run, checks } = upgrade;
    while (run.hasNext) {
      if (!run.isBusy) await this.settle(false);
      else for (let turn = 0; turn < run.plan.busyAfter && !world.verdict.isOver; turn++) await this.#busyTurn();
      if (world.verdict.isOver) return;
      checks.begin();
      run.begin();
    }
    await this.settle(isLast);
    if (world.verdict.isOver || !run.mustRollBack) return;
    run.rollBack();
    await this.settle(isLast);
  }

  async #busyTurn(): Promise<void> {
    await drained();
    this.#turn();
  }

  /**
   * Lets things happen until nothing is left to do, then checks the state.
   *
   * @param isLast - whether the scenario has ended
   */
  async settle(isLast: boolean): Promise<void> {
    const { world, checks, ambient, processes, settings, upgrade } = this.#run;
    const { choices, timeline, verdict } = world;
    checks.beginSettling();
    await this.#quiet(true);
    const label = upgrade?.run.label ?? "";
    await settings.probe?.({
      label: upgrade?.run.label ?? "",
      ambient,
      quiet: () => this.#quiet(false),
      restart: () => {
        for (const process of processes) process.crash(0);
      },
    });
    checks.settled(isLast);
    await upgrade?.checks.settled();
    upgrade?.note(label);
    if (verdict.isOver) return;
    if (upgrade && upgrade.run.stage !== "new") return;
    // A restart reconciles all objects. It costs time, so not every schedule does it.
    if (settings.expected !== undefined && settings.seed % 4 !== 0) return;
    checks.isIdle = true;
    choices.mayFail = false;
    timeline.add("simulation", "check", "", "", "the operator starts again, and must write nothing");
    for (const process of processes) process.crash(0);
    await this.#quiet(false);
    checks.isIdle = false;
    choices.mayFail = true;
  }

  #turn(): boolean {
    const { checks, settings, world } = this.#run;
    const { scheduler } = world;
    const { maxSteps = 20_000 } = settings.prepared.options;
    const failed = this.#run.processes.find(({ problem }) => problem !== undefined);
    if (failed) {
      throw new Error(`${failed.version || newName}: the program ended before it created a manager: ${failed.problem}`);
    }
    checks.overdue();
    // Timers, renewals and watches also take steps while nothing happens.
    if (scheduler.steps <= maxSteps * (1 + scheduler.now / 3_600_000)) return scheduler.turn();
    checks.exhausted(scheduler.steps);
    return true;
  }

  async #quiet(withFaults: boolean): Promise<void> {
    let rested = false;
    const { world, checks, ambient, processes } = this.#run;
    const { scheduler, verdict } = world;
    for (;;) {
      await drained();
      if (verdict.isOver) return;
      const isQuiet =
        !scheduler.isBusy &&
        !scheduler.isHolding &&
        !this.#run.upgrade?.run.isPending &&
        scheduler.nextEffect > Math.max(checks.lastEffect, scheduler.lastRelease) + horizonOf(processes) &&
        this.#hasLeader() &&
        (checks.shards?.areOwned ?? true);
      // One fault per rest leaves others for later ones.
      if (withFaults && !(isQuiet && rested) && ambient.happen(isQuiet ? "rest" : "other")) {
        rested ||= isQuiet;
        continue;
      }
      if (isQuiet) return;
      if (!this.#turn()) return;
    }
  }

  /** Whether a process leads, if the processes elect a leader. */
  #hasLeader(): boolean {
    const { world, processes, leaderElection } = this.#run;
    const isLeader = ({ identity, isElected, actor, lease }: OperatorProcess): boolean =>
      lease !== undefined && identity === leader(world.api, lease) && isElected && !actor.isEnded;
    return !leaderElection || processes.some(isLeader);
  }
}
