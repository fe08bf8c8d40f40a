import { readFile } from "node:fs/promises";
import type { Config } from "../config/config.ts";

/**
 * Time in milliseconds between two checks of the files while no connection is opened. client-go's five minutes are long for
 * certificates that are valid for one hour.
 */
const interval = 60_000;
/** Time in milliseconds between two checks while connections fail. */
const retryInterval = 1000;

/** PEM text of authorities, client certificate and key. */
export type TlsText = Pick<Config, "ca" | "cert" | "key">;

/**
 * The certificate files of a configuration, which an external process renews. If a file can't be read, its last content is
 * kept.
 */
export class TlsFiles {
  readonly #config: Config;
  readonly #now: () => number;
  #text: TlsText;
  #readAt: number;
  #reading: Promise<TlsText> | undefined;

  /** @param now monotonic milliseconds */
  constructor(config: Config, now: () => number = () => performance.now()) {
    this.#config = config;
    this.#now = now;
    this.#text = { ca: config.ca, cert: config.cert, key: config.key };
    // A configuration that contains a file's path without its content is complete only after the file is read.
    const isLoaded = [config.caFile && !config.ca, config.certFile && !config.cert].every((missing) => !missing);
    this.#readAt = isLoaded ? now() : Number.NEGATIVE_INFINITY;
  }

  /** Returns the current text: the same object until a file changes. */
  current(): TlsText | Promise<TlsText> {
    const { caFile, certFile } = this.#config;
    if ((!caFile && !certFile) || this.#now() - this.#readAt < interval) return this.#text;
    return this.read();
  }

  /** Reads the files for a handshake, so that each new connection has the current certificate. */
  read(): TlsText | Promise<TlsText> {
    const { caFile, certFile } = this.#config;
    if (!caFile && !certFile) return this.#text;
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Checks the files after a failed connection or a rejected certificate. Returns whether something has changed. */
  async renew(): Promise<boolean> {
    const { caFile, certFile } = this.#config;
    if ((!caFile && !certFile) || this.#now() - this.#readAt < retryInterval) return false;
    const before = this.#text;
    return (await this.read()) !== before;
  }

  async #load(): Promise<TlsText> {
    const { caFile, certFile, keyFile } = this.#config;
    const old = this.#text;
    const [ca, cert, key] = await Promise.all([read(caFile, old.ca), read(certFile, old.cert), read(keyFile, old.key)]);
    this.#readAt = this.#now();
    const isSame = ca === old.ca && cert === old.cert && key === old.key;
    // The files of a certificate and key pair aren't replaced atomically, so a mismatched pair is ignored.
    if (!isSame && isUsable({ ca, cert, key })) this.#text = { ca, cert, key };
    return this.#text;
  }
}

async function read(file: string | undefined, old: string | undefined): Promise<string | undefined> {
  if (!file) return old;
  try {
    const text = await readFile(file, "utf8");
    // A file that is being replaced can be empty or missing for a moment.
    return text.trim() === "" ? old : text;
  } catch {
    return old;
  }
}

/**
 * Checks the text of a configuration, unless it comes from files, which can change: each request would fail, and callers would
 * try it again.
 *
 * @throws Error that names the invalid property
 */
export function checkTlsText(config: Config): void {
  const ca = config.caFile ? undefined : config.ca;
  const { cert, key }: TlsText = config.certFile ? {} : config;
  const { X509Certificate } = process.getBuiltinModule("node:crypto");
  for (const [name, text] of Object.entries({ ca, cert })) {
    if (text !== undefined) checked(name, "must be certificates in PEM format", () => new X509Certificate(text));
  }
  if (cert === undefined && key === undefined) return;
  const { createSecureContext } = process.getBuiltinModule("node:tls");
  checked("key", "must be the private key of cert, in PEM format", () => createSecureContext({ cert, key }));
}

function checked(name: string, rule: string, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    throw new Error(`invalid ${name}: ${rule}: ${(error as Error).message}`, { cause: error });
  }
}

function isUsable(text: TlsText): boolean {
  try {
    process.getBuiltinModule("node:tls").createSecureContext(text);
    return true;
  } catch {
    return false;
  }
}
