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
