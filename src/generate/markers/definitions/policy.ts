import { marker } from "./define.ts";

export const POLICY_ACTIONS = ["Deny", "Warn", "Audit"] as const;
export const POLICY_OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"] as const;
export const POLICY_REASONS = ["Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge"] as const;

/** The marker for admission policies. */
export const policyMarkers = [
  marker({
    name: "kubewright:policy",
    targets: ["type", "package"],
    category: "Policy",
    extension: true,
    summary: "Declares a ValidatingAdmissionPolicy, for rules that a CRD can't express.",
    details:
      'Example: `+kubewright:policy:name=owner,rule="object.metadata.labels.owner == request.userInfo.username",message="the label owner must be your name"`. On a kind, the policy applies to it. On a package, `resource` sets the kind. The rule can use `object`, `oldObject`, `request`, `namespaceObject` and `authorizer`.',
    fields: {
      name: { type: "string", extension: true, summary: "The first part of the policy's name." },
      rule: { type: "string", extension: true, summary: "A CEL expression that is true for allowed requests." },
      operations: {
        type: "[]string",
        optional: true,
        extension: true,
        summary: "The operations that it applies to; default `CREATE;UPDATE`.",
      },
      message: { type: "string", optional: true, extension: true, summary: "The message for refused requests." },
      messageExpression: {
        type: "string",
        optional: true,
        extension: true,
        summary: "A CEL expression for the message.",
      },
      reason: {
        type: "string",
        optional: true,
        extension: true,
        summary: "`Unauthorized`, `Forbidden`, `Invalid` or `RequestEntityTooLarge`; default `Invalid`.",
      },
      action: {
        type: "string",
        optional: true,
        extension: true,
        summary: "`Deny` refuses the request, `Warn` and `Audit` only report it; default `Deny`.",
      },
      condition: {
        type: "string",
        optional: true,
        extension: true,
        summary: "A CEL expression for the requests that the policy applies to.",
      },
      resource: {
        type: "string",
        optional: true,
        extension: true,
        summary: "On a package: the kind, such as `apps/v1/deployments`, or `v1/pods` for the core group.",
      },
    },
  }),
] as const;
