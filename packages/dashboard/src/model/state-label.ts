import type { ObjectSummary } from "../protocol/protocol.ts";

/** The fields of an object that determine its state. */
export type Stateful = Pick<ObjectSummary, "ready" | "deleting" | "status" | "statusMessage">;

/** Returns whether an object is ready and, if it isn't, its state of kstatus with the message. */
export function stateLabel({ ready, deleting, status, statusMessage }: Stateful): string {
  if (deleting) return "Being deleted";
  if (ready === null) return "No readiness";
  if (ready) return "Ready";
  return ["Not ready", ...(status === null ? [] : [status]), ...(statusMessage === "" ? [] : [statusMessage])].join(
    ": ",
  );
}
