import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeClient, KubeObject } from "../kube-client.ts";
import { readWebhookKinds } from "../manifests.ts";
import type { AppliedObject } from "../protocol.ts";

/** Time in milliseconds for the webhooks of a started manager to be configured. */
const configureTime = 10_000;

interface Webhook {
  readonly clientConfig: { readonly url?: string };
}

/** The webhook configurations that a manager writes, with the URL of this machine. */
export class LocalWebhooks {
  readonly #root: string;
  readonly #onApplied: (objects: AppliedObject[]) => void;
  /** The manifest of the last report. */
  #reported = "";

  /** @param onApplied - receives the configurations when they exist, and again when the project's manifest has changed */
  constructor(root: string, onApplied: (objects: AppliedObject[]) => void) {
    this.#root = root;
    this.#onApplied = onApplied;
  }

  /** The project's manifest; empty without one. */
  get manifest(): string {
    const path = join(this.#root, "config/webhook/manifests.yaml");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  /**
   * Waits until all configurations exist: objects that are created before would skip the webhooks.
   *
   * @param client - returns the client of the cluster
   * @param isOver - whether the manager has ended, or the session
   */
  async configured(client: () => KubeClient, isOver: () => boolean): Promise<void> {
    const kinds = readWebhookKinds(this.#root);
    if (kinds.length === 0) return;
    for (const end = performance.now() + configureTime; performance.now() < end && !isOver(); await sleep(25)) {
      const found: { kind: string; name: string }[] = [];
      for (const kind of kinds) {
        const resource = await client().resourceOf("admissionregistration.k8s.io/v1", kind);
        const list = (await client().list(resource)) as (KubeObject & { webhooks?: Webhook[] })[];
        const isLocal = ({ clientConfig: { url } }: Webhook) => url !== undefined;
        const local = list.filter(({ webhooks = [] }) => webhooks.some(isLocal));
        found.push(...local.map(({ metadata }) => ({ kind, name: metadata?.name ?? "" })));
      }
      // The manager writes one after the other.
      if (kinds.every((kind) => found.some((one) => one.kind === kind))) return this.#report(found);
    }
  }

  #report(found: readonly { readonly kind: string; readonly name: string }[]): void {
    const { manifest } = this;
    if (manifest === this.#reported) return;
    const action = this.#reported === "" ? "created" : "configured";
    this.#reported = manifest;
    this.#onApplied(found.map((one) => ({ ...one, action })));
  }
}
