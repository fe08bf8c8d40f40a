import type { Socket } from "node:net";

/** Connections of peers without credit that are accepted at once, and then per second: while this process is busy, and otherwise. */
const burst = 10;
const busyRate = 20;
const idleRate = 200;
/** The share of time from which on a process is busy, and the milliseconds of one measurement. A handshake takes 2 to 6 ms. */
const busyShare = 0.3;
const sampleTime = 100;
/** Milliseconds between two looks at what may be accepted. */
const interval = 10;
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
 * again gains nothing. Each peer address gets its turn. Its newest and its oldest connection come first in turn: most callers behind the
 * address of a flood don't wait for it, and the others no longer than for those before them.
 */
export class ConnectionQueue {
  /** By address. The one that was used last comes last. */
  readonly #peers = new Map<string, Peer>();
  readonly #utilization: () => number;
  #share = 0;
  #sampledAt: number = Number.NEGATIVE_INFINITY;
  #turn = 0;
  #tokens = burst;
  #at: number = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** @param utilization - measures the share of time since its last call in which this process was busy */
  constructor(utilization: () => number = eventLoopUtilization()) {
    this.#utilization = utilization;
  }

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
      const next = this.#take(peer);
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
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * this.#rate(now));
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
    }, interval).unref();
  }

  /** The next connection of the peer whose turn it is. */
  #next(now: number): Waiting | undefined {
    for (const [address, peer] of this.#peers) {
      const { waiting } = peer;
      while (waiting[0] && (waiting[0].socket.destroyed || now - waiting[0].since > maxWait)) {
        waiting.shift()?.socket.destroy();
      }
      const next = this.#take(peer);
      if (!next) continue;
      this.#peers.delete(address);
      this.#peers.set(address, peer);
      return next;
    }
    return undefined;
  }

  /** The newest or the oldest connection of a peer, in turn. */
  #take({ waiting }: Peer): Waiting | undefined {
    const isNewest = this.#turn++ % 2 === 0;
    let next: Waiting | undefined;
    do next = isNewest ? waiting.pop() : waiting.shift();
    while (next?.socket.destroyed);
    return next;
  }

  #rate(now: number): number {
    if (now - this.#sampledAt >= sampleTime) {
      this.#share = this.#utilization();
      this.#sampledAt = now;
    }
    return this.#share < busyShare ? idleRate : busyRate;
  }
}

function eventLoopUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
