import type { CertificatePair } from "./certificate-pair.ts";

/** Where a server's certificate comes from, now and when it is renewed. */
export interface CertificateSource {
  /**
   * Resolves to the pair to begin with; rejects when there is none. Until the signal aborts, `onRenewed` gets each later pair. Only
   * pairs whose key fits are given.
   */
  watch(signal: AbortSignal, onRenewed: (pair: CertificatePair) => void): Promise<CertificatePair>;
}
