import type { OperatorProcess } from "./process.ts";
import type { RunWorld } from "./run-world.ts";

/** Virtual time in milliseconds from one replacement of a rolling update to the next. */
const rolloutStep = 60_000;

/** Changes the number of processes that share the objects. */
export class Replicas {
  readonly #world: RunWorld;
  /** The processes that run, or start again. */
  readonly #processes: OperatorProcess[];
  readonly #create: (number: number) => OperatorProcess;
  readonly #most: number;
  #created: number;
  /** Those that have stopped for good. */
  readonly stopped: OperatorProcess[] = [];

  constructor(world: RunWorld, processes: OperatorProcess[], create: (number: number) => OperatorProcess) {
    this.#world = world;
    this.#processes = processes;
    this.#create = create;
    this.#created = processes.length;
    this.#most = processes.length + 2;
  }

  /** Number of the variants of {@link change}. */
  static readonly variants = 4;

  /**
   * Starts or stops processes: one more, one less with SIGTERM or SIGKILL, or a rolling update.
   *
   * @returns whether something happens
   */
  change(variant: number, process: OperatorProcess): boolean {
    const { timeline, scheduler } = this.#world;
    const count = this.#processes.length;
    if (variant === 4) {
      timeline.fault("rescale", "a rolling update replaces all processes");
      [...this.#processes].forEach((old, index) => {
        scheduler.after(index * rolloutStep, () => {
          this.#add();
          this.#stop(old);
        });
      });
      return true;
    }
    if (variant === 1) {
      if (count >= this.#most) return false;
      timeline.fault("rescale", "one more process starts");
      this.#add();
      return true;
    }
    if (count < 2) return false;
    timeline.fault("rescale", `${process.name} ${variant === 2 ? "stops" : "is killed"}, and doesn't start again`);
    if (variant === 2) this.#stop(process);
    else {
      process.end();
      this.#remove(process);
    }
    return true;
  }

  #add(): void {
    const process = this.#create(++this.#created);
    this.#processes.push(process);
    this.#world.timeline.add(process.name, "start");
    process.start();
  }

  #stop(process: OperatorProcess): void {
    this.#world.timeline.add(process.name, "stop");
    process.stop(() => this.#remove(process));
  }

  #remove(process: OperatorProcess): void {
    const index = this.#processes.indexOf(process);
    if (index < 0) return;
    this.#processes.splice(index, 1);
    this.stopped.push(process);
  }
}
