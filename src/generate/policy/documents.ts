/** The content of a policy and its binding. */
export interface PolicySpec {
  /** The name of both, without the prefix of the project. */
  readonly name: string;
  readonly resource: { readonly group: string; readonly version: string; readonly plural: string };
  readonly operations: readonly string[];
  readonly action: string;
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly condition?: string;
}

const apiVersion = "admissionregistration.k8s.io/v1";

/** Returns a policy and its binding. */
export function policyDocuments(policy: PolicySpec): object[] {
  const { name, resource, operations, action, rule, message, messageExpression, reason, condition } = policy;
  return [
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        failurePolicy: "Fail",
        ...(condition === undefined ? {} : { matchConditions: [{ expression: condition, name: "condition" }] }),
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: [resource.group],
              apiVersions: [resource.version],
              operations,
              resources: [resource.plural],
            },
          ],
        },
        validations: [
          {
            expression: rule,
            ...(message === undefined ? {} : { message }),
            ...(messageExpression === undefined ? {} : { messageExpression }),
            ...(reason === undefined ? {} : { reason }),
          },
        ],
      },
    },
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: [action] },
    },
  ];
}
