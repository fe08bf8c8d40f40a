import type { CertificateAuthority } from "../../certs/authority.ts";
import type { CertificateSource } from "../../certs/certificate-source.ts";
import { aborted } from "../../clock/abort.ts";
import type { LocalWebhooksOptions } from "./options.ts";
import { localOrigin } from "./options.ts";
import type { LocalSessionParts } from "./session.ts";

/** The parts of a manager that {@link localWebhooks} uses. */
export type LocalWebhooksParts = Pick<LocalSessionParts, "reader" | "client" | "log" | "paths"> & {
  readonly definitions: () => Promise<readonly string[]>;
};

/** Webhooks of this process that a cluster calls by URL. */
export interface LocalWebhooks {
  /** A certificate for the host of the URL, from a CA that is created for this run. */
  readonly certificates: CertificateSource;
  /** Configures the cluster to call them until the signal aborts, then restores the configuration. */
  run(parts: LocalWebhooksParts, signal: AbortSignal): Promise<void>;
}

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
  let made: Promise<CertificateAuthority> | undefined;
  const authority = (): Promise<CertificateAuthority> => {
    made ??= import("../../certs/authority.ts").then(({ createAuthority }) =>
      createAuthority({ commonName: "kubewright-local-ca", validFor, validBefore }),
    );
    return made;
  };
  return {
    certificates: {
      watch: async () => (await authority()).issueServing([hostname.replace(/^\[|\]$/g, ""), "localhost", "127.0.0.1"]),
    },
    async run({ definitions, ...parts }, signal) {
      const { LocalSession } = await import("./session.ts");
      const ca = (await authority()).cert;
      const session = new LocalSession({
        ...parts,
        ...{ origin, ca, namePrefix, manifests },
        definitions: await definitions(),
      });
      try {
        await session.begin();
        await aborted(signal);
      } finally {
        await session.end();
      }
    },
  };
}
