import { randomInt, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "@kubewright/dashboard/protocol";
import { ProblemError } from "../../project/problem-error.ts";
import type { GoodBundle } from "../build/bundler.ts";
import {
  type ClusterWebhooks,
  type Config,
  devPackageOf,
  type EndpointKeys,
  type OfferedWebhooks,
  type WebhookEndpoint,
} from "../client/packages.ts";
import { writeSecret } from "../setup/files.ts";
import type { SessionEvents } from "../store/session-events.ts";
import type { WebhookAddress } from "./flags.ts";
import { isFree } from "./ports.ts";

/** The parts of a session that its webhooks use. */
export interface SessionWebhooksParts {
  readonly events: SessionEvents;
  readonly root: string;
  readonly engine: Engine;
  /** The file of address and keys. */
  readonly file: string;
  /** The address at which the cluster reaches the webhooks; `undefined` if the manager configures the cluster itself. */
  readonly address: WebhookAddress | undefined;
  /** Name of the manager. */
  readonly program: string;
  /** Returns why no manager runs. */
  reason(): string;
  /** Returns whether the webhooks fail on purpose. */
  isDown(): boolean;
  /** Called when conversions are served that weren't: changes of CRDs can need them. */
  onConverted(): Promise<void>;
}

/** The data that a session keeps for the next one. */
interface Kept {
  readonly id: string;
  readonly port: number;
  readonly hostname: string;
  readonly keys: EndpointKeys;
}

/**
 * The webhooks of a session, at one address: managers start and end, and requests wait for the next one meanwhile. The address is
 * also that of the next session, because the stored objects refer to it.
 */
export class SessionWebhooks {
  readonly #session: SessionWebhooksParts;
  #kept: Kept | undefined;
  #endpoint: WebhookEndpoint | undefined;
  #cluster: ClusterWebhooks | undefined;
  /** Names of the CRDs whose conversion is served. */
  #converted: ReadonlySet<string> = new Set();

  /** @param session - the parts of the session */
  constructor(session: SessionWebhooksParts) {
    this.#session = session;
  }

  /** URL by which the cluster reaches the webhooks. Unset before {@link open}. */
  get origin(): string | undefined {
    const { address } = this.#session;
    if (address?.url !== undefined) return address.url;
    return this.#endpoint && `https://127.0.0.1:${this.#endpoint.port}`;
  }

  /** The project's manifest of webhooks; empty without one. */
  get manifest(): string {
    const path = join(this.#session.root, "config/webhook/manifests.yaml");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  /** File with the keys, which the managers use, too. */
  get keys(): string {
    return this.#session.file;
  }

  /** Whether a manager has served the conversion of a CRD. */
  isConverted(definition: string): boolean {
    return this.#converted.has(definition);
  }

  /**
   * Listens, before the cluster starts: its stored configuration can contain the address.
   *
   * @throws ProblemError if another program uses the port that the user has set
   */
  async open(): Promise<void> {
    const { root, address, file, reason, isDown } = this.#session;
    if (!address) return;
    const { WebhookEndpoint, createEndpointKeys } = devPackageOf(root);
    const hostname = address.url === undefined ? "127.0.0.1" : new URL(address.url).hostname;
    const earlier = this.#read();
    const keys = earlier?.hostname === hostname ? earlier.keys : await createEndpointKeys(hostname);
    const host = isLoopback(hostname) ? { host: "127.0.0.1" } : {};
    const listen = (port: number) =>
      WebhookEndpoint.listen({ ...host, port, keys, reason: () => reason(), isDown: () => isDown() });
    if (address.port === undefined) {
      const last = earlier === undefined ? undefined : await listen(earlier.port).catch(() => undefined);
      this.#endpoint = last ?? (await listen(await freePort()));
    } else {
      this.#endpoint = await listen(address.port).catch((error: Error) => {
        throw new ProblemError(
          "webhook-port",
          `can't serve webhooks: port ${address.port}: ${error.message}`,
          "stop the program that uses it, or set another port",
        );
      });
    }
    this.#kept = { id: earlier?.id ?? randomUUID(), port: this.#endpoint.port, hostname, keys };
    if (JSON.stringify(this.#kept) !== JSON.stringify(earlier)) writeSecret(file, `${JSON.stringify(this.#kept)}\n`);
  }

  /** Writes the file again if it was removed. */
  save(): void {
    const { file } = this.#session;
    if (this.#kept && !existsSync(file)) writeSecret(file, `${JSON.stringify(this.#kept)}\n`);
  }

  /** Connects to the cluster. Its configuration of an earlier session gets the address of this one. */
  async connect(config: Config): Promise<void> {
    const { root, engine, events } = this.#session;
    const { origin } = this;
    if (!this.#kept || origin === undefined) return;
    const { ClusterWebhooks, createClient } = devPackageOf(root);
    const { id: session, keys } = this.#kept;
    const isOwn = engine !== "cluster";
    this.#cluster = new ClusterWebhooks({ client: createClient(config), root, origin, ca: keys.ca, session, isOwn });
    await this.#cluster.refresh().catch((error: Error) => {
      events.note(`the webhooks of the last session can't be configured: ${error.message}`);
    });
  }

  /**
   * Lets the cluster call the webhooks of a manager, which receives the requests that wait.
   *
   * @param offered - the webhooks
   * @returns the session whose configuration the manager must restore if this process is killed; `undefined` if no one else
   * uses the cluster
   * @throws Error if the cluster can't be configured
   */
  async serve(offered: OfferedWebhooks & Pick<GoodBundle, "conversions">): Promise<string | undefined> {
    this.#endpoint?.use(offered);
    const applied = (await this.#cluster?.configure(offered)) ?? [];
    const isNew = offered.definitions.some((name) => !this.#converted.has(name));
    this.#converted = new Set(offered.definitions);
    const objects = applied.map(({ kind, name, action }) => ({ kind, name, action }));
    if (objects.length > 0) this.#session.events.emit({ event: "applied", objects });
    if (isNew) await this.#session.onConverted();
    return this.#session.engine === "cluster" ? this.#kept?.id : undefined;
  }

  /** A manager runs that has no webhooks. */
  async serveNothing(): Promise<void> {
    this.#converted = new Set();
    this.#endpoint?.refuse("the manager serves no webhooks: it registers none");
    const namePrefix = `${this.#session.program}-`;
    await this.#cluster?.configure({ paths: [], definitions: [], namePrefix, manifests: "" });
  }

  /** No manager runs, or it ends: requests wait for the next one. */
  hold(): void {
    this.#endpoint?.hold();
  }

  /** Ends the service. In a cluster of others, the configuration is restored. */
  async close(): Promise<void> {
    const { engine, events } = this.#session;
    if (engine === "cluster") {
      const kept = await this.#cluster?.restore().catch((error: Error) => {
        events.note(`the webhook configuration can't be restored: ${error.message}`);
        return [];
      });
      for (const name of kept ?? []) {
        events.note(
          `CustomResourceDefinition ${name} keeps its conversion, because objects of other versions would lose fields without it: its requests fail until the operator is deployed or scaffold dev runs`,
        );
      }
    }
    await this.#endpoint?.close();
  }

  #read(): Kept | undefined {
    try {
      const kept = JSON.parse(readFileSync(this.#session.file, "utf8")) as Partial<Kept> | null;
      const isValid = typeof kept?.id === "string" && typeof kept.port === "number" && kept.keys?.ca !== undefined;
      return isValid ? (kept as Kept) : undefined;
    } catch {
      return undefined;
    }
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

/**
 * Ports from which the webhooks' port is chosen. Operating systems choose higher ones for connections and for servers without a
 * port of their own. Such a server could take a higher port between two sessions.
 */
const lowestPort = 20_000;
const highestPort = 32_000;
const maxAttempts = 100;

async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const port = randomInt(lowestPort, highestPort);
    if (await isFree({ port })) return port;
  }
  throw new Error(`no free port found for the webhooks: tried ${maxAttempts} from ${lowestPort} to ${highestPort}`);
}
