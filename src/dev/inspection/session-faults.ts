import { type ActiveFault, type Fault, faultNames, RequestError } from "@kubewright/dashboard/protocol";
import { EndedError, LateError } from "../manager/manager-process.ts";
import type { ManagerRequests } from "../manager/manager-requests.ts";
import type { ManagerSupervisor } from "../manager/supervisor.ts";
import type { PodFaults } from "../session/pod-faults.ts";
import type { TargetResolver } from "../store/target-resolver.ts";
import { answered } from "./object-actions.ts";

/** The parts of a session in which faults have an effect. */
export interface SessionFaultsParts {
  readonly podFaults: PodFaults;
  readonly requests: ManagerRequests;
  readonly supervisor: Pick<ManagerSupervisor, "manager" | "faults" | "clearFaults">;
  readonly targets: Pick<TargetResolver, "resolveKind">;
}

/** The faults that people inject: into the manager, and into Pods. */
export class SessionFaults {
  readonly #parts: SessionFaultsParts;

  /** @param parts - where faults have an effect */
  constructor(parts: SessionFaultsParts) {
    this.#parts = parts;
  }

  /** @throws RequestError if the manager or the cluster doesn't answer */
  async active(): Promise<readonly ActiveFault[]> {
    const { supervisor, requests, podFaults } = this.#parts;
    // Those that the next manager continues. A busy manager has reported the same.
    const ofManager = supervisor.manager?.isInspected
      ? requests.read<ActiveFault[]>({ call: "faults" }).catch((error: RequestError) => {
          if (error.cause instanceof EndedError || error.cause instanceof LateError) return supervisor.faults;
          throw error;
        })
      : supervisor.faults;
    const ofPods = answered(() => podFaults.active());
    return (await Promise.all([ofManager, ofPods])).flat();
  }

  /** @throws RequestError if the manager or the cluster doesn't answer */
  async clear(): Promise<readonly ActiveFault[]> {
    const { supervisor, requests, podFaults } = this.#parts;
    supervisor.clearFaults();
    await answered(() => podFaults.clear());
    return requests.change<ActiveFault[]>({ call: "clear-faults" }).catch((error: unknown) => {
      // The next manager begins without faults.
      if (supervisor.manager === undefined) return [];
      throw error;
    });
  }

  /** @throws RequestError if the fault isn't valid */
  async inject(fault: Fault): Promise<readonly ActiveFault[]> {
    const { requests, podFaults, targets } = this.#parts;
    if (!faultNames.includes(fault.fault)) {
      throw new RequestError(400, `fault ${JSON.stringify(fault.fault)}: it must be one of ${faultNames.join(", ")}`);
    }
    if (fault.fault === "pod-fails") {
      const { namespace, name } = fault;
      await answered(() => podFaults.inject(namespace, name));
      // Without a manager that answers, the Pods are known.
      return this.active().catch(() => podFaults.active());
    }
    const isOfKind = fault.fault === "conflict" && fault.kind !== undefined && fault.apiVersion === undefined;
    const kind = isOfKind ? await targets.resolveKind(String(fault.kind)) : {};
    const ofManager = await requests.change<ActiveFault[]>({ call: "fault", fault: { ...fault, ...kind } });
    return [...ofManager, ...(await answered(() => podFaults.active()))];
  }
}
