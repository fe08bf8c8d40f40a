import type { FaultName } from "./fault-names.ts";
import { SeededRandom } from "./random.ts";

/**
 * The decisions of a schedule that differ from the default: which of the pending steps comes next, and which faults happen.
 * Together with the seed, they determine a run.
 */
export interface Decisions {
  /** Positions in the list of pending steps, by the number of the decision. The default is the oldest step. */
  readonly order: ReadonlyMap<number, number>;
  /** Variants of faults, by `name at place#number` of the opportunity. By default, none happens. */
  readonly faults: ReadonlyMap<string, number>;
}

/** No decision: the run without faults. */
export const noDecisions: Decisions = { order: new Map(), faults: new Map() };

/** Returns the name of the fault of a decision. */
export function nameOfFault(key: string): string {
  return key.slice(0, key.indexOf(" at "));
}

/** How often a fault may happen, and how likely it is at each opportunity. */
interface Intensity {
  budget: number;
  probability: number;
}

/** Probability of the default in the details of a fault. */
const usual = 0.4;

/** Source streams of one seed. Separate ones keep a run similar when decisions of another kind are removed. */
const streams = { order: 1, faults: 2, world: 3, server: 4, operator: 5 } as const;

/** Makes the decisions of a run, or repeats given ones, and records those that differ from the default. */
export class Choices {
  readonly order: Map<number, number> = new Map();
  readonly faults: Map<string, number> = new Map();
  /** Numbers of the scenario, the server and the operator. They depend only on the seed. */
  readonly world: SeededRandom;
  readonly server: SeededRandom;
  readonly operator: SeededRandom;
  readonly #given: Decisions | undefined;
  readonly #orderRandom: SeededRandom;
  readonly #faultRandom: SeededRandom;
  readonly #plan = new Map<FaultName, Intensity>();
  readonly #laziness: number;
  /** How often a fault could have happened, by its name and place. */
  readonly #opportunities = new Map<string, number>();
  /** Whether faults may happen now. */
  mayFail = true;
  #turns = 0;

  /**
   * @param seed - the seed
   * @param enabled - the faults that may happen
   * @param given - decisions to repeat; without them, new ones are made from the seed
   * @param nature - seed of the numbers of server and operator, on which a correct operator doesn't depend
   */
  constructor(seed: number, enabled: readonly FaultName[], given?: Decisions, nature: number = seed) {
    this.#given = given;
    this.world = new SeededRandom(seed, streams.world);
    this.server = new SeededRandom(nature, streams.server);
    this.operator = new SeededRandom(nature, streams.operator);
    this.#orderRandom = new SeededRandom(seed, streams.order);
    this.#faultRandom = new SeededRandom(seed, streams.faults);
    this.#laziness = [0, 0.5, 0.9][this.#orderRandom.below(3)] as number;
    this.#makePlan(enabled);
    this.planned = [...this.#plan.keys()];
  }

  /** The faults that may happen in this schedule. */
  readonly planned: readonly FaultName[];

  /** Chooses one of several pending steps. */
  next(count: number): number {
    const turn = this.#turns++;
    if (this.#given) {
      const chosen = Math.min(this.#given.order.get(turn) ?? 0, count - 1);
      if (chosen > 0) this.order.set(turn, chosen);
      return chosen;
    }
    if (count === 1) return 0;
    const chosen = this.#orderRandom.next() < this.#laziness ? 0 : this.#orderRandom.below(count);
    if (chosen > 0) this.order.set(turn, chosen);
    return chosen;
  }

  /**
   * Decides whether a fault happens.
   *
   * @param name - the fault
   * @param place - where it can happen. The opportunities of each place are counted separately, so that a shorter schedule
   * repeats the faults of a place although those of another one are removed
   * @param variants - number of its variants
   * @param likelihood - factor of its probability
   * @returns 0 for no fault, otherwise the number of the variant
   */
  fault(name: FaultName, place: string, variants = 1, likelihood = 1): number {
    const intensity = this.#plan.get(name);
    if (!intensity || !this.mayFail) return 0;
    const key = this.#opportunity(name, place);
    const variant = this.#given
      ? Math.min(this.#given.faults.get(key) ?? 0, variants)
      : this.#drawn(intensity, variants, likelihood);
    if (variant > 0) this.faults.set(key, variant);
    return variant;
  }

  /**
   * Chooses how a fault happens. It is a part of the fault, so it doesn't count as another one.
   *
   * @param name - the fault
   * @param place - where it happens
   * @param variants - number of the variants in addition to the default
   * @returns 0 for the default, otherwise the number of the variant
   */
  detail(name: FaultName, place: string, variants: number): number {
    const key = this.#opportunity(name, `${place}, detail`);
    const chosen = this.#given ? Math.min(this.#given.faults.get(key) ?? 0, variants) : this.#drawnDetail(variants);
    if (chosen > 0) this.faults.set(key, chosen);
    return chosen;
  }

  /** Returns the key of the next opportunity at a place. */
  #opportunity(name: FaultName, place: string): string {
    const at = `${name} at ${place}`;
    const number = this.#opportunities.get(at) ?? 0;
    this.#opportunities.set(at, number + 1);
    return `${at}#${number}`;
  }

  #drawnDetail(variants: number): number {
    return this.#faultRandom.next() < usual ? 0 : 1 + this.#faultRandom.below(variants);
  }

  #drawn(intensity: Intensity, variants: number, likelihood: number): number {
    if (intensity.budget === 0) return 0;
    if (this.#faultRandom.next() >= intensity.probability * likelihood) return 0;
    intensity.budget--;
    return 1 + this.#faultRandom.below(variants);
  }

  /** Chooses few kinds of faults: schedules with all kinds at once hide what one kind alone would show. */
  #makePlan(enabled: readonly FaultName[]): void {
    if (enabled.length === 0) return;
    const random = this.#faultRandom;
    const left = [...enabled];
    const roll = random.next();
    const count = roll < 0.3 ? 1 : roll < 0.65 ? 2 : roll < 0.9 ? 3 : left.length;
    while (left.length > 0 && this.#plan.size < count) {
      const [name] = left.splice(random.below(left.length), 1) as [FaultName];
      const probability = [0.03, 0.1, 0.3, 0.6][random.below(4)] as number;
      this.#plan.set(name, { budget: 1 + random.below(4), probability });
    }
  }
}
