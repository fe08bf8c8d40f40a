/** A certificate and its private key, as PEM text. */
export interface CertificatePair {
  /** The certificate, followed by its chain. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
}
