import type { CertificatePair } from "../../certs/certificate-pair.ts";
import { selfSignedCertificate } from "../../certs/self-signed.ts";
import { aborted } from "../../clock/abort.ts";
import { offerWebhooks } from "../../inspect/parent-webhooks.ts";
import type { LocalWebhooks } from "./types.ts";

const host = "127.0.0.1";

/**
 * Creates webhooks that only `scaffold dev` calls. It passes the requests of API servers on, and configures the cluster: its
 * address stays the same while managers start and end, so the conversion between versions never ends.
 *
 * @param about - the names and the file of the configurations
 */
export function webhooksOfParent(about: { readonly namePrefix: string; readonly manifests: string }): LocalWebhooks {
  let made: Promise<CertificatePair> | undefined;
  const certificate = (): Promise<CertificatePair> => {
    made ??= selfSignedCertificate([host]);
    return made;
  };
  return {
    server: { host, port: 0, certificates: { watch: certificate } },
    // Without conversion, they would contain unconverted objects.
    precedeCaches: true,
    async run({ reader, client, definitions, paths, port }, signal, onConfigured) {
      const [{ cert }, names, listening] = await Promise.all([certificate(), definitions(), port()]);
      const session = await offerWebhooks({ ...about, port: listening, cert, paths, definitions: names }, signal);
      onConfigured();
      await aborted(signal);
      if (session === undefined || process.connected) return;
      // The parent was killed.
      const { restoreWebhooks } = await import("./cluster-webhooks.ts");
      await restoreWebhooks({ reader, client }, session);
    },
  };
}
