import type { JsonObject } from "./decode.ts";
import type { WebhookArguments } from "./marker.ts";

/** Converts the arguments of a marker to a webhook, before its patch. Wrong values are reported by the checks. */
export function toWebhook(given: WebhookArguments): JsonObject {
  const { name, timeoutSeconds, admissionReviewVersions, mutating } = given;
  const reinvocationPolicy = mutating ? spelled(given.reinvocationPolicy, REINVOCATION_POLICIES) : undefined;
  return {
    name,
    clientConfig: clientConfig(given),
    rules: [
      {
        operations: (given.verbs ?? []).map((verb) => spelled(verb, OPERATIONS) ?? verb),
        apiGroups: given.groups?.map((group) => (group === "core" ? "" : group)) ?? null,
        apiVersions: given.versions,
        resources: given.resources,
      },
    ],
    failurePolicy: spelled(given.failurePolicy, FAILURE_POLICIES) ?? given.failurePolicy,
    matchPolicy: spelled(given.matchPolicy, MATCH_POLICIES) ?? null,
    sideEffects: spelled(given.sideEffects, SIDE_EFFECTS) ?? null,
    timeoutSeconds: timeoutSeconds === 0 ? null : Number(BigInt.asIntN(32, BigInt(timeoutSeconds))),
    admissionReviewVersions,
    ...(reinvocationPolicy === undefined ? {} : { reinvocationPolicy }),
  };
}

export const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"] as const;
export const FAILURE_POLICIES = ["Ignore", "Fail"] as const;
export const MATCH_POLICIES = ["Exact", "Equivalent"] as const;
export const SIDE_EFFECTS = ["None", "NoneOnDryRun", "Some"] as const;
export const REINVOCATION_POLICIES = ["Never", "IfNeeded"] as const;

/** Returns the API's spelling of a value, which markers may write in any case; undefined if it isn't a known value. */
export function spelled<Value extends string>(text: string, known: readonly Value[]): Value | undefined {
  return known.find((each) => each.toLowerCase() === text.toLowerCase());
}

function clientConfig({ path, url, serviceName, serviceNamespace, servicePort }: WebhookArguments): JsonObject {
  if (path === "") return { url };
  const service = { name: serviceName || "webhook-service", namespace: serviceNamespace || "system", path };
  return { service: servicePort === null ? service : { ...service, port: servicePort } };
}
