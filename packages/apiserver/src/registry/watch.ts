import { pipeTo } from "../model/pipe.ts";
import type { AnswerStream, StreamChunk, StreamSink } from "../model/request.ts";
import { StatusError } from "../model/status.ts";
import type { ListOptions } from "../request/options.ts";
import type { EventWriter } from "./event-writer.ts";
import { keyPrefix, parseRevision, seenChange, tooLarge } from "./read.ts";
import type { Scope } from "./scope.ts";
import { type Selection, selectionOf } from "./selection.ts";
import { createTurns } from "./turns.ts";

const bookmarkInterval = 60_000;
/** Time in milliseconds between the last bookmark of a watch and its time limit. */
const lastBookmark = 2000;
/**
 * Number of bookmarks that a watch omits while its resource doesn't change. kube-apiserver sends a bookmark only if the
 * version of its cache exceeds the first version of the watch. That version increases with each change of the resource, and
 * otherwise every 60 to 90 seconds. The silence of an idle watch is therefore at most two minutes.
 */
const omittedBookmarks = 1;
/** The time in which a watch with initial events waits for its resourceVersion. */
const freshTimeout = 3000;

/** A watch: a stream of events. */
export class Watch implements AnswerStream {
  readonly #scope: Scope;
  readonly #options: ListOptions;
  readonly #writer: EventWriter;
  readonly #selection: Selection;
  readonly #prefix: string;
  /** The last revision that the watcher has seen. */
  #position: number;
  /** Whether something has happened since the last look at the changes. */
  #isAwake = false;
  #resume: () => void = () => {};
  readonly #rewinds: number;
  #ended = false;
  #bookmarkDue = false;
  /** Whether an object of the resource has changed since the watch began, in any namespace. */
  #hasChanges = false;
  /** Number of bookmarks that were due so far. */
  #bookmarksDue = 0;
  /** True if the watch ends after the events that exist. */
  #closing = false;
  readonly #cleanups: (() => void)[] = [];
  #cancelBookmark: () => void = () => {};

  /**
   * @param scope - the request
   * @param options - its options
   * @param writer - writes the events
   * @throws StatusError for malformed options
   */
  constructor(scope: Scope, options: ListOptions, writer: EventWriter) {
    this.#scope = scope;
    this.#options = options;
    this.#writer = writer;
    this.#selection = selectionOf(scope, options);
    this.#prefix = keyPrefix(scope, options);
    this.#position = options.resourceVersion === "" ? 0 : parseRevision(options.resourceVersion);
    this.#rewinds = scope.collection.rewinds;
    const { engine, request } = scope;
    const end = (): void => this.#end();
    const close = (): void => this.#close();
    const listen = (signal: AbortSignal | undefined, listener: () => void): void => {
      if (signal === undefined) return;
      signal.addEventListener("abort", listener);
      this.#cleanups.push(() => signal.removeEventListener("abort", listener));
    };
    listen(request.signal, end);
    listen(engine.stopping, end);
    listen(scope.type.retired, close);
    const { timeoutSeconds } = options;
    const limit = timeoutSeconds ? timeoutSeconds * 1000 : (1 + engine.random()) * 1_800_000;
    this.#cleanups.push(engine.after(limit, end, true));
    if (options.allowWatchBookmarks) {
      this.#planBookmark(limit > lastBookmark ? limit - lastBookmark : limit / 2);
    }
    this.#cleanups.push(scope.collection.onChange(() => this.#wake()));
    if (scope.type.retired?.aborted) close();
    // Only now, because it undoes what is above.
    if (limit < 0 || request.signal?.aborted || engine.stopping.aborted) end();
  }

