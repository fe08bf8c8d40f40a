import type { UpgradeVariation } from "../report/upgrade-variation.ts";
import { ofUpgrade, type Violation } from "../report/verdict.ts";
import type { OperatorProcess } from "../world/process.ts";
import type { RunWorld } from "../world/run-world.ts";
import { isBookkeeping } from "../world/target.ts";
import { applyDefinitions } from "./apply-definitions.ts";
import type { UpgradePlan } from "./upgrade-plan.ts";
import { changesDefinitions, newName, type Version } from "./version.ts";

/** Which version has the work: an old one, the new one, or an old one after a rollback. */
export type Stage = "old" | "new" | "back";

/** The parts of a run that its upgrade uses. */
export interface UpgradeParts {
  readonly world: RunWorld;
  readonly plan: UpgradePlan;
  /** The old versions, oldest first. */
  readonly old: readonly Version[];
  readonly next: Version;
  /** The processes that run. The upgrade adds and removes some. */
  readonly processes: OperatorProcess[];
  /** Returns the processes of a version, which don't run. */
  create(version: Version): OperatorProcess[];
}

/** Virtual time in milliseconds from new definitions to the start of a version. */
const establishTime = 1000;
/** Virtual time in milliseconds for which the old version continues before an interrupted upgrade is repeated. */
const repeatTime = 20_000;

/** Lets one version of the operator take over from another one, as the plan of the schedule demands. */
export class UpgradeRun {
  readonly plan: UpgradePlan;
  readonly next: Version;
  /** The versions that run one after another. */
  readonly sequence: readonly Version[];
  stage: Stage = "old";
  /** Whether both versions run. */
  isOverlapping = false;
  /** The variations that have happened. */
  readonly happened: Set<UpgradeVariation> = new Set();
  /** Called when the definitions have changed. */
  onDefinitions: () => Promise<void> = async () => {};
  readonly #parts: UpgradeParts;
  #at = 0;
  /** How often the scenario has waited until the world is settled. */
  settles = 0;
  #writes = 0;
  #pending = 0;
  /** Number of changes of plan. Timers of before do nothing. */
  #turn = 0;
  #isDone = false;

  /** @param parts - the parts of the run */
  constructor(parts: UpgradeParts) {
    this.#parts = parts;
    this.plan = parts.plan;
    this.next = parts.next;
    const old = parts.plan.path.map((index) => parts.old[index] as Version);
    this.sequence = parts.plan.stays ? old : [...old, parts.next];
  }

  /** Begins to observe writes, after which the new version can end. Checks must see them before. */
  observe(): void {
    const { world, processes } = this.#parts;
    world.timeline.subscribe((_entry, cause) => {
      if (!cause || !("write" in cause) || isBookkeeping(cause.write)) return;
      const process = processes.find(({ actor }) => actor === cause.actor);
      if (process?.version === newName && process.reconciles.size > 0) this.#onWrite(process);
    });
  }

