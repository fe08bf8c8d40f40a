/** The state of an object, as Helm and Flux see it. */
export type KStatus = "InProgress" | "Current" | "Failed" | "Terminating" | "Unknown";

/** The state of an object, and why it has this state. */
export interface StatusResult {
  /** The state. */
  readonly status: KStatus;
  /** Reason in CamelCase; empty for `Current`, `Terminating` and `Unknown`. */
  readonly reason: string;
  /** Description for people. */
  readonly message: string;
}

export const current = (message: string): StatusResult => ({ status: "Current", reason: "", message });

export const inProgress = (reason: string, message: string): StatusResult => ({
  status: "InProgress",
  reason,
  message,
});

export const failed = (reason: string, message: string): StatusResult => ({ status: "Failed", reason, message });
