import type { Socket } from "node:net";

/**
 * Connections of peers without credit that are accepted at once, and then per second. A handshake with a first request takes 2 to 6 ms,
 * so these take a tenth of a processor at most.
 */
const burst = 10;
const rate = 20;
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
    const peer = this.#peers.get(address) ?? { credit: 0, waiting: [] };
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
    if (this.#timer) return;
    const now = performance.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * rate);
    this.#at = now;
    while (this.#tokens >= 1) {
      const next = this.#next(now);
      if (!next) return;
      this.#tokens--;
      next.accept();
    }
    // Timers run before sockets: connections that were accepted before go on first.
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      setImmediate(() => this.#acceptNext());
    }, 1000 / rate).unref();
  }

  /** The newest connection of the peer whose turn it is. */
  #next(now: number): Waiting | undefined {
    for (const [address, peer] of this.#peers) {
      const { waiting } = peer;
      while (waiting[0] && (waiting[0].socket.destroyed || now - waiting[0].since > maxWait)) {
        waiting.shift()?.socket.destroy();
      }
      const next = newestOf(peer);
      if (!next) continue;
      this.#peers.delete(address);
      this.#peers.set(address, peer);
      return next;
    }
    return undefined;
  }
}

function newestOf({ waiting }: Peer): Waiting | undefined {
  let next = waiting.pop();
  while (next?.socket.destroyed) next = waiting.pop();
  return next;
}
