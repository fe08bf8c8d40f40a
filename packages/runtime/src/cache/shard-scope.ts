import type { KubernetesObject } from "../api/index.ts";
import { linkSignals, unlessAborted } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import { errorText } from "../log/error-text.ts";
import type { Logger } from "../log/logger.ts";
import { everything, type HashRange, mergeRanges, subtractRanges } from "../shards/ranges.ts";
import { type ShardKey, shardSelector } from "../shards/selector.ts";
import { type ListPage, type ListWatch, listPages } from "./list-watch.ts";
import type { ReflectorTarget } from "./reflector.ts";
import { type HashedValue, isObjectIn } from "./shard-keys.ts";
import { versionNumber } from "./version.ts";

/** The store of a scope, as a filter in front of it uses it. */
export interface ShardTarget extends ReflectorTarget {
  /** Stores an object of the list of a range. */
  add(object: KubernetesObject): void;
  /** Whether the store has the object. */
  has(object: KubernetesObject): boolean;
  /** Drops objects without events: they still exist. */
  drop(isDropped: (object: KubernetesObject) => boolean): void;
}

/** A reflector that can continue its watch with another selector. */
export interface RestartableReflector {
  run(signal: AbortSignal): Promise<void>;
  restart(): void;
}

export interface ShardScopeOptions {
  target: ShardTarget;
  listWatch: ListWatch;
  /** The hashed values of the kind's uses. */
  values: readonly HashedValue[];
  /** The ranges of this process when the scope starts. */
  ranges: readonly HashRange[];
  newReflector: (listWatch: ListWatch, target: ReflectorTarget) => RestartableReflector;
  clock: Clock;
  log: Logger;
  /** Called for each received object that belongs to another replica. */
  onFiltered: () => void;
  /** Called when it is known whether the server filters. */
  onServerSide: (isServerSide: boolean) => void;
}

type Change = readonly [type: "set" | "remove", object: KubernetesObject];

/** A range that is being listed. Its changes are applied after the list. */
interface Acquisition {
  readonly ranges: readonly HashRange[];
  changes: Change[];
  /** The objects of a list that the reflector has received in the meantime. */
  relisted: ListPage | undefined;
  /** Resolves when the ranges are in the store, or were released. */
  finished: Promise<void>;
  done: () => void;
}

const longestPause = 10_000;

/** Keeps the objects of some ranges in a scope of an informer, and lists ranges that are added. */
export class ShardScope implements ReflectorTarget {
  readonly #options: ShardScopeOptions;
  readonly #selectorKey: ShardKey | undefined;
  #held: HashRange[] = [];
  #acquisition: Acquisition | undefined;
  #isServerSide: boolean | undefined;
  #reflector: RestartableReflector | undefined;
  #running: ReturnType<typeof linkSignals> | undefined;
  #isListed = false;
  #wake: () => void = () => {};

  constructor(options: ShardScopeOptions) {
    this.#options = options;
    const [value, ...others] = options.values;
    this.#selectorKey = others.length === 0 && value !== "owner" ? value : undefined;
    if (options.ranges.length > 0) this.#acquisition = newAcquisition(options.ranges);
  }

  /** The ranges whose objects are in the store. */
  get held(): readonly HashRange[] {
    return this.#held;
  }

