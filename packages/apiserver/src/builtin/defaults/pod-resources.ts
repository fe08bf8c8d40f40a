import type { JsonObject } from "@kubewright/cel/json";
import { addAmounts, compareAmounts } from "../../validation/amounts.ts";
import { ensureObject, objectAt, objectsAt } from "./values.ts";

const isHugePages = (name: string): boolean => name.startsWith("hugepages-");
const isOfPods = (name: string): boolean => name === "cpu" || name === "memory" || isHugePages(name);

/** Quantities by their resources. */
export type Amounts = Record<string, string>;

/** @returns the requests or limits of a container or a Pod by their resources */
export function amountsOf(holder: JsonObject, key: string): Amounts {
  return (objectAt(objectAt(holder, "resources"), key) ?? {}) as Amounts;
}

/**
 * Sets the requests of the containers of a Pod, and the limits and requests of the Pod itself, if it has some.
 *
 * @param spec - the specification of the Pod
 */
export function defaultPodResources(spec: JsonObject): void {
  for (const container of [...objectsAt(spec, "containers"), ...objectsAt(spec, "initContainers")]) {
    setMissing(container, "requests", amountsOf(container, "limits"));
  }
  if (objectAt(spec, "resources") === undefined) return;
  const isLimited = (): boolean => Object.keys(amountsOf(spec, "limits")).length > 0;
  if (isLimited() || Object.keys(amountsOf(spec, "requests")).length > 0) {
    const requested = amountsOf(spec, "requests");
    const missing = (name: string): boolean => isHugePages(name) && requested[name] === undefined;
    setMissing(spec, "limits", only(ofContainers(spec, "limits"), missing));
  }
  if (!isLimited()) return;
  setMissing(
    spec,
    "requests",
    only(ofContainers(spec, "requests"), (name) => isOfPods(name) && !isHugePages(name)),
  );
  setMissing(spec, "requests", only(amountsOf(spec, "limits"), isOfPods));
}

function only(amounts: Amounts, includes: (name: string) => boolean): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => includes(name)));
}

function setMissing(holder: JsonObject, key: string, amounts: Amounts): void {
  const known = amountsOf(holder, key);
  const missing = only(amounts, (name) => known[name] === undefined);
  if (Object.keys(missing).length > 0) Object.assign(ensureObject(ensureObject(holder, "resources"), key), missing);
}

/** @returns what the containers need: those that run beside one another, or more while an init container runs */
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

/** @returns the sums of the amounts of each resource */
export function sum(some: Amounts, more: Amounts): Amounts {
  const result = { ...some };
  for (const [name, amount] of Object.entries(more)) {
    const known = result[name];
    result[name] = known === undefined ? amount : addAmounts(known, amount);
  }
  return result;
}

function greater(some: Amounts, others: Amounts): Amounts {
  const result = { ...some };
  for (const [name, amount] of Object.entries(others)) {
    const known = result[name];
    if (known === undefined || compareAmounts(known, amount) < 0) result[name] = amount;
  }
  return result;
}
