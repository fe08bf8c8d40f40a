import type { JsonObject } from "@kubewright/cel/json";
import { addAmounts, compareAmounts } from "../../validation/amounts.ts";
import { ensureObject, objectAt, objectsAt } from "./values.ts";

const isHugePages = (name: string): boolean => name.startsWith("hugepages-");
const isOfPods = (name: string): boolean => name === "cpu" || name === "memory" || isHugePages(name);

/** Quantities by their resources. */
export type Amounts = Record<string, string>;

/** Returns the requests or limits of a container or a Pod by their resources. */
export function amountsOf(holder: JsonObject, key: string): Amounts {
  return (objectAt(objectAt(holder, "resources"), key) ?? {}) as Amounts;
}

/**
 * Sets the requests of the containers of a Pod that have limits.
 *
 * @param spec - the specification of the Pod
 */
export function defaultContainerRequests(spec: JsonObject): void {
  for (const container of [...objectsAt(spec, "containers"), ...objectsAt(spec, "initContainers")]) {
    setMissing(container, "requests", amountsOf(container, "limits"));
  }
}

/**
 * Sets the missing limits and requests of a Pod itself, if it has some.
 *
 * @param spec - the specification of the Pod, with all containers that admission adds
 */
export function defaultPodResources(spec: JsonObject): void {
  const requested = amountsOf(spec, "requests");
  if (Object.keys(requested).length === 0 && Object.keys(amountsOf(spec, "limits")).length === 0) return;
  const isMissing = (name: string): boolean => isHugePages(name) && requested[name] === undefined;
  setMissing(spec, "limits", only(ofContainers(spec, "limits"), isMissing));
  setMissing(
    spec,
    "requests",
    only(ofContainers(spec, "requests"), (name) => isOfPods(name) && !isHugePages(name)),
  );
  setMissing(spec, "requests", only(amountsOf(spec, "limits"), isOfPods));
  setMissing(spec, "limits", limitsOfContainers(spec));
}

/** Returns the limits of resources for which all containers have one. They are at least the requests of the Pod. */
function limitsOfContainers(spec: JsonObject): Amounts {
  const requests = amountsOf(spec, "requests");
  const containers = [...objectsAt(spec, "containers"), ...objectsAt(spec, "initContainers")];
  const isLimited = (name: string): boolean =>
    isOfPods(name) &&
    requests[name] !== undefined &&
    containers.every((container) => amountsOf(container, "limits")[name] !== undefined);
  const limits = only(ofContainers(spec, "limits"), isLimited);
  return greater(
    limits,
    only(requests, (name) => limits[name] !== undefined),
  );
}

function only(amounts: Amounts, includes: (name: string) => boolean): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => includes(name)));
}

function setMissing(holder: JsonObject, key: string, amounts: Amounts): void {
  const set = amountsOf(holder, key);
  const missing = only(amounts, (name) => set[name] === undefined);
  if (Object.keys(missing).length > 0) Object.assign(ensureObject(ensureObject(holder, "resources"), key), missing);
}

/** Returns what the containers need: those that run beside one another, or more while an init container runs. */
export function ofContainers(spec: JsonObject, key: string): Amounts {
  let total: Amounts = {};
  for (const container of objectsAt(spec, "containers")) total = sum(total, amountsOf(container, key));
  let sidecars: Amounts = {};
  let most: Amounts = {};
  for (const container of objectsAt(spec, "initContainers")) {
    const own = amountsOf(container, key);
    const isSidecar = container.restartPolicy === "Always";
    if (isSidecar) {
      total = sum(total, own);
      sidecars = sum(sidecars, own);
    }
    most = greater(most, isSidecar ? sidecars : sum(sidecars, own));
  }
  return greater(total, most);
}

/** Returns the sums of the amounts of each resource. */
export function sum(some: Amounts, more: Amounts): Amounts {
  const result = { ...some };
  for (const [name, amount] of Object.entries(more)) {
    const sumOfName = result[name];
    result[name] = sumOfName === undefined ? amount : addAmounts(sumOfName, amount);
  }
  return result;
}

function greater(some: Amounts, others: Amounts): Amounts {
  const result = { ...some };
  for (const [name, amount] of Object.entries(others)) {
    const earlier = result[name];
    if (earlier === undefined || compareAmounts(earlier, amount) < 0) result[name] = amount;
  }
  return result;
}
