import type { CertificateAuthority } from "../../certs/authority.ts";
import { aborted } from "../../clock/abort.ts";
import { areWebhooksOfParent } from "../../session/parent-process.ts";
import type { LocalWebhooksOptions } from "../options/local.ts";
import { localOrigin } from "../options/local.ts";
import { webhooksOfParent } from "./parent.ts";
import type { LocalWebhooks } from "./types.ts";

/** Validity of a run's CA in milliseconds. */
const validFor = 90 * 24 * 3_600_000;
/** The clock of a developer's computer can be set back during a run. */
const validBefore = validFor;

/**
 * Creates local webhooks, which load their code when they are used. Returns `undefined` without a URL. Throws a
 * `TypeError` for an invalid one.
 */
export function localWebhooks(options: LocalWebhooksOptions = {}): LocalWebhooks | undefined {
  const { url, namePrefix = "", manifests = "config/webhook/manifests.yaml" } = options;
  if (url === undefined) return undefined;
  const { origin, hostname } = localOrigin(url);
  if (areWebhooksOfParent()) return webhooksOfParent({ namePrefix, manifests });
  let made: Promise<CertificateAuthority> | undefined;
  const authority = (): Promise<CertificateAuthority> => {
    made ??= import("../../certs/authority.ts").then(({ createAuthority }) =>
      createAuthority({ commonName: "kubewright-local-ca", validFor, validBefore }),
    );
    return made;
  };
  const hosts = [hostname.replace(/^\[|\]$/g, ""), "localhost", "127.0.0.1"];
  return {
    server: { certificates: { watch: async () => (await authority()).issueServing(hosts) } },
    precedeCaches: false,
    async run({ definitions, port: _, ...parts }, signal, onConfigured) {
      const { LocalSession } = await import("./session.ts");
      const ca = (await authority()).cert;
      const session = new LocalSession({
        ...parts,
        ...{ origin, ca, namePrefix, manifests },
        definitions: await definitions(),
      });
      try {
        await session.begin();
        onConfigured();
        await aborted(signal);
      } finally {
        await session.end();
      }
    },
  };
}
