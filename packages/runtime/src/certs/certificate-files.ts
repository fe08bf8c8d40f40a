import { type FSWatcher, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../log/logger.ts";
import type { CertificatePair } from "./certificate-pair.ts";
import type { CertificateSource } from "./certificate-source.ts";

export interface CertificateFilesOptions {
  certDir: string;
  /** File name of the certificate; `tls.crt` by default. */
  certName?: string;
  /** File name of the key; `tls.key` by default. */
  keyName?: string;
  log: Logger;
  /** Called after each read. */
  onRead?: (failed: boolean) => void;
  /** Time in milliseconds after which files are read again even without a detected change; 10,000 by default. */
  interval?: number;
}

const defaultInterval = 10_000;
/** Delay in milliseconds before a read, because a renewal writes its files one after another. */
const settle = 100;

/**
 * Creates a source of a certificate in files. Reads them when the directory changes, and every ten seconds if changes can't
 * be detected (network file systems). If the files are incomplete or don't match, the previous pair is kept.
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
    // Mounted Secrets are updated by replacing a link in the directory.
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
      // Reads the files sequentially, so that the error is deterministic if both are missing.
      const cert = await readFile(join(certDir, certName), "utf8");
      const key = await readFile(join(certDir, keyName), "utf8");
      // Throws if one isn't valid PEM, or if the key doesn't belong to the certificate.
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
