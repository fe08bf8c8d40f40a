// Pausing the socket applies back-pressure: TCP's window fills, so unread data stays at the server.
const HIGH_WATER = 256 * 1024;

/** The error for a body that exceeds its reader's limit. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
  /** The limit in bytes. */
  readonly limit: number;

  constructor(limit: number) {
    super(`the body is larger than ${limit} bytes`);
    this.limit = limit;
  }
}

/** The body of a response as it arrives, for a single reader, with back-pressure. */
export class ByteSource {
  #chunks: Buffer[] = [];
  /** Position of the next chunk: removing chunks from a long list one by one takes quadratic time. */
  #at = 0;
  readonly #pause: () => void;
  readonly #resume: () => void;
  readonly #abort: (reason: Error) => void;
  /** Sets the time limit in milliseconds between two chunks. */
  readonly limitSilence: (milliseconds: number) => void;
  /** Number of bytes received so far. */
  received = 0;
  #size = 0;
  #paused = false;
  #done = false;
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(control: {
    pause: () => void;
    resume: () => void;
    abort: (reason: Error) => void;
    limitSilence?: (milliseconds: number) => void;
  }) {
    this.limitSilence = control.limitSilence ?? (() => {});
    this.#pause = control.pause;
    this.#resume = control.resume;
    this.#abort = control.abort;
  }

  /** Adds a chunk. Called by the connection. */
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

  /** Ends the body, with `error` if it failed. Called by the connection. */
  finish(error?: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.#error = error;
    this.#wake?.();
  }

  /**
   * Returns the next chunk, or `undefined` at the end. If the connection breaks, rejects after all received chunks were
   * read.
   */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.#chunks[this.#at];
      if (chunk) {
        this.#at++;
        if (this.#at * 2 > this.#chunks.length) {
          this.#chunks = this.#chunks.slice(this.#at);
          this.#at = 0;
        }
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

  /** Returns the body's first bytes, for error messages. After about `limit` bytes, it drops the connection. */
  async beginning(limit: number): Promise<Buffer> {
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
    return joined(chunks);
  }

  /**
   * Returns the whole body.
   *
   * @param limit - maximum number of bytes, and of memory used for them
   * @throws {BodyTooLargeError} if the body exceeds the limit; the connection is dropped
   */
  async bytes(limit: number): Promise<Buffer> {
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
    return joined(chunks);
  }

  /** Drops the connection and unread data. The reader sees the end of the body. */
  cancel(reason: Error): void {
    const running = !this.#done;
    this.#chunks = [];
    this.#at = 0;
    this.#size = 0;
    this.#error = undefined;
    this.#done = true;
    this.#wake?.();
    if (running) this.#abort(reason);
  }
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
