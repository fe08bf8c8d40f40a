import { type FSWatcher, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../log/logger.ts";
import type { CertificatePair } from "./certificate-pair.ts";
import type { CertificateSource } from "./certificate-source.ts";

export interface CertificateFilesOptions {
  certDir: string;
  /** `tls.crt` by default. */
  certName?: string;
  /** `tls.key` by default. */
  keyName?: string;
  log: Logger;
  /** Told of each reading. */
  onRead?: (failed: boolean) => void;
  /** Milliseconds after which files are read again even when nothing seems to have changed; 10,000 by default. */
  interval?: number;
}

const defaultInterval = 10_000;
/** Files of one renewal are written one after another. */
const settle = 100;

/**
 * A certificate in files. They are read again when the directory changes, and every ten seconds where changes can't be seen (network
 * file systems). While they are half written, or don't fit, the pair from before stays.
 */
export function certificateFiles(options: CertificateFilesOptions): CertificateSource {
  return { watch: (signal, onRenewed) => new Files(options, signal, onRenewed).start() };
}

class Files {
  readonly #options: CertificateFilesOptions;
  readonly #signal: AbortSignal;
  readonly #onRenewed: (pair: CertificatePair) => void;
  #pair: CertificatePair | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(options: CertificateFilesOptions, signal: AbortSignal, onRenewed: (pair: CertificatePair) => void) {
    this.#options = options;
    this.#signal = signal;
    this.#onRenewed = onRenewed;
  }

  async start(): Promise<CertificatePair> {
    const pair = await this.#read();
    this.#pair = pair;
    const { interval = defaultInterval, log, certDir } = this.#options;
    if (this.#signal.aborted) return pair;
    this.#timer = setInterval(() => this.#reread(), interval).unref();
    this.#watch();
    this.#signal.addEventListener("abort", () => this.#stop(), { once: true });
    log.info("Starting certificate poll+watcher", { certDir, interval });
    return pair;
  }

  #watch(): void {
    // Mounted Secrets change by a link in the directory, not by their files.
    try {
      this.#watcher = watch(this.#options.certDir, () => {
        clearTimeout(this.#soon);
        this.#soon = setTimeout(() => this.#reread(), settle).unref();
      });
      this.#watcher.unref();
      this.#watcher.on("error", (error) => this.#unwatched(error));
    } catch (error) {
      this.#unwatched(error);
    }
  }

  #unwatched(error: unknown): void {
    this.#watcher?.close();
    this.#options.log.error(error, "certificate watch error, the files are only polled");
  }

  #stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#watcher?.close();
  }

  #reread(): void {
    this.#read()
      .then((next) => {
        if (this.#signal.aborted || (next.cert === this.#pair?.cert && next.key === this.#pair?.key)) return;
        this.#pair = next;
        this.#options.log.info("Updated current TLS certificate", { certDir: this.#options.certDir });
        this.#onRenewed(next);
      })
      .catch((error: unknown) => this.#options.log.error(error, "error re-reading certificate"));
  }

  async #read(): Promise<CertificatePair> {
    const { certDir, certName = "tls.crt", keyName = "tls.key", onRead } = this.#options;
    try {
      // One after the other: where both are missing, the error is always the same.
      const cert = await readFile(join(certDir, certName), "utf8");
      const key = await readFile(join(certDir, keyName), "utf8");
      // Throws when one isn't PEM, or the key isn't the certificate's.
      process.getBuiltinModule("node:tls").createSecureContext({ cert, key });
      onRead?.(false);
      return { cert, key };
    } catch (error) {
      onRead?.(true);
      const { message } = error as Error;
      throw new Error(`can't use the certificate ${certName} with ${keyName} in ${certDir}: ${message}`, {
        cause: error,
      });
    }
  }
}
