import { defineMarkers } from "./define.ts";

/** Admission webhooks. */
export const webhookMarkers = defineMarkers([
  {
    name: "kubebuilder:webhook",
    targets: ["package"],
    category: "Webhook",
    summary: "Declares an admission webhook that the operator serves.",
    details:
      "Example: `+kubebuilder:webhook:path=/mutate-apps-v1-game,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=games,verbs=create;update,versions=v1,name=mgame.kb.io,admissionReviewVersions=v1`",
    fields: {
      mutating: { type: "bool", summary: "`true`: it may change objects; `false`: it only accepts or refuses them." },
      failurePolicy: {
        type: "string",
        summary: "`fail` refuses requests while the webhook can't be reached, `ignore` lets them pass.",
      },
      groups: { type: "[]string", summary: 'The API groups whose objects it sees; the core group is `""` or `core`.' },
      resources: { type: "[]string", summary: "The resources it sees, in their plural." },
      verbs: { type: "[]string", summary: "The operations it sees: `create;update;delete;connect`, or `*`." },
      versions: { type: "[]string", summary: "The API versions it sees." },
      name: { type: "string", summary: "The webhook's name: a domain name with at least two dots." },
      admissionReviewVersions: {
        type: "[]string",
        summary: "The versions of AdmissionReview that the server understands, best first: `v1`.",
      },
      path: {
        type: "string",
        optional: true,
        summary: "The path at the operator's service; this or `url` must be given.",
      },
      url: { type: "string", optional: true, summary: "The address of a server outside the cluster." },
      sideEffects: {
        type: "string",
        optional: true,
        summary: "`None` or `NoneOnDryRun`: whether a call changes anything else. The API server asks for it.",
      },
      matchPolicy: {
        type: "string",
        optional: true,
        summary: "`Exact`: only the versions that are named; `Equivalent`: also others that can be converted.",
      },
      timeoutSeconds: { type: "int", optional: true, summary: "How long the API server waits, from 1 to 30 seconds." },
      reinvocationPolicy: {
        type: "string",
        optional: true,
        summary: "`IfNeeded` calls a mutating webhook again when a later one changed the object; default `Never`.",
      },
      serviceName: {
        type: "string",
        optional: true,
        summary: "The service in front of the operator; default `webhook-service`.",
      },
      serviceNamespace: { type: "string", optional: true, summary: "The service's namespace; default `system`." },
      servicePort: {
        type: "int32",
        optional: true,
        nullable: true,
        summary: "The service's port; the API server takes 443.",
      },
      webhookVersions: {
        type: "[]string",
        optional: true,
        summary: "The versions of the configuration object; `v1` is the only one.",
      },
      patch: {
        type: "string",
        optional: true,
        summary: "A strategic merge patch, as JSON, that is applied to the webhook last.",
        details: "Use it for what has no argument: `namespaceSelector`, `objectSelector`, `matchConditions`.",
      },
    },
  },
  {
    name: "kubebuilder:webhookconfiguration",
    targets: ["package"],
    category: "Webhook",
    summary: "Names the object that holds the package's mutating or validating webhooks.",
    fields: {
      mutating: { type: "bool", summary: "`true`: the mutating configuration, `false`: the validating one." },
      name: { type: "string", optional: true, summary: "The object's name." },
    },
  },
]);
