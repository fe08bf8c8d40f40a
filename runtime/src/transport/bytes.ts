// A paused socket holds the server back (TCP's window fills): what a slow reader doesn't take stays at the server.
const HIGH_WATER = 256 * 1024;

/** A body is larger than its reader accepts. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
  /** Bytes. */
  readonly limit: number;

  constructor(limit: number) {
    super(`the body is larger than ${limit} bytes`);
    this.limit = limit;
  }
}

/** The body of an answer as it arrives, pulled by one reader, with back-pressure. */
export class ByteSource {
  readonly #chunks: Buffer[] = [];
  readonly #pause: () => void;
  readonly #resume: () => void;
  readonly #abort: (reason: Error) => void;
  /** Bytes that have come so far. */
  received = 0;
  #size = 0;
  #paused = false;
  #done = false;
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(control: { pause: () => void; resume: () => void; abort: (reason: Error) => void }) {
    this.#pause = control.pause;
    this.#resume = control.resume;
    this.#abort = control.abort;
  }

  /** Called by the connection. */
  push(chunk: Buffer): void {
    if (this.#done) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.received += chunk.length;
    if (!this.#paused && this.#size >= HIGH_WATER) {
      this.#paused = true;
      this.#pause();
    }
    this.#wake?.();
  }

  /** Called by the connection: the body is complete, or failed with `error`. */
  finish(error?: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.#error = error;
    this.#wake?.();
  }

  /** The next chunk; `undefined` at the end. Rejects when the connection broke, after all that had come. */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#size -= chunk.length;
        if (this.#paused && this.#size < HIGH_WATER / 2) {
          this.#paused = false;
          this.#resume();
        }
        return chunk;
      }
      if (this.#error !== undefined) throw this.#error;
      if (this.#done) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  /** The body's first bytes: at most about `limit`, the connection is dropped then. For error messages. */
  async beginning(limit: number): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for (let chunk = await this.next(); chunk; chunk = await this.next()) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= limit) {
        this.cancel(new Error("read enough"));
        break;
      }
    }
    return textOf(chunks);
  }

  /**
   * The whole body.
   *
   * @param limit - bytes that it may have; no more than that are ever held
   * @throws {BodyTooLargeError} once more have come; the connection is dropped
   */
  async text(limit: number): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for (let chunk = await this.next(); chunk; chunk = await this.next()) {
      size += chunk.length;
      if (size > limit) {
        const error = new BodyTooLargeError(limit);
        this.cancel(error);
        throw error;
      }
      chunks.push(chunk);
    }
    return textOf(chunks);
  }

  /** Drops the connection and what has not been read. The reader sees the end. */
  cancel(reason: Error): void {
    const running = !this.#done;
    this.#chunks.length = 0;
    this.#size = 0;
    this.#error = undefined;
    this.#done = true;
    this.#wake?.();
    if (running) this.#abort(reason);
  }
}

function textOf(chunks: readonly Buffer[]): string {
  const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return whole.toString("utf8");
}
