import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "../../api/index.ts";
import { ignoreNotFound, isAlreadyExists, isConflict, isNotFound } from "../../errors/index.ts";
import type { Transport } from "../../transport/transport.ts";
import type { WebhookServing } from "./options.ts";
import type { WebhookConfiguration } from "./read.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const TRIES = 10;

/** Creates the configurations, or updates those that exist, and waits until each can be read. */
export async function installWebhooks(
  transport: Transport,
  configurations: readonly WebhookConfiguration[],
  { maxTime = 10_000, pollInterval = 100 }: WebhookServing,
): Promise<void> {
  await Promise.all(configurations.map((configuration) => createOrUpdate(transport, configuration)));
  const deadline = performance.now() + maxTime;
  for (const configuration of configurations) {
    while (!(await canBeRead(transport, configuration))) {
      if (performance.now() > deadline) {
        throw new Error(`${configuration.kind} ${configuration.metadata?.name} can't be read from the API server`);
      }
      await sleep(pollInterval);
    }
  }
}

/** Deletes the configurations; those that aren't there are passed over. */
export async function uninstallWebhooks(
  transport: Transport,
  configurations: readonly WebhookConfiguration[],
): Promise<void> {
  for (const configuration of configurations) {
    await ignoreNotFound(transport.request({ method: "DELETE", path: pathOf(configuration) }));
  }
}

async function createOrUpdate(transport: Transport, configuration: WebhookConfiguration): Promise<void> {
  const path = pathOf(configuration);
  const { resourceVersion: _r, uid: _u, ...metadata } = configuration.metadata ?? {};
  for (let tries = 1; ; tries++) {
    try {
      try {
        const body = { ...configuration, metadata };
        await transport.request({ method: "POST", path: collectionOf(configuration), body });
        return;
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
      const existing = (await transport.request({ method: "GET", path })).body as KubernetesObject;
      const { resourceVersion } = existing.metadata ?? {};
      await transport.request({
        method: "PUT",
        path,
        body: { ...configuration, metadata: { ...metadata, resourceVersion } },
      });
      return;
    } catch (error) {
      // Somebody else changed or removed it in between.
      if ((isConflict(error) || isNotFound(error)) && tries < TRIES) continue;
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${configuration.kind} ${metadata.name} can't be installed: ${message}`, { cause: error });
    }
  }
}

async function canBeRead(transport: Transport, configuration: WebhookConfiguration): Promise<boolean> {
  try {
    await transport.request({ method: "GET", path: pathOf(configuration) });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function collectionOf({ kind }: WebhookConfiguration): string {
  return `${GROUP}/${kind.toLowerCase()}s`;
}

function pathOf(configuration: WebhookConfiguration): string {
  return `${collectionOf(configuration)}/${encodeURIComponent(configuration.metadata?.name ?? "")}`;
}
