import type { Socket } from "node:net";

/** Time in milliseconds of a turn, in which connections of peers without credit are accepted. */
const turn = 50;
/**
 * Connections that are accepted per turn. A TLS handshake with a first request takes 2 to 6 ms, and open connections
 * are served between two turns.
 */
const perTurn = 2;
/**
 * Connections that are accepted without delay after a quiet period, and then per second. A manager has half a processor.
 * With 100 and 30, reviews under attack (`bench/security`) took twice as long at first; with 10 and 10, clients wait.
 */
const burst = 20;
const rate = 15;
/** Connections that an answered request earns for its peer. More than one, since a client can need more over time. */
const earned = 2;
/** Maximum number of earned connections per peer: an API server opens one per concurrent request. */
const maxCredit = 256;
/** Maximum time in milliseconds that a connection waits: as long as clients wait for a handshake. */
const maxWait = 10_000;
/** Number of remembered peer addresses. */
const maxPeers = 1000;

interface Waiting {
  socket: Socket;
  accept: () => void;
  since: number;
}

interface Peer {
  credit: number;
  /** Number of its last accepted connection. The peer with the smallest one is next. */
  lastTurn: number;
  /** The newest one comes last. */
  waiting: Waiting[];
}

/**
 * Decides when new connections are accepted, which costs a TLS handshake. Peers whose requests were answered have
 * earned connections, which are accepted without delay. All others share a rate. Excess connections wait unread, so
 * that reconnecting has no advantage. Peer addresses take turns, each with its newest connection first: floods only
 * delay themselves, and a new client is served in time.
 */
export class ConnectionQueue {
  /** Peers by address, in order of their last use. */
  readonly #peers = new Map<string, Peer>();
  #tokens = burst;
  #acceptedInTurn = 0;
  #turns = 0;
  #at: number = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Accepts a connection, now or later.
   *
   * @param socket - the connection, which isn't read until it is accepted
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
   * Records that a request was answered.
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

  /** Removes the peer that wasn't used for the longest time, preferably one without credit and waiting connections. */
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
    // Timers run before sockets: accepted connections are served first.
    return setTimeout(() => setImmediate(begin), turn).unref();
  }

  /** Returns the newest connection of the peer whose last turn is the longest ago. */
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

/** Removes connections that are closed or waited for too long. */
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
