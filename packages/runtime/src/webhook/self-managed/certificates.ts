import type { CertificateSource } from "../../certs/certificate-source.ts";
import type { Transport } from "../../transport/transport.ts";
import { lifetimesOf } from "../options/self-managed.ts";
import type { SelfManagedParts } from "./source.ts";

/**
 * Creates the source of the certificate that all replicas share in a Secret. It loads its code when it is used. Throws
 * a `TypeError` for invalid durations.
 */
export function selfManagedCertificates(parts: SelfManagedParts & { transport: Transport }): CertificateSource {
  lifetimesOf(parts.options);
  return {
    async watch(signal, onRenewed) {
      const [{ selfManaged }, { ServerTime }] = await Promise.all([import("./source.ts"), import("./server-time.ts")]);
      const time = new ServerTime(parts);
      return selfManaged({ ...parts, now: (signal) => time.now(signal) }).watch(signal, onRenewed);
    },
  };
}
