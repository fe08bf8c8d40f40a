import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { equalJson } from "../json/values.ts";
import type { ApiObject } from "../registry/resource.ts";
import { matchesLabels } from "../request/label-selector.ts";
import { selectorOfObject } from "../request/selector-object.ts";
import type { Store } from "../storage/store.ts";

const manager = "clusterrole-aggregation-controller";

/**
 * Keeps the rules of ClusterRoles with an aggregation rule up to date: they are those of the ClusterRoles that it selects,
 * in the order of their names.
 *
 * @param store - where the ClusterRoles are
 * @param time - returns the present time, as metadata holds it
 * @returns a function that ends the updates
 */
export function aggregateClusterRoles(store: Store, time: () => string): () => void {
  const collection = store.collection("clusterroles.rbac.authorization.k8s.io");
  let running = false;
  const update = (): void => {
    // Updates are changes themselves; the loop below repeats until nothing changes.
    if (running) return;
    running = true;
    try {
      // Roles that aggregate each other settle after as many rounds as there are roles, at most.
      for (let round = 0; round <= collection.size; round++) {
        if (!updateOnce(store, time)) break;
      }
    } finally {
      running = false;
    }
  };
  update();
  return collection.onChange(update);
}

/** Updates all roles once. Returns true if one has changed. */
function updateOnce(store: Store, time: () => string): boolean {
  const collection = store.collection("clusterroles.rbac.authorization.k8s.io");
  const roles = collection.list("").map(({ key, text }) => ({ key, role: JSON.parse(text) as ApiObject }));
  let changed = false;
  for (const { key, role } of roles) {
    const selectors = isObject(role.aggregationRule) ? role.aggregationRule.clusterRoleSelectors : undefined;
    if (!Array.isArray(selectors) || selectors.length === 0) continue;
    const rules = selectedRules(selectors, key, roles);
    const present = Array.isArray(role.rules) ? role.rules : [];
    if (equalJson(rules, present)) continue;
    changed = true;
    role.rules = rules;
    own(role, time());
    store.put(collection, key, (revision) => {
      role.metadata.resourceVersion = String(revision);
      return JSON.stringify(role);
    });
  }
  return changed;
}

function selectedRules(
  selectors: readonly Json[],
  key: string,
  roles: readonly { key: string; role: ApiObject }[],
): Json[] {
  const rules: Json[] = [];
  for (const selector of selectors) {
    const requirements = selectorOfObject(selector);
    for (const other of roles) {
      if (other.key === key || !matchesLabels(requirements, other.role.metadata.labels)) continue;
      for (const rule of Array.isArray(other.role.rules) ? other.role.rules : []) {
        if (!rules.some((one) => equalJson(one, rule))) rules.push(rule);
      }
    }
  }
  return rules;
}

function own(role: ApiObject, time: string): void {
  const entry: JsonObject = {
    manager,
    operation: "Apply",
    apiVersion: "rbac.authorization.k8s.io/v1",
    time,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:rules": {} },
  };
  const others = (role.metadata.managedFields ?? []).filter((one) => one.manager !== manager);
  role.metadata.managedFields = [entry, ...others];
}
