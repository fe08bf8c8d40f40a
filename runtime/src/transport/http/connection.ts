import type { Socket } from "node:net";
import { WireError } from "../wire-error.ts";
import { type AnswerEvents, AnswerParser } from "./answer-parser.ts";
import type { RequestText } from "./request-text.ts";

/** Who waits for the answer to one request. */
export interface AnswerHandler extends Omit<AnswerEvents, "onEnd"> {
  onEnd(): void;
  /** No answer, or no more of it. Nothing comes after this. */
  onError(error: unknown): void;
}

export interface Timeouts {
  /** Milliseconds until the head of the answer must be there. */
  head: number;
  /** Milliseconds between two pieces of the body; 0 for none. */
  body: number;
}

/** Called when a connection can take another request, and when it never will again. */
export interface ConnectionOwner {
  onIdle(connection: Connection): void;
  onGone(connection: Connection): void;
}

/** One connection to a server: one request at a time, then the next. */
export class Connection {
  readonly #socket: Socket;
  #owner: ConnectionOwner;
  /** Milliseconds that the connection may be idle. */
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

  /** Sends a request; the answer goes to `handler`. Only while no other one is under way. */
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
    this.#socket.write(text, encoding);
  }

  /** When its last answer was complete, by `performance.now()`. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** Only while it is idle. */
  handOver(owner: ConnectionOwner): void {
    this.#owner = owner;
  }

  /** Whether it may stay open until the process ends, without keeping it from doing so. */
  holdProcess(holds: boolean): void {
    if (holds) this.#socket.ref();
    else this.#socket.unref();
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

  /** Breaks the connection; whoever waits for an answer is told. */
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
    // A server that speaks without having been asked is not to be trusted with the next request.
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
    // Where the server has answered before it had read all, what is left of the request would stand before the next one.
    if (reusable && !this.#gone && !this.#paused && this.#socket.writable && this.#socket.writableLength === 0) {
      this.#arm(this.#idle);
      this.#owner.onIdle(this);
    } else {
      this.destroy(undefined);
    }
    handler.onEnd();
  }

  /** Servers may say how long they keep an idle connection: this side goes a second earlier. */
  #heedKeepAlive(header: string | string[] | undefined): void {
    const seconds = /timeout=(\d+)/.exec(String(header ?? ""))?.[1];
    if (!seconds) return;
    const allowed = Number(seconds) * 1000;
    // This side goes a second earlier, or at half the time if that is later. 0 would mean never here.
    this.#idle = Math.min(this.#idle, Math.max(1, allowed / 2, allowed - 1000));
  }

  /** The next thing must happen within so many milliseconds; 0: whenever it likes. */
  #arm(milliseconds: number): void {
    this.#deadline = milliseconds > 0 ? performance.now() + milliseconds : Number.POSITIVE_INFINITY;
    this.#setTimer();
  }

  // Deadlines move with each request and each piece: a timer that is due earlier is left alone, and looks again then.
  #setTimer(): void {
    if (this.#deadline >= this.#timerAt || this.#gone) return;
    clearTimeout(this.#timer);
    this.#timerAt = this.#deadline;
    this.#timer = setTimeout(() => this.#onTimer(), this.#deadline - performance.now()).unref();
  }

  #onTimer(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    if (this.#deadline === Number.POSITIVE_INFINITY) return;
    // Nothing comes while the reader holds the server back.
    if (this.#paused) this.#arm(this.#bodyTimeout);
    else if (performance.now() < this.#deadline - 1) this.#setTimer();
    else this.destroy(new WireError("ETIMEDOUT", "the server has been silent for too long"));
  }
}
