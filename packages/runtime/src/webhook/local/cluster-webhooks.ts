import { join } from "node:path";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "../../api/admissionregistration/v1.ts";
import { CustomResourceDefinition } from "../../api/apiextensions/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import type { Client, Reader } from "../../client/client.ts";
import { silentLogger } from "../../log/logger.ts";
import type { OfferedWebhooks } from "../../session/parent-webhooks.ts";
import { sessionOwner } from "./ownership.ts";
import { LocalSession, type TakenAction } from "./session.ts";
import { giveBack, originalOf, sessionOf } from "./takeover.ts";

/** Options of {@link ClusterWebhooks}. */
export interface ClusterWebhooksOptions {
  readonly client: Client;
  /** The project's directory. */
  readonly root: string;
  /** URL by which API servers reach the endpoint. */
  readonly origin: string;
  /** PEM text of the CA that API servers must trust. */
  readonly ca: string;
  /** Identifies all sessions of the project. */
  readonly session: string;
  /** Whether the cluster has no other users. */
  readonly isOwn: boolean;
}

interface Offer extends Pick<OfferedWebhooks, "paths" | "definitions" | "namePrefix" | "manifests"> {
  /** Identifies the code of the conversions. API servers convert all objects again when it changes. */
  readonly conversions?: string;
}

/** Access to an API server. */
interface Access {
  readonly reader: Reader;
  readonly client: Client;
}

type ClientConfig = { readonly url?: string; readonly caBundle?: string };
type Webhooks = { readonly clientConfig: ClientConfig }[];

const kinds = [MutatingWebhookConfiguration, ValidatingWebhookConfiguration, CustomResourceDefinition];

/** The configuration of a cluster that calls the endpoint of a development session. */
export class ClusterWebhooks {
  readonly #options: ClusterWebhooksOptions;

  constructor(options: ClusterWebhooksOptions) {
    this.#options = options;
  }

  /** Replaces the address of earlier sessions, whose configuration remains in the cluster. */
  async refresh(): Promise<void> {
    const { client, origin, ca } = this.#options;
    const caBundle = Buffer.from(ca).toString("base64");
    const moved = <C extends ClientConfig>(config: C): C =>
      config.url === undefined ? config : { ...config, url: `${origin}${new URL(config.url).pathname}`, caBundle };
    for (const kind of kinds) {
      for (const object of await this.#changed(kind)) {
        const { webhooks, spec } = object as { webhooks?: Webhooks; spec?: { conversion?: Conversion } };
        const conversion = spec?.conversion;
        const changes = webhooks
          ? { webhooks: webhooks.map((webhook) => ({ ...webhook, clientConfig: moved(webhook.clientConfig) })) }
          : conversion?.webhook
            ? { spec: { ...spec, conversion: withConfig(conversion, moved(conversion.webhook.clientConfig)) } }
            : {};
        const before = webhooks ?? conversion;
        const after =
          (changes as { webhooks?: unknown; spec?: { conversion?: unknown } }).webhooks ?? changes.spec?.conversion;
        if (JSON.stringify(before) === JSON.stringify(after)) continue;
        await client.update({ ...object, ...changes } as KubernetesObject, { fieldOwner: sessionOwner });
      }
    }
  }

  /**
   * Lets the cluster call the endpoint for the webhooks of a manager. Those that it doesn't have are removed.
   *
   * @param offer - the webhooks of the manager
   * @returns what has changed
   * @throws Error if the configurations can't be read or written
   */
  async configure({ paths, definitions, namePrefix, manifests, conversions }: Offer): Promise<readonly TakenAction[]> {
    const { client, root, origin, ca, session } = this.#options;
    const begun = new LocalSession({
      ...{ reader: client, client, log: silentLogger, origin, ca, session, namePrefix, paths, definitions },
      ...(conversions ? { conversions } : {}),
      manifests: join(root, manifests),
    });
    await begun.begin();
    return begun.actions.filter(({ action }) => action !== "unchanged");
  }

  /** Restores the configuration, see {@link restoreWebhooks}. */
  restore(): Promise<string[]> {
    const { client, session } = this.#options;
    return restoreWebhooks({ reader: client, client }, session);
  }

  /** Lists what the project's sessions have changed. */
  async #changed(kind: (typeof kinds)[number]): Promise<KubernetesObject[]> {
    const { client, session, isOwn } = this.#options;
    return changedBy(client, kind, isOwn ? undefined : session);
  }
}

/**
 * Restores the configuration of everything that others have deployed.
 *
 * @param access - reads from the API server, and writes to it
 * @param session - the session that has changed it
 * @returns names of CRDs that keep the conversion of the session: without one, the API server would serve and store objects
 * with the fields of another version
 */
export async function restoreWebhooks({ reader, client }: Access, session: string): Promise<string[]> {
  const by = { reader, client, session };
  const kept: string[] = [];
  for (const kind of kinds) {
    for (const object of await changedBy(reader, kind, session)) {
      const name = object.metadata?.name ?? "";
      const isDefinition = kind === CustomResourceDefinition;
      if (isDefinition && (originalOf(object) as Conversion | undefined)?.strategy !== "Webhook") kept.push(name);
      else await giveBack(by, { kind, name, field: isDefinition ? ["spec", "conversion"] : ["webhooks"] });
    }
  }
  return kept;
}

/** Lists what sessions have changed. */
async function changedBy(client: Reader, kind: Kind, session: string | undefined): Promise<KubernetesObject[]> {
  const { items } = await client.list<KubernetesObject>(kind);
  return items.filter((one) => {
    const by = sessionOf(one);
    return by !== undefined && (session === undefined || by === session);
  });
}

interface Conversion {
  readonly strategy?: string;
  readonly webhook?: { readonly clientConfig: ClientConfig };
}

function withConfig(conversion: Conversion, clientConfig: ClientConfig): Conversion {
  return { ...conversion, webhook: { ...conversion.webhook, clientConfig } };
}
