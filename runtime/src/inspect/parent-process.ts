/** Name of the environment variable that `scaffold dev` sets for the manager, which it starts with a channel. */
const variable = "KUBEWRIGHT_INSPECT";

const pausedVariable = "KUBEWRIGHT_INSPECT_PAUSED";

/** Returns whether `scaffold dev` has started this process, so that the manager reports to it. */
export function isInspectedByParent(): boolean {
  return process.env[variable] === "parent" && process.send !== undefined;
}

/** Returns whether `scaffold dev` starts this process while reconciling is paused. */
export function isPausedByParent(): boolean {
  return isInspectedByParent() && process.env[pausedVariable] === "true";
}
