import type { Socket } from "node:net";

/** Milliseconds of a turn, in which connections of peers without credit are accepted. */
const turn = 50;
/**
 * Connections that are accepted per turn. A handshake with a first request takes 2 to 6 ms, and requests on open connections come
 * between two turns.
 */
const perTurn = 5;
/** Connections that are accepted at this pace after a quiet time, and then per second: an eighth of a processor. */
const burst = 100;
const rate = 30;
/** Connections that an answered request gives to its peer. More than one, so that a caller may come to need more of them. */
const earned = 2;
/** Connections that a peer may have earned: an API server opens one per concurrent request. */
const maxCredit = 256;
/** Milliseconds that a connection waits at most: as long as callers wait for a handshake. */
const maxWait = 10_000;
/** Peer addresses to remember. */
const maxPeers = 1000;

interface Waiting {
  socket: Socket;
  accept: () => void;
  since: number;
}

interface Peer {
  credit: number;
  /** The number of the acceptance that was its last: the smallest has the next turn. */
  lastTurn: number;
  /** The newest comes last. */
  waiting: Waiting[];
}

/**
 * Decides when new connections are accepted, which costs a TLS handshake. Peers whose requests were answered have earned connections:
 * these are accepted at once. All others share a rate. Those that exceed it wait unread, so that a client that is closed and connects
 * again gains nothing. Each peer address gets its turn, and its newest connection comes first: those that flood a server wait behind
 * each other, and a caller that has just connected still has time for its answer.
 */
export class ConnectionQueue {
  /** By address. The one that was used last comes last. */
  readonly #peers = new Map<string, Peer>();
  #tokens = burst;
  #acceptedInTurn = 0;
  #turns = 0;
  #at: number = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Accepts a connection, now or later.
   *
   * @param socket - the connection, which isn't read from until then
   * @param accept - accepts it; isn't called if the connection closes or waits for too long
   */
  enter(socket: Socket, accept: () => void): void {
    const peer = this.#peer(socket.remoteAddress ?? "");
    if (peer.credit > 0) {
      peer.credit--;
      accept();
      return;
    }
    peer.waiting.push({ socket, accept, since: performance.now() });
    this.#acceptNext();
  }

  /**
   * Notes that a request was answered.
   *
   * @param address - the address of the peer
   */
  earn(address: string): void {
    const peer = this.#peer(address);
    peer.credit = Math.min(maxCredit, peer.credit + earned);
    while (peer.credit > 0) {
      const next = newestOf(peer);
      if (!next) return;
      peer.credit--;
      next.accept();
    }
  }

  #peer(address: string): Peer {
    const peer = this.#peers.get(address) ?? { credit: 0, lastTurn: 0, waiting: [] };
    this.#peers.delete(address);
    this.#peers.set(address, peer);
    if (this.#peers.size > maxPeers) this.#forgetOne(address);
    return peer;
  }

  /** Forgets the peer that was used the longest time ago, if possible one that has neither earned anything nor waits. */
  #forgetOne(newest: string): void {
    const idle = [...this.#peers].filter(([address, { waiting }]) => address !== newest && waiting.length === 0);
    const [address] = idle.find(([, { credit }]) => credit === 0) ?? idle[0] ?? [];
    if (address !== undefined) this.#peers.delete(address);
  }

  #acceptNext(): void {
    const now = performance.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * rate);
    this.#at = now;
    let isEmpty = false;
    while (!isEmpty && this.#tokens >= 1 && this.#acceptedInTurn < perTurn) {
      const next = this.#next(now);
      isEmpty = next === undefined;
      if (!next) break;
      this.#tokens--;
      this.#acceptedInTurn++;
      next.accept();
    }
    const hasMore = !isEmpty || this.#acceptedInTurn > 0;
    if (hasMore && this.#timer === undefined) this.#timer = this.#nextTurn();
  }

  #nextTurn(): NodeJS.Timeout {
    const begin = (): void => {
      this.#timer = undefined;
      this.#acceptedInTurn = 0;
      this.#acceptNext();
    };
    // Timers run before sockets: connections that were accepted before go on first.
    return setTimeout(() => setImmediate(begin), turn).unref();
  }

  /** The newest connection of the peer whose last turn is longest ago. */
  #next(now: number): Waiting | undefined {
    let chosen: Peer | undefined;
    for (const peer of this.#peers.values()) {
      dropLost(peer.waiting, now);
      if (peer.waiting.length > 0 && (!chosen || peer.lastTurn < chosen.lastTurn)) chosen = peer;
    }
    if (chosen) chosen.lastTurn = ++this.#turns;
    return chosen?.waiting.pop();
  }
}

/** Drops connections that are closed or have waited for too long. */
function dropLost(waiting: Waiting[], now: number): void {
  while (waiting[0] && (waiting[0].socket.destroyed || now - waiting[0].since > maxWait)) {
    waiting.shift()?.socket.destroy();
  }
  while (waiting.at(-1)?.socket.destroyed) waiting.pop();
}

function newestOf({ waiting }: Peer): Waiting | undefined {
  let next = waiting.pop();
  while (next?.socket.destroyed) next = waiting.pop();
  return next;
}
