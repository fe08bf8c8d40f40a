import type { ExternalHook } from "../external/external.ts";
import { connecting } from "../transport/http/hooks.ts";
import type { PlanRecords } from "./plan-records.ts";
import { positionOf } from "./positions.ts";
import { planScope } from "./scope.ts";

/** Ends a reconcile at a call that a plan neither makes nor has a result for. */
class PlannedEnd extends Error {}

/** Returns the hook that lists the calls of external systems. */
export function planExternal(records: PlanRecords): ExternalHook {
  return ({ name: system, reads, plan }, name, values, call) => {
    if (reads.has(name)) return connecting(call);
    const assume = plan[name];
    const scope = planScope.getStore();
    if (scope?.end) throw scope.end;
    records.external.push({
      system,
      function: name,
      arguments: values.map((value) => records.secrets.shown(value)),
      assumed: assume !== undefined,
      controller: scope?.controller ?? "",
      object: scope?.object ?? { kind: "", namespace: "", name: "" },
      ...positionOf(),
    });
    if (assume) return assume(...values);
    const end = new PlannedEnd(`plan: ${system}.${name} isn't called, so the reconcile ends here`);
    if (scope) scope.end = end;
    throw end;
  };
}
