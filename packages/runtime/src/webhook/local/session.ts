import { randomUUID } from "node:crypto";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "../../api/admissionregistration/v1.ts";
import { CustomResourceDefinition } from "../../api/apiextensions/v1.ts";
import type { Client, Reader } from "../../client/client.ts";
import type { Logger } from "../../log/logger.ts";
import { conversionPath } from "../http/paths.ts";
import { type Configuration, configurationKinds, locallyServed, readConfigurations } from "./manifests.ts";
import { giveBack, type TakeAction, type Taken, type Takeovers, take } from "./takeover.ts";

export interface LocalSessionParts {
  readonly reader: Reader;
  readonly client: Client;
  readonly log: Logger;
  /** Origin, such as `https://192.168.1.5:9443`. */
  readonly origin: string;
  /** PEM text of the CA that API servers must trust. */
  readonly ca: string;
  readonly namePrefix: string;
  readonly manifests: string;
  /** Registered paths. */
  readonly paths: readonly string[];
  /** Names of the CRDs of converted kinds. */
  readonly definitions: readonly string[];
  /** Identifies the code of the conversions, and becomes a part of their URL. */
  readonly conversions?: string;
  /**
   * Identifies the session in the objects that it changes.
   *
   * @defaultValue a new UUID
   */
  readonly session?: string;
}

/** The effect of a session on an object. */
export interface TakenAction {
  readonly kind: string;
  readonly name: string;
  readonly action: TakeAction;
}

const kinds = { MutatingWebhookConfiguration, ValidatingWebhookConfiguration };
/** Names in the generator's output. */
const generated = { MutatingWebhookConfiguration: "mutating", ValidatingWebhookConfiguration: "validating" };

/** Configures a cluster to call the webhooks of this process, until {@link LocalSession.end}. */
export class LocalSession {
  readonly #parts: LocalSessionParts;
  readonly #takeovers: Takeovers;
  readonly #taken: Taken[] = [];
  readonly #actions: TakenAction[] = [];

  constructor(parts: LocalSessionParts) {
    this.#parts = parts;
    this.#takeovers = { reader: parts.reader, client: parts.client, session: parts.session ?? randomUUID() };
  }

  /** The effects of {@link begin}. */
  get actions(): readonly TakenAction[] {
    return this.#actions;
  }

  /** Changes the configuration. If it rejects, {@link end} restores what was changed. */
  async begin(): Promise<void> {
    const { paths, manifests, origin, ca, definitions, conversions, namePrefix, log } = this.#parts;
    const admission = paths.filter((path) => path !== conversionPath);
    const configurations = admission.length === 0 ? [] : await readConfigurations(manifests);
    const serving = { origin, paths, caBundle: Buffer.from(ca).toString("base64") };
    for (const configuration of configurations) {
      const { served, missing } = locallyServed(configuration, serving);
      if (missing.length > 0) log.warn("Webhooks that this manager doesn't serve are left out", { webhooks: missing });
      if (served.length === 0) continue;
      const what = this.#configuration(configuration.kind as keyof typeof kinds, configuration.metadata?.name ?? "");
      await this.#take(what, served, { ...configuration, metadata: { name: what.name } });
    }
    await this.#cleanUp();
    const webhook = {
      clientConfig: {
        url: `${origin}${conversionPath}${conversions === undefined ? "" : `/${conversions}`}`,
        caBundle: serving.caBundle,
      },
      conversionReviewVersions: ["v1"],
    };
    for (const name of definitions) {
      const what: Taken = { kind: CustomResourceDefinition, name, field: ["spec", "conversion"] };
      await this.#take(what, { strategy: "Webhook", webhook });
    }
    log.info("The cluster calls the webhooks of this manager", {
      url: origin,
      objects: this.#taken.map(({ name }) => name),
      namePrefix,
    });
  }

  /** Restores the configuration. Failures are logged and left to the next start. */
  async end(): Promise<void> {
    const { log } = this.#parts;
    await Promise.all(
      this.#taken.map(async (what) => {
        const about = { kind: what.kind.kind, name: what.name };
        try {
          if (await giveBack(this.#takeovers, what))
            log.info("The cluster no longer calls the webhooks of this manager", about);
        } catch (error) {
          const text =
            "Unable to restore the webhook configuration: start the manager again with the same URL, and stop it";
          log.error(error, text, about);
        }
      }),
    );
  }

  /** Removes objects of a killed run that this run no longer serves. */
  async #cleanUp(): Promise<void> {
    for (const kind of configurationKinds) {
      const what = this.#configuration(kind, `${generated[kind]}-webhook-configuration`);
      if (this.#taken.some((taken) => taken.kind === what.kind && taken.name === what.name)) continue;
      await giveBack(this.#takeovers, what, { abandoned: true });
    }
  }

  #configuration(kind: keyof typeof kinds, name: string): Taken {
    return { kind: kinds[kind], name: `${this.#parts.namePrefix}${name}`, field: ["webhooks"] };
  }

  async #take(what: Taken, value: unknown, fresh?: Configuration): Promise<void> {
    // Recorded before the write, since its response can be lost.
    this.#taken.push(what);
    const action = await take(this.#takeovers, what, value, fresh);
    this.#actions.push({ kind: what.kind.kind, name: what.name, action });
  }
}
