import type { ApiObject, Strategy, StrategyContext } from "../../registry/resource.ts";
import { customResourceDefinition } from "./apiextensions/custom-resource-definition.ts";
import { configMap } from "./core/config-map.ts";
import { namespace } from "./core/namespace.ts";
import { secret } from "./core/secret.ts";
import { strategyOf, traits } from "./traits.ts";

/** The rules of kinds beyond their traits, by group and resource. */
const strategies: Readonly<Record<string, Strategy>> = {
  "apiextensions.k8s.io/customresourcedefinitions": customResourceDefinition,
  "/configmaps": configMap,
  "/namespaces": namespace,
  "/secrets": secret,
};

/**
 * Finds the rules of a built-in kind.
 *
 * @param group - the group
 * @param resource - the resource
 * @returns the rules that follow from its traits, and its own
 */
export function strategyOfResource(group: string, resource: string): Strategy {
  const general = strategyOf(traits[`${group}/${resource}`] ?? {});
  const own = strategies[`${group}/${resource}`];
  if (own === undefined) return general;
  return {
    ...general,
    ...own,
    prepareForCreate(object: ApiObject, context: StrategyContext) {
      general.prepareForCreate?.(object, context);
      own.prepareForCreate?.(object, context);
    },
    prepareForUpdate(object: ApiObject, old: ApiObject, context: StrategyContext) {
      general.prepareForUpdate?.(object, old, context);
      own.prepareForUpdate?.(object, old, context);
    },
  };
}
