import type { ServerResponse } from "node:http";
import { getHeapStatistics } from "node:v8";

/** Maximum size in bytes of a small body. Nearly all objects are small. */
const smallBody = 64 * 1024;
/** Rate in bytes per second that a body must reach while others wait. API servers send many times faster. */
const busyRate = 1024 * 1024;
/** Time in milliseconds without data after which a body can lose its permit to others that wait. */
const busySlack = 500;
/** Time in milliseconds between two searches for such bodies, which happen only while a body waits. */
const searchInterval = 50;

/** Reports that a body had to make room for others. The caller may retry. */
export class NoRoomError extends Error {
  override readonly name: string = "NoRoomError";
}

/**
 * Responds with 503. API servers treat it as a webhook that can't be called, so the webhook's failurePolicy applies.
 *
 * @param response - the response, before its head was sent
 * @param error - the reason
 */
export function answerNoRoom(response: ServerResponse, { message }: NoRoomError): void {
  response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8" }).end(`${message}\n`);
}

/** A body that is being received, as the limiter controls it. */
export interface ReceivedBody {
  /** Address of the sender. */
  address: string;
  /** Whether the last byte has arrived. Such a body never waits. */
  hasArrived(): boolean;
  /** Stops reading from the sender. */
  pause(): void;
  /** Continues to read. */
  resume(): void;
  /** Refuses the body because it was too slow while others waited. */
  evict(error: NoRoomError): void;
}

type State = "receiving" | "waiting" | "complete" | "released";

/** The memory of one body, from its first byte until its response ends. */
export class Permit {
  readonly body: ReceivedBody;
  readonly #limiter: MemoryLimiter;
  lane: Lane;
  bytes = 0;
  state: State = "receiving";
  /** Time by which the next data must arrive if others wait. */
  due: number = performance.now() + busySlack;

  constructor(limiter: MemoryLimiter, lane: Lane, body: ReceivedBody) {
    this.#limiter = limiter;
    this.lane = lane;
    this.body = body;
  }

  /** Whether the limiter has paused this body. */
  get isWaiting(): boolean {
    return this.state === "waiting";
  }

  /**
   * Counts received bytes. May pause this body.
   *
   * @param bytes - the number of bytes
   */
  charge(bytes: number): void {
    this.#limiter.charge(this, bytes);
  }

  /** Marks the body as complete: it keeps its memory and is never refused. */
  complete(): void {
    if (this.state === "released") return;
    this.state = "complete";
  }

  /** Releases the memory when the response has ended or the client has disconnected. Later calls do nothing. */
  release(): void {
    this.#limiter.release(this);
  }
}

/** The bodies of one size class, and their shared memory. */
interface Lane {
  size: number;
  held: number;
  /** In the order of their arrival. */
  permits: Set<Permit>;
}

/**
 * Limits the memory of all bodies that are received and processed at the same time. It counts received bytes instead of
 * the announced length, so that a client that announces much and sends little doesn't affect others.
 *
 * When the memory is used up, bodies that arrive too slowly are refused. The others wait without being read, which also
 * stops their senders. The first of them always continues: one body at a time may exceed the limit. So do the bodies of
 * senders that hold at most an equal share, so that one sender doesn't delay the others: together, bodies hold at most
 * twice the limit. Complete bodies are never refused. A quarter is reserved for bodies of up to 64 KiB, so that they don't wait for large ones.
 */
export class MemoryLimiter {
  readonly #small: Lane;
  readonly #large: Lane;
  #isSearching = false;

  /** @param size - maximum memory of all bodies in bytes */
  constructor(size: number) {
    this.#small = { size: size / 4, held: 0, permits: new Set() };
    this.#large = { size: (size * 3) / 4, held: 0, permits: new Set() };
  }

  /** Number of bytes in use. */
  get held(): number {
    return this.#small.held + this.#large.held;
  }

  /** Whether a body waits for memory. Received bodies have a higher minimum rate then. */
  get isUsedUp(): boolean {
    return hasWaiting(this.#small) || hasWaiting(this.#large);
  }

  /**
   * Adds a body.
   *
   * @param body - the body, which may be paused immediately
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
    // Counted from now, since a busy process couldn't read earlier data.
    permit.due = Math.min(now + busySlack, Math.max(permit.due, now) + (bytes / busyRate) * 1000);
    if (permit.lane === this.#small && permit.bytes > smallBody) this.#move(permit);
    const { lane } = permit;
    if (lane.held <= lane.size || permit.state !== "receiving" || permit.body.hasArrived() || isFirst(permit)) return;
    if (isWithinShare(permit)) return;
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
    // Each body that continues will soon hold another part.
    let expected = lane.held;
    while (expected <= lane.size || !hasRunning(lane)) {
      const next = nextOf(lane);
      if (!next) return;
      resume(next);
      expected += smallBody;
    }
  }

  /** Searches after data that arrived by then was read: timers run before sockets. */
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
      // Includes bodies with little memory, since the first of them may be the only one that others wait for.
      for (const permit of [...lane.permits]) {
        if (permit.state !== "receiving" || permit.due >= now) continue;
        this.release(permit);
        permit.body.evict(new NoRoomError("the request was received too slowly while others waited for memory"));
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

/** Checks that no earlier body is being received or processed. */
function isFirst(permit: Permit): boolean {
  for (const other of permit.lane.permits) if (isRunning(other)) return other === permit;
  return false;
}

function heldBySender(lane: Lane): Map<string, number> {
  const held = new Map<string, number>();
  for (const { body, bytes } of lane.permits) held.set(body.address, (held.get(body.address) ?? 0) + bytes);
  return held;
}

/** Whether the sender holds at most an equal share of the memory. */
function isWithinShare({ lane, body }: Permit): boolean {
  const held = heldBySender(lane);
  return (held.get(body.address) ?? 0) <= lane.size / held.size;
}

/** Returns the first waiting body of the sender that holds the least memory. */
function nextOf(lane: Lane): Permit | undefined {
  const held = heldBySender(lane);
  let next: Permit | undefined;
  for (const permit of lane.permits) {
    if (!permit.isWaiting) continue;
    if (!next || (held.get(permit.body.address) ?? 0) < (held.get(next.body.address) ?? 0)) next = permit;
  }
  return next;
}

/**
 * Creates the limiter of a server. A body exists as bytes, text and objects, which take several times as much memory. A
 * sixteenth of the heap therefore leaves most of it to the program.
 *
 * @returns the limiter, which all handlers of the server share
 */
export function bodyMemory(): MemoryLimiter {
  return new MemoryLimiter(getHeapStatistics().heap_size_limit / 16);
}
