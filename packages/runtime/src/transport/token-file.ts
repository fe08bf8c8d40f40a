import { readFile } from "node:fs/promises";
import type { Credentials, Identity } from "./identity.ts";

// Kubelets replace projected tokens at 80 % of their lifetime, which is at least ten minutes.
const REREAD = 10_000;

/**
 * A bearer token in a file that an external process renews. Reads the file again at most every ten seconds, and when a
 * server rejects the token.
 */
export class TokenFile implements Credentials {
  readonly #path: string;
  readonly #now: () => number;
  #identity: Identity | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<Identity> | undefined;

  /** Creates the credentials. `fallback` is the token until the file can be read. */
  constructor(path: string, fallback?: string, now: () => number = () => performance.now()) {
    this.#path = path;
    this.#now = now;
    if (fallback) this.#identity = { authorization: `Bearer ${fallback}` };
  }

  current(): Identity | Promise<Identity> {
    if (this.#identity && this.#now() - this.#readAt < REREAD) return this.#identity;
    return this.#read();
  }

  async renew(refused: Identity): Promise<boolean> {
    const identity = await this.#read();
    return identity.authorization !== refused.authorization;
  }

  #read(): Promise<Identity> {
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #load(): Promise<Identity> {
    try {
      const token = (await readFile(this.#path, "utf8")).trim();
      if (token === "") throw new Error("it is empty");
      this.#identity = { authorization: `Bearer ${token}` };
    } catch (error) {
      // A file that is being replaced can be missing for a moment. The old token stays valid.
      if (!this.#identity) {
        throw new Error(`can't read the token file ${this.#path}: ${(error as Error).message}`, { cause: error });
      }
    }
    this.#readAt = this.#now();
    return this.#identity;
  }
}
