import type { ServerResponse } from "node:http";
import { getHeapStatistics } from "node:v8";

/** Bytes up to which a body counts as small, as nearly all objects are. */
const smallBody = 64 * 1024;
/** Bytes per second that a body must gain while others wait: an API server sends many times as many. */
const busyRate = 1024 * 1024;
/** Milliseconds without a byte after which a body may lose its permit to others that wait. */
const busySlack = 500;
/** Milliseconds between two searches for such bodies. Searches happen only while a body waits. */
const searchInterval = 50;

/** A body had to make way: the caller may try again. */
export class NoRoomError extends Error {
  override readonly name: string = "NoRoomError";
}

/**
 * Answers with 503. API servers treat that as a webhook that can't be called, so the webhook's failurePolicy applies.
 *
 * @param response - the response, before its head was sent
 * @param error - the reason
 */
export function answerNoRoom(response: ServerResponse, { message }: NoRoomError): void {
  response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8" }).end(`${message}\n`);
}

/** A body that is received, as the limiter controls it. */
export interface ReceivedBody {
  /** Address of the sender. */
  address: string;
  /** Whether the last byte is here already. Such a body never waits. */
  hasArrived(): boolean;
  /** Stops reading from the sender. */
  pause(): void;
  /** Reads again. */
  resume(): void;
  /** Refuses the body: it was too slow while others waited. */
  evict(error: NoRoomError): void;
}

type State = "receiving" | "waiting" | "complete" | "released";

/** The memory that one body holds, from its first byte until its request is answered. */
export class Permit {
  readonly body: ReceivedBody;
  readonly #limiter: MemoryLimiter;
  lane: Lane;
  bytes = 0;
  state: State = "receiving";
  /** Time by which the next byte must arrive, if others wait. */
  due: number = performance.now() + busySlack;

  constructor(limiter: MemoryLimiter, lane: Lane, body: ReceivedBody) {
    this.#limiter = limiter;
    this.lane = lane;
    this.body = body;
  }

  /** Whether the limiter has stopped reading this body. */
  get isWaiting(): boolean {
    return this.state === "waiting";
  }

  /**
   * Counts bytes that were received. May pause this body.
   *
   * @param bytes - the number of bytes
   */
  charge(bytes: number): void {
    this.#limiter.charge(this, bytes);
  }

  /** The body is complete: it keeps its memory and never has to make way. */
  complete(): void {
    if (this.state === "released") return;
    this.state = "complete";
  }

  /** Gives the memory back, once the request is answered or gone. Later calls do nothing. */
  release(): void {
    this.#limiter.release(this);
  }
}

/** The bodies of one class of sizes, and what they may hold together. */
interface Lane {
  size: number;
  held: number;
  /** In the order of their arrival. */
  permits: Set<Permit>;
}

/**
 * Limits the memory of all bodies that are received and answered at a time. It counts the bytes that have arrived, not the length that
 * was announced, so that a client that announces much and sends little takes nothing from others.
 *
 * When the memory is used up, bodies that gain too little per second make way. The others wait without being read from, so that their
 * senders wait too. The first of them always goes on: one body at a time may exceed the limit. Complete bodies never make way.
 * Bodies of up to 64 KiB have a quarter for themselves, so they don't wait for large ones.
 */
export class MemoryLimiter {
  readonly #small: Lane;
  readonly #large: Lane;
  #isSearching = false;

  /** @param size - bytes that all bodies may hold together */
  constructor(size: number) {
    this.#small = { size: size / 4, held: 0, permits: new Set() };
    this.#large = { size: (size * 3) / 4, held: 0, permits: new Set() };
  }

  /** Bytes that bodies hold now. */
  get held(): number {
    return this.#small.held + this.#large.held;
  }

