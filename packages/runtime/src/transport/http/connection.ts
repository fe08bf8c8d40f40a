import type { Socket } from "node:net";
import { type AnswerEvents, AnswerParser } from "./answer-parser.ts";
import { connectionHook } from "./hooks.ts";
import type { RequestText } from "./request-text.ts";
import { WireError } from "./wire-error.ts";

/** Receives the response to one request. */
export interface AnswerHandler extends Omit<AnswerEvents, "onEnd"> {
  onEnd(): void;
  /** Called if the response is missing or incomplete. It is the last call. */
  onError(error: unknown): void;
}

export interface Timeouts {
  /** Time limit in milliseconds for the head of the response. */
  head: number;
  /** Time limit in milliseconds between two pieces of the body; 0 disables it. */
  body: number;
}

/** Callbacks for a connection that becomes available for another request, or permanently unavailable. */
export interface ConnectionOwner {
  onIdle(connection: Connection): void;
  onGone(connection: Connection): void;
}

/** A connection to a server, which carries one request at a time. */
export class Connection {
  readonly #socket: Socket;
  #owner: ConnectionOwner;
  /** Time in milliseconds that the connection may be idle. */
  #idle: number;
  #handler: AnswerHandler | undefined;
  #parser: AnswerParser | undefined;
  #bodyTimeout = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;
  #paused = false;
  #gone = false;
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(socket: Socket, idle: number, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#idle = idle;
    this.#owner = owner;
    socket.on("data", (chunk: Buffer) => this.#onData(chunk));
    socket.on("end", () => this.#onClose());
    socket.on("close", () => this.#onClose());
    socket.on("error", (error) => this.destroy(error));
  }

  /** Sends a request; `handler` receives the response. The connection must be idle. */
  send({ text, encoding }: RequestText, handler: AnswerHandler, timeouts: Timeouts): void {
    this.#handler = handler;
    this.#bodyTimeout = timeouts.body;
    this.#parser = new AnswerParser({
      onHead: (status, statusText, headers) => {
        this.#arm(this.#bodyTimeout);
        this.#heedKeepAlive(headers["keep-alive"]);
        handler.onHead(status, statusText, headers);
      },
      onData: (chunk) => handler.onData(chunk),
      onEnd: (reusable) => this.#finish(reusable),
    });
    this.#arm(timeouts.head);
    connectionHook.installed?.sending(text);
    this.#socket.write(text, encoding);
  }

  /** Returns the time (`performance.now()`) at which the last response was complete. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** Passes an idle connection to another owner. */
  handOver(owner: ConnectionOwner): void {
    this.#owner = owner;
  }

  /** Sets whether the open connection keeps the process running. */
  holdProcess(holds: boolean): void {
    if (holds) this.#socket.ref();
    else this.#socket.unref();
  }

  /** Sets the time limit in milliseconds between two pieces of the current response. */
  limitSilence(milliseconds: number): void {
    this.#bodyTimeout = milliseconds;
    this.#arm(milliseconds);
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#arm(this.#bodyTimeout);
    this.#socket.resume();
  }

  /** Breaks the connection and passes the error to the handler. */
  destroy(error: unknown): void {
    if (this.#gone) return;
    this.#gone = true;
    clearTimeout(this.#timer);
    this.#socket.destroy();
    this.#owner.onGone(this);
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.onError(error);
  }

  #onData(chunk: Buffer): void {
    // A server that sends data without a request isn't trusted with the next request.
    if (!this.#parser) this.destroy(undefined);
    else this.#read(this.#parser, chunk);
  }

  #read(parser: AnswerParser, chunk: Buffer): void {
    if (this.#bodyTimeout > 0) this.#deadline = Math.max(this.#deadline, performance.now() + this.#bodyTimeout);
    try {
      parser.push(chunk);
    } catch (error) {
      this.destroy(error);
    }
  }

  #onClose(): void {
    if (this.#gone) return;
    if (this.#handler && this.#parser!.close()) return;
    this.destroy(new WireError("ECONNRESET", "the server closed the connection"));
  }

  #finish(reusable: boolean): void {
    const handler = this.#handler!;
    this.#handler = undefined;
    this.#parser = undefined;
    this.#answeredAt = performance.now();
    // If the server responded before it read the whole request, the unsent rest would precede the next request.
    if (reusable && !this.#gone && !this.#paused && this.#socket.writable && this.#socket.writableLength === 0) {
      this.#arm(this.#idle);
      this.#owner.onIdle(this);
    } else {
      this.destroy(undefined);
    }
    handler.onEnd();
  }

  /** Applies the idle time that the server announces in its `Keep-Alive` header. */
  #heedKeepAlive(header: string | string[] | undefined): void {
    const seconds = /timeout=(\d+)/.exec(String(header ?? ""))?.[1];
    if (!seconds) return;
    const allowed = Number(seconds) * 1000;
    // Closes one second before the server, or at half the time if that is later. 0 would disable the deadline.
    this.#idle = Math.min(this.#idle, Math.max(1, allowed / 2, allowed - 1000));
  }

  /** Sets the deadline for the next event, in milliseconds; 0 disables it. */
  #arm(milliseconds: number): void {
    this.#deadline = milliseconds > 0 ? performance.now() + milliseconds : Number.POSITIVE_INFINITY;
    this.#setTimer();
  }

  // Deadlines move with each request and chunk. A timer that fires earlier is kept, and checks the deadline again when it
  // fires.
  #setTimer(): void {
    if (this.#deadline >= this.#timerAt || this.#gone) return;
    clearTimeout(this.#timer);
    this.#timerAt = this.#deadline;
    this.#timer = setTimeout(() => this.#onTimer(), this.#deadline - performance.now()).unref();
  }

  #onTimer(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    if (this.#deadline === Number.POSITIVE_INFINITY) return;
    // No data arrives while the reader applies back-pressure.
    if (this.#paused) this.#arm(this.#bodyTimeout);
    else if (performance.now() < this.#deadline - 1) this.#setTimer();
    else this.destroy(new WireError("ETIMEDOUT", "the server has been silent for too long"));
  }
}
