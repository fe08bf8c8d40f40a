import type { Clock, Timer } from "../../clock/clock.ts";
import { Actor, type Lane } from "./actor.ts";
import { TimerHeap, type VirtualTimer } from "./timer-heap.ts";

/**
 * Number of steps after which a delay ends early. A loop of writes between the operator and the cluster takes no virtual
 * time, so without this limit it could keep a delay from ending.
 */
const longestHold = 300;

/** Initial time of the wall clock. */
const epoch = Date.UTC(2026, 0, 1);

/**
 * Holds everything that is pending between the operator, the server and the user, and lets one step happen at a time.
 * Virtual time advances only when nothing else can happen.
 */
export class Scheduler {
  readonly #lanes: Lane[] = [];
  readonly #timers = new TimerHeap();
  readonly #choose: (count: number) => number;
  readonly #start: number;
  #now = 0;
  readonly #holds: Hold[] = [];
  #paused = 0;
  /** Number of actors that are stopped for good. */
  #stopped = 0;
  /** The actor of the current step. */
  actor: Actor;
  steps = 0;
  /** Time at which the last delay or pause ended. */
  lastRelease = 0;

  /**
   * @param initial - the actor before the first step
   * @param choose - chooses one of several steps
   * @param nature - changes the initial time of the wall clock
   */
  constructor(initial: Actor, choose: (count: number) => number, nature = 0) {
    this.#start = epoch + nature * 1000;
    this.actor = initial;
    this.#choose = choose;
  }

  /** Time in milliseconds since the start. */
  get now(): number {
    return this.#now;
  }

  /** Time of the wall clock in milliseconds since 1970. */
  get time(): number {
    return this.#start + this.#now;
  }

  /** Whether steps wait for the end of a delay or of a pause. */
  get isHolding(): boolean {
    return this.#holds.length > 0 || this.#paused > 0;
  }

  /** Adds a step to a lane. */
  push(lane: Lane, step: () => void): void {
    if (lane.actor.isEnded) return;
    lane.steps.push(step);
    if (lane.steps.length === 1 && !lane.isHeld) this.#lanes.push(lane);
  }

  /** Drops the steps of a lane. */
  clear(lane: Lane): void {
    lane.steps.length = 0;
    this.#withdraw(lane);
  }

  /** Delays a lane by a virtual time in milliseconds. */
  hold(lane: Lane, milliseconds: number): void {
    if (lane.isHeld) return;
    lane.isHeld = true;
    this.#withdraw(lane);
    const timer = this.after(milliseconds, () => this.#release(hold));
    const hold: Hold = { lane, timer, lastStep: this.steps + longestHold };
    this.#holds.push(hold);
  }

  #release(hold: Hold): void {
    const index = this.#holds.indexOf(hold);
    if (index < 0) return;
    this.#holds.splice(index, 1);
    this.#timers.cancel(hold.timer);
    this.lastRelease = this.#now;
    hold.lane.isHeld = false;
    if (hold.lane.steps.length > 0) this.#lanes.push(hold.lane);
  }

  /** Stops an actor for a virtual time in milliseconds, as when its machine is suspended. */
  pause(actor: Actor, milliseconds: number): void {
    if (actor.isPaused) return;
    actor.isPaused = true;
    this.#paused++;
    this.after(milliseconds, () => {
      this.#paused--;
      this.lastRelease = this.#now;
      actor.isPaused = false;
      for (const call of actor.late.splice(0)) this.#run(actor, call);
    });
  }

  /** Stops an actor for good. Nothing waits for it. */
  stop(actor: Actor): void {
    if (actor.isPaused) return;
    actor.isPaused = true;
    this.#stopped++;
  }

  /** Ends an actor: its steps and timers never happen. */
  end(actor: Actor): void {
    actor.isEnded = true;
    for (let index = this.#lanes.length - 1; index >= 0; index--) {
      if (this.#lanes[index]?.actor === actor) this.#lanes.splice(index, 1);
    }
  }

  /** Calls a function after a virtual time in milliseconds, independently of actors. */
  after(milliseconds: number, call: () => void, actor: Actor = world, isBackground = false): VirtualTimer {
    return this.#timers.add(this.#now + Math.max(0, milliseconds), actor, call, isBackground);
  }

  /** Returns the clock of an actor. */
  clock(actor: Actor): Clock {
    const clock = (isBackground: boolean): Clock => ({
      now: () => this.#now,
      date: () => new Date(this.time),
      setTimeout: (callback, milliseconds) => this.after(milliseconds, callback, actor, isBackground),
      clearTimeout: (timer: Timer | undefined) => this.#timers.cancel(timer as VirtualTimer | undefined),
    });
    return { ...clock(false), background: clock(true) };
  }

  /** Whether something can happen without an advance of time. */
  get isBusy(): boolean {
    return this.#lanes.some(({ actor }) => !actor.isPaused) || this.nextTimer <= this.#now;
  }

  /** Time of the next timer, infinite without one. */
  get nextTimer(): number {
    return this.#timers.first?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Time of the next timer that can have an effect, infinite without one. */
  get nextEffect(): number {
    return this.#timers.nextEffect;
  }

  /** Lets time in milliseconds pass, as a request takes some. */
  elapse(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Advances the time, if no timer is due before. */
  advanceTo(time: number): void {
    this.#now = Math.max(this.#now, Math.min(time, this.nextTimer));
  }

  /**
   * Lets one thing happen: a step, or the next timer. Call it when all promises have settled.
   *
   * @returns false if nothing is pending
   */
  turn(): boolean {
    const ready = this.#paused + this.#stopped > 0 ? this.#lanes.filter(({ actor }) => !actor.isPaused) : this.#lanes;
    const isDue = this.nextTimer <= this.#now;
    const count = ready.length + (isDue ? 1 : 0);
    this.steps++;
    const [longest] = this.#holds;
    if (longest && this.steps > longest.lastStep) this.#release(longest);
    if (count === 0) {
      if (!this.#timers.first) return false;
      this.#fire();
      return true;
    }
    const chosen = this.#choose(count);
    const lane = ready[chosen];
    if (!lane) {
      this.#fire();
      return true;
    }
    const step = lane.steps.shift() as () => void;
    this.#withdraw(lane);
    if (lane.steps.length > 0) this.#lanes.push(lane);
    this.#run(lane.actor, step);
    return true;
  }

  #fire(): void {
    const timer = this.#timers.pop() as VirtualTimer;
    this.#now = Math.max(this.#now, timer.at);
    const { actor, call } = timer;
    if (actor.isEnded) return;
    if (actor.isPaused) actor.late.push(call);
    else this.#run(actor, call);
  }

  #run(actor: Actor, step: () => void): void {
    if (actor.isEnded) return;
    this.actor = actor;
    step();
  }

  #withdraw(lane: Lane): void {
    const index = this.#lanes.indexOf(lane);
    if (index >= 0) this.#lanes.splice(index, 1);
  }
}

/** A delay of a lane. */
interface Hold {
  lane: Lane;
  timer: VirtualTimer;
  /** The step after which it ends early. */
  lastStep: number;
}

/** The owner of timers that don't belong to an actor of the schedule. */
const world = new Actor("world");

/** Resolves when all promises have settled that wait for nothing else. */
export function drained(): Promise<void> {
  // Node.js runs the queue of ticks when the queue of promises is empty.
  return new Promise((resolve) => process.nextTick(resolve));
}
