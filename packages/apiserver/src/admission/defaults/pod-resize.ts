import { goQuote, type JsonObject } from "@kubewright/cel/json";
import { addQuantities, compareQuantities, type Quantity, quantityToNumber } from "@kubewright/cel/quantity";
import { amountsOf, ofContainers } from "../../builtin/defaults/pod-resources.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import { refused } from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";
import { StatusError } from "../../model/status.ts";
import { ParsedCollection } from "../../storage/parsed-collection.ts";
import type { Store } from "../../storage/store.ts";
import { amountOf } from "../../validation/amounts.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import { specOf } from "./objects.ts";

type Amounts = Record<string, string>;

interface Node {
  system: string | undefined;
  allocatable: Amounts;
}

/** The powers of ten in which messages show amounts. */
const units = { cpu: -3, memory: 0 };

/** Refuses the resize of a Pod that its node can't do. */
export class PodResize implements AdmissionPlugin {
  readonly name = "PodResizeValidator";
  readonly operations: ReadonlySet<Operation> = new Set(["UPDATE"]);
  readonly #nodes: ParsedCollection<Node>;

  /** @param store - where the nodes are */
  constructor(store: Store) {
    this.#nodes = new ParsedCollection(store.collection("nodes"), (object) => {
      const { metadata, status } = object as { metadata?: JsonObject; status?: JsonObject };
      const labels = (metadata?.labels ?? {}) as Record<string, string>;
      return { system: labels["kubernetes.io/os"], allocatable: (status?.allocatable ?? {}) as Amounts };
    });
  }

  validate(attributes: AdmissionAttributes): void {
    const { object, oldObject, type, subresource } = attributes;
    if (type.group !== "" || type.resource !== "pods" || subresource !== "resize") return;
    if (object === undefined || object.metadata.generation === oldObject?.metadata.generation) return;
    const name = String(specOf(object).nodeName ?? "");
    if (name === "") return;
    const node = this.#nodes.get(name);
    if (node === undefined) throw refused(attributes, `node ${goQuote(name)} not found`);
    if (node.system !== undefined && node.system !== "linux") {
      const problem = `pod resize is only supported on linux nodes, node ${goQuote(name)} is ${goQuote(node.system)}`;
      throw refusedFor("UnsupportedPlatform", attributes, problem);
    }
    const lacking = lackOf(requestsOf(object), node.allocatable);
    if (lacking.length === 0) return;
    const problem = `node didn't have enough allocatable resources: ${lacking.join("; ")}`;
    throw refusedFor("NodeCapacity", attributes, problem);
  }
}

/** Returns what a Pod requests in all, in billionths. */
function requestsOf(pod: ApiObject): (name: "cpu" | "memory") => Quantity {
  const spec = specOf(pod);
  const amounts = { ...ofContainers(spec, "requests"), ...amountsOf(spec, "requests") };
  const overhead = (spec.overhead ?? {}) as Amounts;
  return (name) => addQuantities(amountOf(amounts[name] ?? "0"), amountOf(overhead[name] ?? "0"));
}

function lackOf(requests: (name: "cpu" | "memory") => Quantity, allocatable: Amounts): string[] {
  return (["cpu", "memory"] as const).flatMap((name) => {
    const [requested, available] = [requests(name), amountOf(allocatable[name] ?? "0")];
    if (compareQuantities(requested, available) <= 0) return [];
    const shown = (amount: Quantity): number => Math.ceil(quantityToNumber(amount, units[name]));
    return [`${name}, requested: ${shown(requested)}, allocatable: ${shown(available)}`];
  });
}

function refusedFor(reason: string, attributes: AdmissionAttributes, problem: string): StatusError {
  const { code, reason: kind, message, details } = refused(attributes, problem);
  return new StatusError(code, kind, message, { ...details, causes: [{ reason }] });
}