  /** The version that has the work, or takes over. */
  get current(): Version {
    return this.sequence[this.#at] as Version;
  }

  /** The old version that the new one replaces. */
  get last(): Version {
    return this.sequence[this.plan.stays ? this.sequence.length - 1 : this.sequence.length - 2] as Version;
  }

  /** The names of the old versions. */
  get from(): string[] {
    return this.plan.path.map((index) => (this.#parts.old[index] as Version).name);
  }

  /** Whether a part of the upgrade is still to come. */
  get isPending(): boolean {
    return this.#pending > 0;
  }

  /** Identifies a settled state: the version, and the number of the wait of the scenario. */
  get label(): string {
    return `${this.stage === "new" ? newName : this.current.name} ${this.settles}`;
  }

  /** Notes that the scenario waits until the world is settled. Returns whether the upgrade happens now. */
  waits(isLast: boolean): boolean {
    this.settles++;
    if (this.#isDone || (this.settles < this.plan.point && !isLast)) return false;
    this.#isDone = true;
    return this.sequence.length > 1;
  }

  /** Whether another version takes over. */
  get hasNext(): boolean {
    return this.#at < this.sequence.length - 1;
  }

  /** Whether the old version still works when the next one takes over. */
  get isBusy(): boolean {
    return this.#isLastUpgrade && this.#has("busy");
  }

  get #isLastUpgrade(): boolean {
    return !this.plan.stays && this.#at === this.sequence.length - 2;
  }

  #has(name: UpgradeVariation): boolean {
    return this.plan.variations.includes(name);
  }

  /** Lets the next version take over. */
  begin(): void {
    const isLast = this.#isLastUpgrade;
    const from = this.current;
    this.#at++;
    const to = this.current;
    this.#parts.world.timeline.add("simulation", "upgrade", "", "", `${from.name} → ${to.name}`);
    if (isLast) this.stage = "new";
    if (isLast && this.isBusyPlan) this.happened.add("busy");
    if (isLast && this.#has("skip")) this.happened.add("skip");
    void this.#upgrade(from, to, isLast);
  }

  get isBusyPlan(): boolean {
    return this.#has("busy");
  }

  async #upgrade(from: Version, to: Version, isLast: boolean): Promise<void> {
    const turn = ++this.#turn;
    const has = (name: UpgradeVariation): boolean => isLast && this.#has(name);
    this.#pending++;
    if (has("crds-kept")) this.happened.add("crds-kept");
    else if (has("crds-last")) {
      this.happened.add("crds-last");
      this.#later(this.plan.crdsAfter, () => this.#apply(to));
    } else if (changesDefinitions(from, to)) {
      if (has("crds-first")) this.happened.add("crds-first");
      await this.#apply(to);
      await new Promise<void>((resolve) => this.#parts.world.scheduler.after(establishTime, resolve));
    }
    this.#pending--;
    if (turn === this.#turn) this.#takeOver(to, isLast);
  }

  #takeOver(to: Version, isLast: boolean): void {
    const { processes } = this.#parts;
    const old = [...processes];
    if (!isLast || !this.#has("overlap")) {
      if (isLast && this.#has("replace")) this.happened.add("replace");
      this.#end(old);
      this.#start(to);
      return;
    }
    this.happened.add("overlap");
    this.isOverlapping = true;
    this.#start(to);
    this.#later(this.plan.overlapFor, async () => {
      this.#parts.world.timeline.add("simulation", "upgrade", "", "", `${this.last.name} ends`);
      this.isOverlapping = false;
      this.#end(old);
    });
  }

  /** Calls a function later, unless the upgrade takes another turn meanwhile. The world isn't settled before. */
  #later(milliseconds: number, call: () => Promise<void>): void {
    const turn = this.#turn;
    this.#pending++;
    this.#parts.world.scheduler.after(milliseconds, () => {
      const isDue = turn === this.#turn;
      void (isDue ? call() : Promise.resolve()).then(() => {
        this.#pending--;
      });
    });
  }

  #start(version: Version): void {
    for (const process of this.#parts.create(version)) {
      this.#parts.processes.push(process);
      this.#parts.world.timeline.add(process.name, "start");
      process.start();
    }
  }

  #end(ended: readonly OperatorProcess[]): void {
    const { processes } = this.#parts;
    for (const process of ended) {
      const index = processes.indexOf(process);
      if (index < 0) continue;
      processes.splice(index, 1);
      process.end();
      this.#parts.world.timeline.add(process.name, "exit", "", "", "the version is replaced");
    }
  }

  async #apply(version: Version): Promise<void> {
    const problem = await applyDefinitions(this.#parts.world, version);
    if (problem !== undefined) this.#violated({ invariant: ofUpgrade.definitions, message: problem });
    else await this.onDefinitions();
  }

  #violated(violation: Violation): void {
    this.#parts.world.verdict.violated(violation);
  }

  /** Notes a write of the new version, after which it can end. */
  #onWrite(process: OperatorProcess): void {
    if (this.stage !== "new" || this.#parts.world.verdict.isOver) return;
    this.#writes++;
    const { interruptAfter, rollbackAfter, repeats } = this.plan;
    if (this.#has("interrupt") && !this.happened.has("interrupt") && this.#writes === interruptAfter) {
      this.happened.add("interrupt");
      if (!repeats) {
        this.#parts.world.timeline.add("simulation", "upgrade", "", "", `${process.name} ends after its write`);
        process.crash(0);
      } else this.#repeat();
      return;
    }
    if (this.#has("rollback") && rollbackAfter > 0 && this.#writes === rollbackAfter) this.rollBack();
  }

  /** Ends the new version, lets the old one continue, and repeats the upgrade. */
  #repeat(): void {
    this.#turn++;
    const { processes, world } = this.#parts;
    this.isOverlapping = false;
    this.#end(processes.filter(({ version }) => version === newName));
    world.timeline.add("simulation", "upgrade", "", "", `${newName} ends after its write, ${this.last.name} continues`);
    if (processes.length === 0) this.#start(this.last);
    this.#later(repeatTime, async () => {
      world.timeline.add("simulation", "upgrade", "", "", `${this.last.name} → ${newName}`);
      void this.#upgrade(this.last, this.next, true);
    });
  }

  /** Whether the old version takes over again, now that the new one has settled. */
  get mustRollBack(): boolean {
    return this.stage === "new" && this.#has("rollback");
  }

  /** Lets the old version take over again. */
  rollBack(): void {
    const { world, processes } = this.#parts;
    const turn = ++this.#turn;
    this.happened.add("rollback");
    this.isOverlapping = false;
    world.timeline.add("simulation", "rollback", "", "", `${newName} → ${this.last.name}`);
    this.#end([...processes]);
    this.stage = "back";
    this.#at = this.sequence.length - 2;
    this.#pending++;
    void this.#startOld(turn);
  }

  async #startOld(turn: number): Promise<void> {
    const { scheduler } = this.#parts.world;
    if (this.#has("crds-back")) {
      this.happened.add("crds-back");
      await this.#apply(this.last);
      await new Promise<void>((resolve) => scheduler.after(establishTime, resolve));
    }
    this.#pending--;
    if (turn === this.#turn) this.#start(this.last);
  }
}
