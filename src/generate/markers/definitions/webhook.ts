import type { JsonObject } from "../../../kubernetes/json.ts";
import { marker } from "./define.ts";

export const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"] as const;
export const FAILURE_POLICIES = ["Ignore", "Fail"] as const;
export const MATCH_POLICIES = ["Exact", "Equivalent"] as const;
export const SIDE_EFFECTS = ["None", "NoneOnDryRun", "Some"] as const;
export const REINVOCATION_POLICIES = ["Never", "IfNeeded"] as const;

/** Returns the API's spelling of a value, which markers may write in any case; undefined if it isn't a known value. */
export function spelled<Value extends string>(text: string, values: readonly Value[]): Value | undefined {
  return values.find((value) => value.toLowerCase() === text.toLowerCase());
}

/** Markers for admission webhooks. */
export const webhookMarkers = [
  marker({
    name: "kubebuilder:webhook",
    targets: ["package"],
    category: "Webhook",
    summary: "Declares an admission webhook that the operator serves.",
    details:
      "Example: `+kubebuilder:webhook:path=/mutate-apps-v1-game,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=games,verbs=create;update,versions=v1,name=mgame.kb.io,admissionReviewVersions=v1`",
    fields: {
      mutating: { type: "bool", summary: "`true` for a mutating webhook, `false` for a validating one." },
      failurePolicy: {
        type: "string",
        summary: "`fail` rejects requests if the webhook can't be reached, `ignore` admits them.",
      },
      groups: { type: "[]string", summary: 'The API groups that it handles; the core group is `""` or `core`.' },
      resources: { type: "[]string", summary: "The resources that it handles, in plural." },
      verbs: { type: "[]string", summary: "The operations that it handles: `create;update;delete;connect`, or `*`." },
      versions: { type: "[]string", summary: "The API versions that it handles." },
      name: { type: "string", summary: "The webhook's name: a domain name with at least two dots." },
      admissionReviewVersions: {
        type: "[]string",
        summary: "The AdmissionReview versions that the server supports, in order of preference: `v1`.",
      },
      path: {
        type: "string",
        optional: true,
        summary: "The path on the operator's service; either this or `url` is required.",
      },
      url: { type: "string", optional: true, summary: "The URL of a server outside the cluster." },
      sideEffects: {
        type: "string",
        optional: true,
        summary: "The side effects of a call, required by the API server: `None` or `NoneOnDryRun`.",
      },
      matchPolicy: {
        type: "string",
        optional: true,
        summary: "`Exact` matches the listed versions only, `Equivalent` also versions that can be converted to them.",
      },
      timeoutSeconds: { type: "int", optional: true, summary: "The timeout of a call, from 1 to 30 seconds." },
      reinvocationPolicy: {
        type: "string",
        optional: true,
        summary: "`IfNeeded` calls a mutating webhook again if a later one changed the object; default `Never`.",
      },
      serviceName: {
        type: "string",
        optional: true,
        summary: "The operator's service; default `webhook-service`.",
      },
      serviceNamespace: { type: "string", optional: true, summary: "The service's namespace; default `system`." },
      servicePort: {
        type: "int32",
        optional: true,
        nullable: true,
        summary: "The service's port; default 443.",
      },
      webhookVersions: {
        type: "[]string",
        optional: true,
        summary: "The versions of the configuration object; `v1` is the only one.",
      },
      patch: {
        type: "string",
        optional: true,
        summary: "A strategic merge patch, as JSON, that is applied to the generated webhook.",
        details: "Use it to set fields without an argument: `namespaceSelector`, `objectSelector`, `matchConditions`.",
      },
    },
    isPackageWide: true,
    webhook(given) {
      const { name, timeoutSeconds, admissionReviewVersions, mutating } = given;
      const { path, url, serviceName, serviceNamespace, servicePort } = given;
      const reinvocationPolicy = mutating ? spelled(given.reinvocationPolicy, REINVOCATION_POLICIES) : undefined;
      const service = { name: serviceName || "webhook-service", namespace: serviceNamespace || "system", path };
      const withPort: JsonObject = servicePort === null ? service : { ...service, port: servicePort };
      const clientConfig: JsonObject = path === "" ? { url } : { service: withPort };
      return {
        name,
        clientConfig,
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
    },
  }),
  marker({
    name: "kubebuilder:webhookconfiguration",
    targets: ["package"],
    category: "Webhook",
    summary: "Sets the name of the package's mutating or validating webhook configuration.",
    fields: {
      mutating: { type: "bool", summary: "`true` for the mutating configuration, `false` for the validating one." },
      name: { type: "string", optional: true, summary: "The name of the configuration." },
    },
    isPackageWide: true,
  }),
] as const;
