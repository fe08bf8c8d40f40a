import { entries, ownError, warning, warningForKstatus } from "./entry.ts";

/** Problems that the API server rejects, although controller-gen accepts them. */
export const refusedEntries = entries(ownError, {
  "bad-pattern": [
    "A pattern isn't a valid Go regular expression (RE2), which has no look-around, no back-references and at most 1000 repetitions.",
    "Rewrite the pattern, or use a CEL rule.",
  ],
  "default-mismatch": [
    "A default violates the rules of its own field. The API server rejects the CRD.",
    "Change the default or the rules.",
  ],
  "list-type": [
    "A list type doesn't fit the elements: a set of objects, a map without keys or of scalars, or elements that may be null.",
    "Choose another list type, or add `+listMapKey`.",
  ],
  "list-map-key": [
    "A key of a list with `listType=map` isn't a field of the elements, isn't a scalar, is nullable, or is neither required nor has a default.",
    "Use a required field.",
  ],
  "enum-null": [
    "A field with allowed values is nullable. The API server rejects null, because it isn't one of the values.",
    "Make the field optional instead, so that it can be omitted, or remove the enumeration.",
  ],
  "one-of-field": ["A one-of contains a field that the type doesn't have.", "Correct the name."],
  "not-structural": [
    "A schema isn't structural: a type is missing or unknown, `uniqueItems` is set, or an embedded resource isn't an object.",
    "Follow the hint. `+kubebuilder:pruning:PreserveUnknownFields` allows any value.",
  ],
  "cel-syntax": ["A CEL rule or message has a syntax error.", "Correct it at the reported position."],
  "cel-unknown-name": [
    "A CEL rule uses an unknown field, variable or function. Names with `-`, `.`, `/` and reserved words are escaped: `self.x__dash__y`.",
    "Correct the name.",
  ],
  "cel-type": [
    "A CEL rule has a type error, an invalid constant, or doesn't return a Boolean; or a message expression doesn't return a string. Rules can't read values without a type.",
    "Correct the expression at the reported position.",
  ],
  "cel-field-path": ["The `fieldPath` of a rule doesn't exist.", "Use a field of the value that the rule applies to."],
  "cel-cost": [
    "The estimated cost of CEL rules exceeds the limits of the API server: 10,000,000 per rule and 100,000,000 per version. The estimate assumes the maximum size of lists, maps and strings.",
    "Add `+kubebuilder:validation:MaxItems`, `MaxProperties` and `MaxLength` to the values in the rule and to the surrounding lists, or simplify the rule.",
  ],
  "selectable-field": [
    "A selectable field doesn't exist, isn't a string, boolean or integer, is in a list, or exceeds the maximum number of selectable fields.",
    "Use another field.",
  ],
  "bad-name": [
    "A kind, plural, singular, short name, category or version isn't a valid DNS label.",
    "Use lowercase letters, digits and `-`.",
  ],
  "bad-group": ["An API group isn't a domain name with a dot.", "Use a domain that you own."],
  "bad-scope": ["A scope isn't valid.", "Use `Namespaced` or `Cluster`."],
  "several-storage-versions": [
    "Several versions are marked as the storage version.",
    "Keep the marker on one version.",
  ],
  "cel-message": [
    "The message of a rule is empty or has line breaks, or a multi-line rule has no message.",
    "Write the message on one line.",
  ],
  "cel-old-self": ["`optionalOldSelf` is set for a rule that doesn't use `oldSelf`.", "Remove the argument."],
  "bad-metadata": [
    "A label or annotation of a CRD has a name or value that Kubernetes doesn't allow.",
    "Correct the label or annotation in the message.",
  ],
  "bad-deprecation-warning": [
    "The deprecation warning of a version is empty, exceeds 256 bytes, or contains nonprintable characters.",
    "Write a short sentence.",
  ],
  "bad-column": [
    "The path of a printer column doesn't begin with a dot, or its type or format isn't valid.",
    "Correct the argument.",
  ],
  "bad-scale-path": [
    "A path of the scale subresource isn't a path of plain fields below `.spec` or `.status`.",
    "Correct the path.",
  ],
});

