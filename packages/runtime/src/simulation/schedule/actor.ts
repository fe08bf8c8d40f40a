/** Something that has its own timers and steps, and can be paused or ended: a process of the operator, or the cluster. */
export class Actor {
  readonly name: string;
  isPaused = false;
  isEnded = false;
  /** Timers that were due during a pause. */
  readonly late: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }
}

/** Steps that happen in order. Steps of different lanes can happen in any order. */
export class Lane {
  readonly actor: Actor;
  readonly steps: (() => void)[] = [];
  isHeld = false;

  constructor(actor: Actor) {
    this.actor = actor;
  }
}
