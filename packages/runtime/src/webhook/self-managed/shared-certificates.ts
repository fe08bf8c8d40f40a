import type { CertificatePair } from "../../certs/certificate-pair.ts";
import type { CertificateSource } from "../../certs/certificate-source.ts";
import { newController, unlessAborted } from "../../clock/abort.ts";

/**
 * Shares one watch of a certificate source among several servers of a process.
 *
 * @param source - watched from the first server on, until the signals of all servers have aborted
 * @returns a source for any number of servers; later ones get the latest pair immediately
 */
export function sharedCertificates(source: CertificateSource): CertificateSource {
  let watch: Watch | undefined;
  return {
    watch: (signal, onRenewed) => {
      if (!watch || watch.isOver) watch = new Watch(source);
      return watch.join(signal, onRenewed);
    },
  };
}

class Watch {
  readonly #stop = newController();
  readonly #servers = new Map<symbol, (pair: CertificatePair) => void>();
  readonly #first: Promise<CertificatePair>;
  #newest: CertificatePair | undefined;

  constructor(source: CertificateSource) {
    this.#first = source.watch(this.#stop.signal, (pair) => {
      this.#newest = pair;
      for (const onRenewed of this.#servers.values()) onRenewed(pair);
    });
    // Each server receives errors by its own promise.
    this.#first.catch(() => this.#stop.abort());
  }

  get isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  async join(signal: AbortSignal, onRenewed: (pair: CertificatePair) => void): Promise<CertificatePair> {
    signal.throwIfAborted();
    const server = Symbol("server");
    this.#servers.set(server, onRenewed);
    const leave = (): void => {
      this.#servers.delete(server);
      if (this.#servers.size === 0) this.#stop.abort(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    const first = await unlessAborted(this.#first, signal, () => {
      throw signal.reason;
    });
    return this.#newest ?? first;
  }
}
