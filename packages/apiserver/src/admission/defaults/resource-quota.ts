import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  addQuantities,
  canonicalQuantity,
  formatQuantity,
  negateQuantity,
  parseQuantity,
} from "@kubewright/cel/quantity";
import { type Amounts, sum } from "../../builtin/defaults/pod-resources.ts";
import { accessReviews } from "../../model/access-reviews.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import { refused } from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";
import type { StatusError } from "../../model/status.ts";
import { ParsedCollection } from "../../storage/parsed-collection.ts";
import type { Store } from "../../storage/store.ts";
import { amountOf, compareAmounts } from "../../validation/amounts.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import { type Evaluator, evaluatorOf, type Scope } from "./quota-usage.ts";

/** The parts of a quota that decide about requests. Its limits are those of its status: a controller copies them. */
interface Quota {
  name: string;
  scopes: Scope[];
  hard: Amounts;
  used: Amounts;
}

/**
 * Writes what is used of a quota into its status.
 *
 * @returns false if the quota has changed since `before` was read
 */
export type WriteUsage = (namespace: string, name: string, before: Amounts, used: Amounts) => Promise<boolean>;

/** Resources that aren't stored, and events. */
const uncounted = new Set(["/bindings", "/componentstatuses", "/events", "events.k8s.io/events", ...accessReviews]);

const attempts = 4;

/** Refuses what exceeds the quotas of the namespace, and adds the rest to their usage. */
export class ResourceQuota implements AdmissionPlugin {
  readonly name = "ResourceQuota";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE"]);
  readonly #quotas: ParsedCollection<Quota>;
  readonly #writeUsage: WriteUsage;

  /**
   * @param store - where the quotas are
   * @param writeUsage - changes their status
   */
  constructor(store: Store, writeUsage: WriteUsage) {
    this.#quotas = new ParsedCollection(store.collection("resourcequotas"), quotaOf);
    this.#writeUsage = writeUsage;
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const { namespace, object, operation, type } = attributes;
    if (this.#quotas.size === 0 || namespace === "" || object === undefined) return undefined;
    const isNewNamespace = type.group === "" && type.resource === "namespaces" && operation === "CREATE";
    if (isNewNamespace || uncounted.has(`${type.group}/${type.resource}`)) return undefined;
    const evaluator = evaluatorOf(type.group, type.resource);
    if (!evaluator.handles(attributes)) return undefined;
    return this.#charge(attributes, object, evaluator);
  }

  async #charge(attributes: AdmissionAttributes, object: ApiObject, evaluator: Evaluator): Promise<void> {
    const charged = new Set<string>();
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const quotas = this.#quotas.list(`${attributes.namespace}/`).filter(({ name }) => !charged.has(name));
      const usages = checked(quotas, attributes, object, evaluator);
      if (attributes.dryRun || usages.size === 0) return;
      for (const [{ name, used: before }, used] of usages) {
        if (await this.#writeUsage(attributes.namespace, name, before, used)) charged.add(name);
      }
      if ([...usages.keys()].every(({ name }) => charged.has(name))) return;
    }
  }
}

function quotaOf({ metadata, spec, status }: JsonObject): Quota {
  const fields = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
  const { scopes, scopeSelector } = fields(spec);
  const { matchExpressions } = fields(scopeSelector);
  const { hard, used } = fields(status);
  return {
    name: String(fields(metadata).name),
    scopes: [
      ...((Array.isArray(scopes) ? scopes : []) as string[]).map((scopeName) => ({ scopeName, operator: "Exists" })),
      ...((Array.isArray(matchExpressions) ? matchExpressions : []) as unknown as Scope[]),
    ],
    hard: fields(hard) as Amounts,
    used: fields(used) as Amounts,
  };
}

/**
 * Checks a request against the quotas that concern it.
 *
 * @returns the new usage of the quotas that it changes
 * @throws StatusError (403) if it isn't allowed
 */
function checked(
  quotas: readonly Quota[],
  attributes: AdmissionAttributes,
  object: ApiObject,
  evaluator: Evaluator,
): Map<Quota, Amounts> {
  const refuse = (problem: string): StatusError => refused(attributes, problem);
  const concerned = quotas.filter((quota) => concerns(quota, evaluator, object));
  for (const { name, hard, used } of concerned) {
    const limited = Object.keys(hard).filter((key) => evaluator.counts(key));
    const missing = evaluator.missing(limited, object);
    if (missing !== undefined) throw refuse(`failed quota: ${name}: ${missing}`);
    if (limited.some((one) => used[one] === undefined)) {
      throw refuse(`status unknown for quota: ${name}, resources: ${limited.sort().join(",")}`);
    }
  }
  const usage = evaluator.usage(object);
  const negative = Object.keys(usage).filter((name) => amountOf(usage[name] as string).value < 0n);
  if (negative.length > 0) throw refuse(`quota usage is negative for resource(s): ${negative.sort().join(",")}`);
  const { oldObject, operation, subresource } = attributes;
  const changes = new Map<Quota, Amounts>();
  for (const quota of concerned) {
    const isCounted = operation === "UPDATE" && oldObject !== undefined && concerns(quota, evaluator, oldObject);
    const { name, hard, used } = quota;
    const added = Object.entries(isCounted ? increase(usage, evaluator.usage(oldObject)) : usage).filter(
      ([value, amount]) => hard[value] !== undefined && amountOf(amount).value !== 0n,
    );
    if (added.length === 0) continue;
    const next = sum(used, Object.fromEntries(added));
    const exceeded = added.filter(([one]) => compareAmounts(next[one] as string, hard[one] as string) > 0);
    if (subresource !== "status" && exceeded.length > 0) {
      const shown = (amounts: Amounts): string => textOf(exceeded.map(([one]) => [one, amounts[one] as string]));
      const limits = `used: ${shown(used)}, limited: ${shown(hard)}`;
      throw refuse(`exceeded quota: ${name}, requested: ${textOf(exceeded)}, ${limits}`);
    }
    changes.set(quota, next);
  }
  return changes;
}

function concerns({ hard, scopes }: Quota, evaluator: Evaluator, object: ApiObject): boolean {
  return (
    Object.keys(hard).some((name) => evaluator.counts(name)) && scopes.every((scope) => evaluator.isIn(scope, object))
  );
}

/** The amounts that an object uses more than before. */
function increase(now: Amounts, before: Amounts): Amounts {
  const result: Amounts = {};
  for (const [name, amount] of Object.entries(now)) {
    const more = addQuantities(parseQuantity(amount), negateQuantity(parseQuantity(before[name] ?? "0")));
    if (more.value > 0n) result[name] = formatQuantity(more);
  }
  return result;
}

function textOf(amounts: [name: string, amount: string][]): string {
  const parts = amounts.map(([name, amount]) => `${name}=${canonicalQuantity(amount)}`);
  return parts.sort().join(",");
}
