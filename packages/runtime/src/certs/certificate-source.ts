import type { CertificatePair } from "./certificate-pair.ts";

/** Provides the certificate of a server, initially and after each renewal. */
export interface CertificateSource {
  /**
   * Returns the initial certificate and reports renewed ones. Only pairs whose key matches are returned.
   *
   * @param signal - ends the watch
   * @param onRenewed - receives each later pair until the signal aborts
   * @returns the pair to start with
   * @throws Error if the certificate is missing
   */
  watch(signal: AbortSignal, onRenewed: (pair: CertificatePair) => void): Promise<CertificatePair>;
}
