import type { CertificatePair } from "../../../certs/certificate-pair.ts";

/** The certificates of an endpoint, which API servers trust as long as the same keys are used. */
export interface EndpointKeys {
  /** PEM text of the CA that API servers must trust. */
  readonly ca: string;
  readonly serving: CertificatePair;
}

/** In milliseconds. */
const validFor = 3650 * 24 * 3_600_000;
/** The clock of a developer's computer can be set back. */
const validBefore = 90 * 24 * 3_600_000;

/**
 * Creates the keys of an endpoint. The key of its CA isn't kept.
 *
 * @param hostname - the host of the URL by which API servers reach it
 * @returns the keys, which are plain data
 */
export async function createEndpointKeys(hostname: string): Promise<EndpointKeys> {
  const { createAuthority } = await import("../../../certs/authority.ts");
  const authority = await createAuthority({ commonName: "kubewright-dev-webhooks", validFor, validBefore });
  const hosts = [...new Set([hostname.replace(/^\[|\]$/g, ""), "localhost", "127.0.0.1"])];
  return { ca: authority.cert, serving: await authority.issueServing(hosts) };
}