/** Settings that controller-gen and the API server accept, but that don't have the intended effect. */
export const lintEntries = entries(warning, {
  "enum-type": [
    "A value of an enumeration doesn't have the type of the field.",
    "Put numbers in quotes if they are strings.",
  ],
  "pattern-not-portable": [
    "A pattern of Go has no equivalent in JavaScript, for example because `(?m)` changes `^` and `$`. The JSON Schema omits it, so editors accept any text. The API server still checks it.",
    "Rewrite the pattern without the part, or set the diagnostic to `off` in PROJECT.",
  ],
  "enum-duplicate": ["An enumeration contains a value twice.", "List each value once."],
  "unparsable-value": [
    "A default or enumeration value isn't a valid duration or quantity, as the field's type requires. The API server accepts it, but operators can't read it.",
    "Use a duration such as `1h30m`, or a quantity such as `500m`.",
  ],
  "example-mismatch": ["An example violates the rules of its own field.", "Use a valid value."],
  "limits-contradict": ["A lower limit exceeds the upper limit, so no value is valid.", "Correct one of the limits."],
  "negative-limit": ["A length or count limit is negative.", "Use 0 or more, or remove the marker."],
  "limit-without-effect": [
    "A limit applies to another type than that of the field, or an exclusive limit has no limit.",
    "Remove the marker, or add the missing limit.",
  ],
  "different-resource": [
    "Versions of a kind have different `+kubebuilder:resource` markers. The CRD has one name and scope, so one of them has no effect.",
    "Use the same marker in all versions.",
  ],
  "column-path": ["The path of a printer column doesn't exist, so the column stays empty.", "Correct the path."],
  "column-type": [
    "The type of a printer column differs from that of the field, so the column stays empty.",
    "Use the field's type, or `string`.",
  ],
  "scale-path": [
    "A path of the scale subresource doesn't exist, or is a value of another type.",
    "Use the field with the number of replicas, or with the selector as a string.",
  ],
  "unapproved-group": [
    "An API group is reserved for Kubernetes (`k8s.io`, `kubernetes.io`), and the CRD has no annotation `api-approved.kubernetes.io`, which the API server requires.",
    "Use a domain that you own. If the group is approved, add the annotation with `+kubebuilder:metadata:annotations`, or with kustomize.",
  ],
  "crd-too-big": [
    "A CRD exceeds 262144 bytes, the limit of the annotation in which `kubectl apply` stores a copy.",
    "Apply it with `--server-side`, or omit descriptions with `crd:maxDescLen=0`.",
  ],
});

/** A status from which Helm, Flux and kubectl compute a wrong state. */
export const kstatusEntries = {
  ...entries(warning, {
    "kstatus-observed-generation-type": [
      "`status.observedGeneration` isn't an integer, or can be null. Helm and Flux then wait for the object until their timeout.",
      "Declare it as `observedGeneration?: Int64`.",
    ],
    "kstatus-conditions-type": [
      "`status.conditions` isn't a list of objects with strings `type` and `status`. Helm and Flux then wait for the object until their timeout.",
      "Declare it as `conditions?: Condition[]`.",
    ],
    "kstatus-no-subresource": [
      "`status.observedGeneration` exists, but the kind has no status subresource. Each write of the status increases the generation, so the object is never up to date.",
      "Add `+kubebuilder:subresource:status`.",
    ],
  }),
  ...entries(warningForKstatus, {
    "kstatus-no-observed-generation": [
      "`status.conditions` exists, but not `status.observedGeneration`. After a change of the spec, the object counts as ready before the controller has seen the change.",
      "Add `observedGeneration?: Int64` to the status, and set it to `metadata.generation`.",
    ],
    "kstatus-no-conditions": [
      "`status` has neither `conditions` nor `observedGeneration`, so objects always count as ready.",
      "Add `conditions?: Condition[]` and `observedGeneration?: Int64` to the status.",
    ],
    "kstatus-no-initial-status": [
      "`status` has no default for `observedGeneration`, so new objects count as ready until the controller writes the status.",
      'Add `+kubebuilder:default={"observedGeneration":-1}` above the field `status`.',
    ],
  }),
};

