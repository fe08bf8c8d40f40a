import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../model/resource.ts";
import type { Entry } from "../model/stored-state.ts";
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
  const parsed = new WeakMap<Entry, Role>();
  let running = false;
  const update = (): void => {
    // Updates are changes themselves; the loop below repeats until nothing changes.
    if (running) return;
    running = true;
    try {
      // Roles that aggregate each other settle after as many rounds as there are roles, at most.
      for (let round = 0; round <= collection.size; round++) {
        if (!updateOnce(store, parsed, time)) break;
      }
    } catch {
      // The data file can't be written. The write of the other role succeeded.
      const end = store.onWrite(() => {
        end();
        update();
      });
    } finally {
      running = false;
    }
  };
  update();
  return collection.onChange(update);
}

/** A ClusterRole with its rules as JSON, by which they are compared. */
interface Role {
  object: ApiObject;
  rules: readonly string[];
}

/** Updates all roles once. Returns true if one has changed. `parsed` holds the roles of earlier calls. */
function updateOnce(store: Store, parsed: WeakMap<Entry, Role>, time: () => string): boolean {
  const collection = store.collection("clusterroles.rbac.authorization.k8s.io");
  const roles = collection.list("").map((entry): [string, Role] => {
    let role = parsed.get(entry);
    if (role === undefined) {
      role = parseRole(entry.text);
      parsed.set(entry, role);
    }
    return [entry.key, role];
  });
  let changed = false;
  for (const [key, { object, rules: present }] of roles) {
    const selectors = isObject(object.aggregationRule) ? object.aggregationRule.clusterRoleSelectors : undefined;
    if (!Array.isArray(selectors) || selectors.length === 0) continue;
    const rules = selectedRules(selectors, key, roles);
    if (rules.length === present.length && rules.every((rule, index) => rule === present[index])) continue;
    changed = true;
    store.put(collection, key, (revision) => {
      const metadata = { ...object.metadata, managedFields: owned(object, time()), resourceVersion: String(revision) };
      return JSON.stringify({ ...object, metadata, rules: rules.map((rule) => JSON.parse(rule) as Json) });
    });
  }
  return changed;
}

function parseRole(text: string): Role {
  const object = JSON.parse(text) as ApiObject;
  const rules = Array.isArray(object.rules) ? object.rules : [];
  return { object, rules: rules.map((rule) => JSON.stringify(rule)) };
}

function selectedRules(selectors: readonly Json[], key: string, roles: readonly [string, Role][]): string[] {
  const rules = new Set<string>();
  for (const selector of selectors) {
    const requirements = selectorOfObject(selector);
    for (const [other, { object, rules: own }] of roles) {
      if (other === key || !matchesLabels(requirements, object.metadata.labels)) continue;
      for (const rule of own) rules.add(rule);
    }
  }
  return [...rules];
}

function owned(role: ApiObject, time: string): JsonObject[] {
  const entry = {
    manager,
    operation: "Apply",
    apiVersion: "rbac.authorization.k8s.io/v1",
    time,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:rules": {} },
  };
  return [entry, ...(role.metadata.managedFields ?? []).filter((managedField) => managedField.manager !== manager)];
}
