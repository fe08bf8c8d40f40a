import { errorText } from "../log/error-text.ts";
import type { ActiveManagerFault, InspectMessage, ManagerFault } from "../session/records.ts";
import type { Inspector, ReconcileTarget } from "./inspector.ts";

/** A request of the parent process. */
type Call =
  | { call: "queues" | "controllers" | "caches" | "faults" | "clear-faults" }
  | { call: "fault"; fault: ManagerFault }
  | { call: "pause"; paused: boolean }
  | { call: "reconcile"; target: ReconcileTarget };

/** A message to the parent process. */
type Sent = { kubewright: "inspect" } & (
  | { message: InspectMessage }
  | { faults: readonly ActiveManagerFault[] }
  | { id: number; answer?: unknown; error?: string }
);

/**
 * Reports to the parent process, `scaffold dev`, and answers its requests. Only one manager of a process does: with several,
 * the first.
 */
export function reportToParent(inspector: Inspector): void {
  if (!process.send || isReporting) return;
  isReporting = true;
  inspector.subscribe((message) => send({ kubewright: "inspect", message }));
  inspector.faults.observe((faults) => send({ kubewright: "inspect", faults }));
  process.on("message", (received) => {
    const { kubewright, id, ...call } = received as { kubewright?: string; id?: number } & Call;
    if (kubewright !== "inspect" || typeof id !== "number") return;
    try {
      send({ kubewright: "inspect", id, answer: answerTo(inspector, call as Call) });
    } catch (error) {
      send({ kubewright: "inspect", id, error: errorText(error) });
    }
  });
  // The channel alone doesn't keep the process running.
  process.channel?.unref();
}

let isReporting = false;

function send(message: Sent): void {
  // The parent may have ended. The bundle of `scaffold dev` then ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function answerTo(inspector: Inspector, call: Call): unknown {
  switch (call.call) {
    case "queues":
      return inspector.queues();
    case "controllers":
      return { paused: inspector.paused, controllers: inspector.controllers() };
    case "caches":
      return inspector.caches();
    case "faults":
      return inspector.faults.active();
    case "clear-faults":
      inspector.faults.clear();
      return inspector.faults.active();
    case "fault":
      inspector.faults.inject(call.fault);
      return inspector.faults.active();
    case "pause":
      inspector.pause(call.paused);
      return { paused: inspector.paused };
    case "reconcile":
      return inspector.reconcileNow(call.target);
  }
}