  #wake(): void {
    this.#isAwake = true;
    this.#resume();
  }

  /** @param rest - time in milliseconds until the last bookmark */
  #planBookmark(rest: number): void {
    const delay = Math.min(rest, bookmarkInterval);
    const send = (): void => {
      this.#bookmarkDue = true;
      this.#bookmarksDue++;
      this.#wake();
      if (!this.#ended && rest > delay) this.#planBookmark(rest - delay);
    };
    this.#cancelBookmark = this.#scope.engine.after(delay, send, true);
  }

  #close(): void {
    this.#closing = true;
    this.#wake();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelBookmark();
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamChunk> {
    try {
      if (this.#ended) return;
      yield* this.#initial();
      while (!this.#ended) {
        this.#isAwake = false;
        const events = await this.#pending();
        if (events !== undefined) yield events;
        else if (this.#closing) break;
        // A change can come before the result of the last look.
        else if (!this.#isAwake) await new Promise<void>((resolve) => (this.#resume = resolve));
      }
    } finally {
      this.#end();
    }
  }

  pipe(sink: StreamSink): void {
    pipeTo(this, sink);
  }

  /** The objects that exist when the watch begins, or an error if its beginning is forgotten. */
  async *#initial(): AsyncGenerator<StreamChunk> {
    const { collection, engine } = this.#scope;
    const { sendInitialEvents } = this.#options;
    const given = this.#position;
    const wants = sendInitialEvents ?? given === 0;
    if (!wants) {
      if (given === 0) this.#position = engine.store.revision;
      if (this.#position < Math.max(collection.compacted, engine.store.watchable)) yield this.#expire();
      return;
    }
    if (sendInitialEvents === true && !(await this.#isFresh(given))) {
      this.#end();
      yield this.#writer.error(tooLarge(this.#scope, this.#options.resourceVersion).status());
      return;
    }
    const revision = engine.store.revision;
    const entries = collection.list(this.#prefix);
    this.#position = Math.max(given, revision);
    const turn = createTurns(engine);
    const events: StreamChunk[] = [];
    const { matches, excludes } = this.#selection;
    for (const entry of entries) {
      const others = turn();
      if (others !== undefined) {
        if (events.length > 0) yield joined(events.splice(0)) as StreamChunk;
        await others;
        if (this.#ended) return;
      }
      if (excludes?.(entry.key)) continue;
      const seen = await seenChange(
        this.#scope,
        { revision: 0, time: 0, key: entry.key, entry, deleted: false, previous: undefined },
        matches,
      );
      if (seen !== undefined) events.push(await this.#writer.entry(seen.type, seen.entry));
    }
    if (sendInitialEvents === true && this.#options.allowWatchBookmarks) {
      events.push(this.#bookmark({ "k8s.io/initial-events-end": "true" }));
    }
    if (events.length > 0) yield joined(events) as StreamChunk;
  }

  /** Waits until the server reaches a revision, for a limited time. */
  async #isFresh(revision: number): Promise<boolean> {
    const { engine } = this.#scope;
    if (revision <= engine.store.revision) return true;
    let isLate = false;
    const onTime = (): void => {
      isLate = true;
      this.#wake();
    };
    this.#cleanups.push(engine.after(freshTimeout, onTime, true));
    while (revision > engine.store.revision && !isLate && !this.#ended) {
      await new Promise<void>((resolve) => (this.#resume = resolve));
    }
    return revision <= engine.store.revision;
  }

  /** The events since the last call; undefined if there are none. */
  async #pending(): Promise<StreamChunk | undefined> {
    const { collection, engine } = this.#scope;
    const events: StreamChunk[] = [];
    // Later changes can come while this function waits. A bookmark must not cover them.
    const { revision } = engine.store;
    if (this.#position < collection.compacted || collection.rewinds !== this.#rewinds) return this.#expire();
    const changes = collection.changesSince(this.#position);
    // The list is the collection's own and grows while this function waits.
    const end = changes.length;
    const batch = end > 0 ? changes.slice(0, end) : [];
    this.#hasChanges ||= end > 0;
    const turn = createTurns(engine);
    for (const change of batch) {
      const others = turn();
      if (others !== undefined) await others;
      this.#position = change.revision;
      if (!change.key.startsWith(this.#prefix) || this.#selection.excludes?.(change.key)) continue;
      const seen = await seenChange(this.#scope, change, this.#selection.matches);
      if (seen !== undefined) events.push(await this.#writer.entry(seen.type, seen.entry));
    }
    if (this.#bookmarkDue) {
      this.#bookmarkDue = false;
      if (this.#bookmarksDue <= omittedBookmarks && !this.#hasChanges) return joined(events);
      this.#position = Math.max(this.#position, revision);
      events.push(this.#bookmark(undefined));
    }
    return joined(events);
  }

  #bookmark(annotations: Record<string, string> | undefined): StreamChunk {
    return this.#writer.bookmark({
      resourceVersion: String(this.#position),
      ...(annotations === undefined ? {} : { annotations }),
    });
  }

  #expire(): StreamChunk {
    const { collection, engine } = this.#scope;
    const oldest = Math.max(collection.compacted, engine.store.watchable);
    const error = new StatusError(410, "Expired", `too old resource version: ${this.#position} (${oldest})`);
    this.#end();
    return this.#writer.error(error.status());
  }
}

/** Joins events into one chunk, so that they are sent by one write. */
function joined(events: readonly StreamChunk[]): StreamChunk | undefined {
  if (events.length <= 1) return events[0];
  const isText = (event: StreamChunk): event is string => typeof event === "string";
  return events.every(isText) ? events.join("") : Buffer.concat(events as Uint8Array[]);
}