  /** Whether a body waits for memory. Bodies that are received then have to come faster. */
  get isUsedUp(): boolean {
    return hasWaiting(this.#small) || hasWaiting(this.#large);
  }

  /**
   * Begins to count a body.
   *
   * @param body - the body, which may be paused at once
   * @returns its permit, which must be released
   */
  admit(body: ReceivedBody): Permit {
    const permit = new Permit(this, this.#small, body);
    this.#small.permits.add(permit);
    return permit;
  }

  /** See {@link Permit.charge}. */
  charge(permit: Permit, bytes: number): void {
    if (permit.state === "released") return;
    const now = performance.now();
    permit.bytes += bytes;
    permit.lane.held += bytes;
    // Counted from now: while this process was busy, it couldn't read what had arrived.
    permit.due = Math.min(now + busySlack, Math.max(permit.due, now) + (bytes / busyRate) * 1000);
    if (permit.lane === this.#small && permit.bytes > smallBody) this.#move(permit);
    const { lane } = permit;
    if (lane.held <= lane.size || permit.state !== "receiving" || permit.body.hasArrived() || isFirst(permit)) return;
    permit.state = "waiting";
    permit.body.pause();
    this.#searchSoon();
  }

  /** See {@link Permit.release}. */
  release(permit: Permit): void {
    if (permit.state === "released") return;
    permit.state = "released";
    permit.lane.permits.delete(permit);
    permit.lane.held -= permit.bytes;
    this.#resumeNext(permit.lane);
  }

  #move(permit: Permit): void {
    const from = permit.lane;
    from.permits.delete(permit);
    from.held -= permit.bytes;
    permit.lane = this.#large;
    this.#large.permits.add(permit);
    this.#large.held += permit.bytes;
    this.#resumeNext(from);
  }

  #resumeNext(lane: Lane): void {
    // Each that goes on soon holds another part of its body.
    let expected = lane.held;
    while (expected <= lane.size || !hasRunning(lane)) {
      const next = nextOf(lane);
      if (!next) return;
      resume(next);
      expected += smallBody;
    }
  }

  /** Searches after what has arrived by then was read: timers run before sockets. */
  #searchSoon(): void {
    if (this.#isSearching) return;
    this.#isSearching = true;
    setTimeout(() => setImmediate(() => this.#evictSlow()), searchInterval);
  }

  #evictSlow(): void {
    this.#isSearching = false;
    for (const lane of [this.#small, this.#large]) {
      for (const permit of lane.permits) if (permit.isWaiting && permit.body.hasArrived()) resume(permit);
      if (!hasWaiting(lane)) continue;
      const now = performance.now();
      // Also those that hold little: the first of them may be all that the others wait for.
      for (const permit of [...lane.permits]) {
        if (permit.state !== "receiving" || permit.due >= now) continue;
        this.release(permit);
        permit.body.evict(new NoRoomError("the request came too slowly while others waited for memory"));
      }
      if (hasWaiting(lane)) this.#searchSoon();
    }
  }
}

function resume(permit: Permit): void {
  permit.state = "receiving";
  permit.due = performance.now() + busySlack;
  permit.body.resume();
}

function hasRunning({ permits }: Lane): boolean {
  for (const permit of permits) if (isRunning(permit)) return true;
  return false;
}

function hasWaiting({ permits }: Lane): boolean {
  for (const permit of permits) if (permit.isWaiting) return true;
  return false;
}

function isRunning({ state }: Permit): boolean {
  return state === "receiving" || state === "complete";
}

/** Whether no body before it is being received or answered. */
function isFirst(permit: Permit): boolean {
  for (const other of permit.lane.permits) if (isRunning(other)) return other === permit;
  return false;
}

/** The first waiting body of the sender that holds least. */
function nextOf(lane: Lane): Permit | undefined {
  const held = new Map<string, number>();
  for (const { body, bytes } of lane.permits) held.set(body.address, (held.get(body.address) ?? 0) + bytes);
  let next: Permit | undefined;
  for (const permit of lane.permits) {
    if (!permit.isWaiting) continue;
    if (!next || (held.get(permit.body.address) ?? 0) < (held.get(next.body.address) ?? 0)) next = permit;
  }
  return next;
}

/**
 * The limiter of the whole process, however many servers it has. A body exists as bytes, as text and as objects, which take several
 * times as much: a sixteenth of the heap leaves most of it to the program.
 */
export const processMemory: MemoryLimiter = new MemoryLimiter(getHeapStatistics().heap_size_limit / 16);
