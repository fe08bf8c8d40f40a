import { setTimeout as sleep } from "node:timers/promises";
import { ignoreNotFound, isNotFound } from "../../errors/predicates.ts";
import type { Transport } from "../../transport/transport.ts";
import { install, pathBelow } from "../objects/install.ts";
import type { WebhookServing } from "./options.ts";
import type { WebhookConfiguration } from "./read.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";

/** Creates or updates the configurations, and waits until all can be read. */
export async function installWebhooks(
  transport: Transport,
  configurations: readonly WebhookConfiguration[],
  { maxTime = 10_000, pollInterval = 100 }: WebhookServing,
): Promise<void> {
  await Promise.all(
    configurations.map((configuration) =>
      install(
        transport,
        collectionOf(configuration),
        configuration,
        `${configuration.kind} ${configuration.metadata?.name}`,
      ),
    ),
  );
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

/** Deletes the configurations. Missing ones are ignored. */
export async function uninstallWebhooks(
  transport: Transport,
  configurations: readonly WebhookConfiguration[],
): Promise<void> {
  for (const configuration of configurations) {
    await ignoreNotFound(transport.request({ method: "DELETE", path: pathOf(configuration) }));
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
  return pathBelow(collectionOf(configuration), configuration);
}
