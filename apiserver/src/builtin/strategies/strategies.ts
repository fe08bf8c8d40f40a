import type { ApiObject, Strategy, StrategyContext } from "../../registry/resource.ts";
import { webhookConfiguration } from "./admissionregistration/webhook-configuration.ts";
import { customResourceDefinition } from "./apiextensions/custom-resource-definition.ts";
import { daemonSet, deployment, replicaSet, statefulSet } from "./apps/workloads.ts";
import { certificateSigningRequests } from "./certificates/certificate-signing-request.ts";
import { configMap } from "./core/config-map.ts";
import { namespace } from "./core/namespace.ts";
import { pod } from "./core/pod.ts";
import { secret } from "./core/secret.ts";
import { serviceStrategy } from "./core/service.ts";
import { strategyOf, traits } from "./traits.ts";

/** Creates the rules of kinds beyond their traits, by group and resource. Each server has its own, because some count. */
function createStrategies(): Readonly<Record<string, Strategy>> {
  return {
    "admissionregistration.k8s.io/mutatingwebhookconfigurations": webhookConfiguration(true),
    "admissionregistration.k8s.io/validatingwebhookconfigurations": webhookConfiguration(false),
    "apiextensions.k8s.io/customresourcedefinitions": customResourceDefinition,
    "apps/daemonsets": daemonSet,
    "apps/deployments": deployment,
    "apps/replicasets": replicaSet,
    "apps/statefulsets": statefulSet,
    "certificates.k8s.io/certificatesigningrequests": certificateSigningRequests,
    "/configmaps": configMap,
    "/namespaces": namespace,
    "/pods": pod,
    "/secrets": secret,
    "/services": serviceStrategy(),
  };
}

/**
 * Creates the rules of the built-in kinds.
 *
 * @returns a function that finds the rules of a resource: those that follow from its traits, and its own
 */
export function builtInStrategies(): (group: string, resource: string) => Strategy {
  const strategies = createStrategies();
  return (group, resource) => {
    const general = strategyOf(traits[`${group}/${resource}`] ?? {});
    const own = strategies[`${group}/${resource}`];
    return own === undefined ? general : combine(general, own);
  };
}

function combine(general: Strategy, own: Strategy): Strategy {
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
