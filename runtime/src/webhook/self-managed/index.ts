import type { CertificateSource } from "../../certs/certificate-source.ts";
import { lifetimesOf } from "./options.ts";
import type { SelfManagedParts } from "./source.ts";

/**
 * The certificate that all replicas share in a Secret. What makes it is loaded when it is asked for. Throws a `TypeError` for lives
 * that can't work.
 */
export function selfManagedCertificates(parts: SelfManagedParts): CertificateSource {
  lifetimesOf(parts.options);
  return {
    async watch(signal, onRenewed) {
      const { selfManaged } = await import("./source.ts");
      return selfManaged(parts).watch(signal, onRenewed);
    },
  };
}
