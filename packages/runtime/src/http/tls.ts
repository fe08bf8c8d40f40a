import type { SecureContextOptions, SecureVersion, TlsOptions } from "node:tls";

/** TLS options of the server that can be changed, with the names of Node.js. */
export type WebhookTlsOptions = TlsOptions & SecureContextOptions;

/**
 * TLS 1.2 with forward secrecy and authenticated encryption, and TLS 1.3: the preferred suites of Go's clients. Node.js
 * also accepts suites without these properties.
 */
export const tlsDefaults: { minVersion: SecureVersion; ciphers: string } = {
  minVersion: "TLSv1.2",
  ciphers: [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
  ].join(":"),
};
