import { isObject } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "../../model/admission.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import { isResource, specOf } from "./objects.ts";

/** Taints new nodes, so that no Pod is scheduled to them before they are ready. */
export class TaintNodesByCondition implements AdmissionPlugin {
  readonly name = "TaintNodesByCondition";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE"]);

  admit(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (object === undefined || !isResource(attributes, "", "nodes")) return;
    const spec = specOf(object);
    const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
    const present = (Array.isArray(spec.taints) ? spec.taints : []).filter(isObject);
    if (present.some(({ key, effect }) => key === taint.key && effect === taint.effect)) return;
    spec.taints = [...present, taint];
  }
}
