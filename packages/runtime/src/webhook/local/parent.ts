import { readFile } from "node:fs/promises";
import { selfSignedCertificate } from "../../certs/self-signed.ts";
import { aborted } from "../../clock/abort.ts";
import { webhookKeysOfParent } from "../../session/parent-process.ts";
import { offerWebhooks } from "../../session/parent-webhooks.ts";
import type { EndpointKeys } from "./endpoint/keys.ts";
import type { LocalWebhooks } from "./types.ts";

const host = "127.0.0.1";

/**
 * Creates webhooks that only `scaffold dev` calls. It passes the requests of API servers on, and configures the cluster: its
 * address stays the same while managers start and end, so the conversion between versions never ends.
 *
 * @param about - the names and the file of the configurations
 */
export function webhooksOfParent(about: { readonly namePrefix: string; readonly manifests: string }): LocalWebhooks {
  let read: Promise<EndpointKeys> | undefined;
  const keys = (): Promise<EndpointKeys> => {
    read ??= readKeys();
    return read;
  };
  return {
    server: { host, port: 0, certificates: { watch: async () => (await keys()).serving } },
    // Without conversion, they would contain unconverted objects.
    precedeCaches: true,
    async run({ reader, client, definitions, paths, port }, signal, onConfigured) {
      const [{ ca: cert }, names, listening] = await Promise.all([keys(), definitions(), port()]);
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

/**
 * Returns the keys of the session. Creating a certificate would take a third of the processor time until the first reconcile, most
 * of it for loading the library.
 */
async function readKeys(): Promise<EndpointKeys> {
  const file = webhookKeysOfParent();
  try {
    const { keys } = JSON.parse(await readFile(file ?? "", "utf8")) as { readonly keys?: Partial<EndpointKeys> };
    if (keys?.ca && keys.serving?.cert && keys.serving.key) return { ca: keys.ca, serving: keys.serving };
  } catch {
    // A session with an earlier version has no file, and npm ci removes it until the session writes it again.
  }
  const serving = await selfSignedCertificate([host]);
  return { ca: serving.cert, serving };
}
