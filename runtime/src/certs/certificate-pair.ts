/** A certificate, with the chain behind it, and its key as PEM text. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}