  /** Whether an object belongs to the ranges in the store. */
  holds(object: KubernetesObject): boolean {
    return isObjectIn(this.#held, object, this.#options.values);
  }

  /** Lists and watches while there are ranges, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { newReflector, target } = this.#options;
    while (!signal.aborted) {
      if (!this.#acquisition && this.#held.length === 0) {
        this.#isListed = false;
        // Without a range, there is nothing to wait for.
        target.replace([], "");
        await this.#nextRange(signal);
        continue;
      }
      await this.#detect(signal);
      if (signal.aborted) return;
      this.#running = linkSignals(signal);
      this.#isListed = false;
      this.#reflector = newReflector(this.#listWatch(), this);
      await this.#reflector.run(this.#running.signal);
      this.#running.release();
    }
  }

  /** Lists ranges with a consistent read. Resolves when their objects are in the store, or when the signal aborts. */
  async acquire(ranges: readonly HashRange[], signal: AbortSignal): Promise<void> {
    await this.#acquired(signal);
    if (signal.aborted) return;
    const missing = subtractRanges(ranges, this.#held);
    if (missing.length === 0) return;
    const acquisition = newAcquisition(missing);
    this.#acquisition = acquisition;
    // The first range needs no list of its own: the reflector begins with one.
    if (!this.#isListed) this.#wake();
    else await this.#listRange(acquisition, signal);
    await this.#acquired(signal);
    if (signal.aborted && this.#acquisition === acquisition) {
      this.#acquisition = undefined;
      this.#restart();
    }
  }

  /** Drops the objects of some ranges, also if they are being listed. */
  release(ranges: readonly HashRange[]): void {
    const { target } = this.#options;
    this.#held = subtractRanges(this.#held, ranges);
    const acquisition = this.#acquisition;
    if (acquisition && subtractRanges(acquisition.ranges, ranges).length === 0) {
      this.#acquisition = undefined;
      acquisition.done();
    }
    target.drop((object) => !this.holds(object));
    this.#restart();
  }

  replace(objects: KubernetesObject[], resourceVersion: string): void {
    const { target, values } = this.#options;
    const acquisition = this.#acquisition;
    const isFirst = !this.#isListed;
    this.#isListed = true;
    if (acquisition && isFirst) {
      this.#held = mergeRanges([...this.#held, ...acquisition.ranges]);
      this.#acquisition = undefined;
    } else if (acquisition) {
      const items = objects.filter((object) => isObjectIn(acquisition.ranges, object, values));
      acquisition.relisted = { items, resourceVersion };
      acquisition.changes = [];
    }
    target.replace(
      objects.filter((object) => this.#isOwn(object)),
      resourceVersion,
    );
    if (isFirst) acquisition?.done();
  }

  set(object: KubernetesObject): void {
    const { target, values } = this.#options;
    if (this.holds(object)) target.set(object);
    else if (this.#acquisition && isObjectIn(this.#acquisition.ranges, object, values)) {
      this.#acquisition.changes.push(["set", object]);
    } else {
      this.#options.onFiltered();
      // Its controller has changed, so that it belongs to another replica.
      if (target.has(object)) target.remove(object);
    }
  }

  remove(object: KubernetesObject): void {
    const { target, values } = this.#options;
    if (this.holds(object) || target.has(object)) target.remove(object);
    else if (this.#acquisition && isObjectIn(this.#acquisition.ranges, object, values)) {
      this.#acquisition.changes.push(["remove", object]);
    } else this.#options.onFiltered();
  }

  progress(resourceVersion: string): void {
    this.#options.target.progress(resourceVersion);
  }

  #isOwn(object: KubernetesObject): boolean {
    if (this.holds(object)) return true;
    this.#options.onFiltered();
    return false;
  }

  /** Resolves when the range that is being listed is in the store. */
  async #acquired(signal: AbortSignal): Promise<void> {
    while (this.#acquisition && !signal.aborted) await unlessAborted(this.#acquisition.finished, signal, () => {});
  }

  async #nextRange(signal: AbortSignal): Promise<void> {
    const next = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await unlessAborted(next, signal, () => {});
  }

  /** Lists a range in pages, while the watch collects its changes. */
  async #listRange(acquisition: Acquisition, signal: AbortSignal): Promise<void> {
    const { clock, log, listWatch } = this.#options;
    this.#restart();
    for (let failures = 0; !signal.aborted && this.#acquisition === acquisition; failures++) {
      try {
        const listed: ListPage = { items: [], resourceVersion: "" };
        for await (const page of listPages(listWatch, { shardSelector: this.#selector(acquisition.ranges), signal })) {
          for (const item of page.items) listed.items.push(item);
          listed.resourceVersion = page.resourceVersion;
        }
        if (this.#acquisition === acquisition && !signal.aborted) this.#finish(acquisition, listed);
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.warn("List of a range failed", { error: errorText(error), failures });
        await sleep(clock, Math.min(250 * 2 ** failures, longestPause), signal);
      }
    }
  }

  #finish(acquisition: Acquisition, listed: ListPage): void {
    const { target, values, onFiltered } = this.#options;
    const { ranges, changes, relisted, done } = acquisition;
    const base = relisted && !isOlder(relisted.resourceVersion, listed.resourceVersion) ? relisted : listed;
    this.#held = mergeRanges([...this.#held, ...ranges]);
    this.#acquisition = undefined;
    for (const object of base.items) {
      if (isObjectIn(ranges, object, values)) target.add(object);
      else onFiltered();
    }
    for (const [type, object] of changes) {
      if (isOlder(base.resourceVersion, object.metadata?.resourceVersion)) target[type](object);
    }
    done();
  }

  #restart(): void {
    if (this.#held.length === 0 && !this.#acquisition) this.#running?.abort();
    // Without the server's help, the stream is the same.
    else if (this.#isServerSide) this.#reflector?.restart();
  }

  /** Returns the selector of requests, if the server supports one. */
  #selector(ranges: readonly HashRange[]): string | undefined {
    return this.#isServerSide && this.#selectorKey ? shardSelector(this.#selectorKey, ranges) : undefined;
  }

  #listWatch(): ListWatch {
    const { listWatch } = this.#options;
    const selector = (): string | undefined => this.#selector([...this.#held, ...(this.#acquisition?.ranges ?? [])]);
    return {
      list: (request) => listWatch.list({ ...request, shardSelector: selector() }),
      watch: (request) => listWatch.watch({ ...request, shardSelector: selector() }),
    };
  }

  /** Finds out whether the server filters, by one list of one object. */
  async #detect(signal: AbortSignal): Promise<void> {
    const { listWatch, log, onServerSide } = this.#options;
    if (this.#isServerSide !== undefined || !this.#selectorKey) return;
    const half = shardSelector(this.#selectorKey, [{ start: everything.start, end: everything.end / 2n }]);
    try {
      const page = await listWatch.list({ limit: 1, shardSelector: half, signal });
      this.#isServerSide = page.shardSelector === half;
    } catch (error) {
      // The kind may not be installed yet. The process filters until the next start.
      log.debug("The support of shard selectors is unknown", { error: errorText(error) });
      return;
    }
    onServerSide(this.#isServerSide);
    log.info("Found out who filters the objects of other replicas", { serverSide: this.#isServerSide });
  }
}

function newAcquisition(ranges: readonly HashRange[]): Acquisition {
  let done = (): void => {};
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { ranges, changes: [], relisted: undefined, finished, done };
}

function isOlder(version: string | undefined, than: string | undefined): boolean {
  const [number, other] = [versionNumber(version), versionNumber(than)];
  return number === undefined || other === undefined || number < other;
}