/** Differences between RBAC markers and code, which `rbac:verify=true` reports. */
export const permissionEntries = {
  ...entries(ownError, {
    "rbac-missing": [
      "The code needs a permission that no marker grants, and no other role that is bound to the same service account.",
      "Add the marker from the hint.",
    ],
    "rbac-unverified": [
      "The code can't be compared with the markers, because the runtime isn't installed.",
      "Install the project's dependencies.",
    ],
  }),
  ...entries(warning, {
    "rbac-unneeded": [
      "A marker grants permissions that the code doesn't need.",
      "Remove the verbs or the marker, so that a compromised service account can do less.",
    ],
    "rbac-unknown-kind": [
      "The kind of a call can't be determined from the code, so permissions may be missing.",
      "Use a specific kind's type, or make sure that the markers grant the permission.",
    ],
    "rbac-unknown-role": [
      "The code writes a role or a binding whose permissions can't be determined. The API server refuses to delegate permissions that the operator doesn't have, unless it has the verb `escalate` (for roles) or `bind` (for bindings). Because the operator may have permissions only to delegate them, none is reported as unneeded.",
      "Write the rules or the name of the role as literals, or grant `escalate` or `bind` for the role.",
    ],
    "rbac-unseen": [
      "The code passes a client to code that can't be analyzed, or sends requests by other means. Therefore, no permission is reported as unneeded.",
      "Call the client in the operator's own code, or turn this diagnostic off.",
    ],
  }),
};

/** Problems with roles and webhooks. */
export const accessEntries = {
  ...entries(ownError, {
    "rbac-without-group": [
      "A rule for resources has no API group. The API server rejects the role.",
      'Add the group. The core group is `groups=""`.',
    ],
    "rbac-without-verb": ["A rule has no verbs. The API server rejects the role.", "Add the verbs."],
    "rbac-urls": [
      "A rule has both URLs and resources, or URLs in a namespaced role.",
      "Use a separate marker for the URLs, without a namespace.",
    ],
    "rbac-without-resource": ["A rule has neither resources nor URLs.", "Add one of them."],
    "webhook-name": [
      "The name of a webhook isn't a domain name with at least two dots.",
      "Use a name such as `vgame.kb.io`.",
    ],
    "webhook-duplicate-name": ["Two webhooks of a configuration have the same name.", "Use unique names."],
    "webhook-failure-policy": ["A failure policy isn't valid.", "Use `fail` or `ignore`."],
    "webhook-verb": [
      "A verb isn't valid, or `*` is combined with other verbs.",
      "Use `create`, `update`, `delete`, `connect`, or only `*`.",
    ],
    "webhook-without-rule": [
      "The rule of a webhook has no verbs, groups, versions or resources, so it matches nothing.",
      "Add at least one of each, or `*`.",
    ],
    "webhook-side-effects": ["The side effects in a patch aren't valid.", "Use `None` or `NoneOnDryRun`."],
    "webhook-match-condition": [
      "A match condition has no name or no expression, or its name isn't unique.",
      "Give each condition a unique name and an expression.",
    ],
    "webhook-address": [
      "A webhook has a URL without https, a path that doesn't begin with `/`, an invalid port, or not exactly one of URL and service.",
      "Correct the URL, path, port or service.",
    ],
  }),
  ...entries(warning, {
    "rbac-value": [
      "A rule contains a verb, group, resource or URL that no request can have, so it allows nothing.",
      "Write verbs and resources in lowercase, groups without a version, and several values with semicolons outside of quotes.",
    ],
    "webhook-reinvocation-policy": [
      "A reinvocation policy isn't valid, or is set on a webhook that isn't mutating.",
      "Use `Never` or `IfNeeded`, only on mutating webhooks.",
    ],
  }),
};
