import type { ManagerFault } from "./records.ts";

/** Name of the environment variable that `scaffold dev` sets for the manager, which it starts with a channel. */
const variable = "KUBEWRIGHT_INSPECT";

const pausedVariable = "KUBEWRIGHT_INSPECT_PAUSED";

const faultsVariable = "KUBEWRIGHT_INSPECT_FAULTS";

const webhooksVariable = "KUBEWRIGHT_INSPECT_WEBHOOKS";

const webhookKeysVariable = "KUBEWRIGHT_INSPECT_WEBHOOK_KEYS";

const identityVariable = "KUBEWRIGHT_INSPECT_IDENTITY";

/** Returns whether `scaffold dev` has started this process, so that the manager reports to it. */
export function isInspectedByParent(): boolean {
  return process.env[variable] === "parent" && process.send !== undefined;
}

/**
 * Returns the identity with which all managers of a session of `scaffold dev`, of which one runs at a time, hold their lease:
 * the next one continues without waiting for it. The session releases the lease at its end.
 */
export function identityOfParent(): string | undefined {
  return (isInspectedByParent() && process.env[identityVariable]) || undefined;
}

/** Returns whether `scaffold dev` starts this process while reconciling is paused. */
export function isPausedByParent(): boolean {
  return isInspectedByParent() && process.env[pausedVariable] === "true";
}

/** Returns the faults that were injected into an earlier manager of the session, and haven't ended. */
export function faultsOfParent(): readonly ManagerFault[] {
  const text = (isInspectedByParent() && process.env[faultsVariable]) || "[]";
  return JSON.parse(text) as ManagerFault[];
}

/** Returns whether `scaffold dev` passes the requests of API servers on to this process, and configures them. */
export function areWebhooksOfParent(): boolean {
  return process.env[webhooksVariable] === "true" && isInspectedByParent();
}

/** Returns the file with the keys of the session's webhooks, which the manager uses, too. */
export function webhookKeysOfParent(): string | undefined {
  return (areWebhooksOfParent() && process.env[webhookKeysVariable]) || undefined;
}
