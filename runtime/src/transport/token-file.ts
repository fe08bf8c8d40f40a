import { readFile } from "node:fs/promises";
import type { Credentials, Identity } from "./identity.ts";

// Kubelets replace projected tokens at four fifths of their life, ten minutes at the least.
const REREAD = 10_000;

/** A bearer token in a file that somebody else renews: read again every ten seconds at most, and when a server refuses it. */
export class TokenFile implements Credentials {
  readonly #path: string;
  readonly #now: () => number;
  #identity: Identity | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<Identity> | undefined;

  /** `fallback` counts as long as the file can't be read. */
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
      // A file that is being replaced may be gone for a moment: the old token is as good as it was.
      if (!this.#identity) {
        throw new Error(`can't read the token file ${this.#path}: ${(error as Error).message}`, { cause: error });
      }
    }
    this.#readAt = this.#now();
    return this.#identity;
  }
}
