import type { Timer } from "../../clock/clock.ts";
import type { Actor } from "./actor.ts";

/** A timer of the virtual time. */
export interface VirtualTimer extends Timer {
  readonly at: number;
  readonly sequence: number;
  readonly actor: Actor;
  readonly call: () => void;
  /** Whether it belongs to work that has no effect on anything else. */
  readonly isBackground: boolean;
  isCancelled: boolean;
}

/** Timers, the earliest first, and in the order of their creation at the same time. */
export class TimerHeap {
  readonly #timers: VirtualTimer[] = [];
  #sequence = 0;

  add(at: number, actor: Actor, call: () => void, isBackground = false): VirtualTimer {
    const sequence = this.#sequence++;
    const timer: VirtualTimer = { at, actor, call, isBackground, sequence, isCancelled: false, unref() {} };
    const heap = this.#timers;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(timer, heap[parent] as VirtualTimer)) break;
      heap[index] = heap[parent] as VirtualTimer;
      index = parent;
    }
    heap[index] = timer;
    return timer;
  }

  cancel(timer: VirtualTimer | undefined): void {
    if (timer) timer.isCancelled = true;
  }

  /** The next timer. */
  get first(): VirtualTimer | undefined {
    while (this.#timers[0]?.isCancelled || this.#timers[0]?.actor.isEnded) this.#remove();
    return this.#timers[0];
  }

  /** Time of the next timer that isn't in the background, infinite without one. */
  get nextEffect(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { at, actor, isBackground, isCancelled } of this.#timers) {
      if (at < next && !isBackground && !isCancelled && !actor.isEnded) next = at;
    }
    return next;
  }

  pop(): VirtualTimer | undefined {
    const { first } = this;
    if (first) this.#remove();
    return first;
  }

  #remove(): void {
    const heap = this.#timers;
    const last = heap.pop() as VirtualTimer;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as VirtualTimer, heap[child] as VirtualTimer)) child++;
      if (!isBefore(heap[child] as VirtualTimer, last)) break;
      heap[index] = heap[child] as VirtualTimer;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(one: VirtualTimer, other: VirtualTimer): boolean {
  return one.at < other.at || (one.at === other.at && one.sequence < other.sequence);
}
