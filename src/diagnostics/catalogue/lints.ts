import { entries, ownError, warning } from "./entry.ts";

/** What the API server refuses although controller-gen writes it. */
export const refusedEntries = entries(ownError, {
  "bad-pattern": [
    "A pattern that Go's regular expressions (RE2) don't have: look-around, back-references, more than 1000 repeats.",
    "Write it without, or use a CEL rule.",
  ],
  "default-mismatch": [
    "A default breaks the rules of its own field. The API server refuses the CRD.",
    "Change the default or the rules.",
  ],
  "list-type": [
    "A list type doesn't suit the elements: objects in a set, a map without keys or of scalars, elements that may be null.",
    "Choose another list type, or add `+listMapKey`.",
  ],
  "list-map-key": [
    "A key of a list with `listType=map` is no field of the elements, no scalar, nullable, or neither required nor with a default.",
    "Name a required field.",
  ],
  "one-of-field": ["A one-of names a field that the type doesn't have.", "Correct the name."],
  "not-structural": [
    "A schema that the API server refuses as not structural: no type, an unknown one, `uniqueItems`, an embedded resource that isn't an object.",
    "Follow the hint; `+kubebuilder:pruning:PreserveUnknownFields` allows any value.",
  ],
  "cel-syntax": ["A CEL rule or message can't be parsed.", "Correct it where the message says."],
  "cel-unknown-name": [
    "A CEL rule names a field or variable that isn't there. Names with `-`, `.`, `/` and reserved words are escaped: `self.x__dash__y`.",
    "Correct the name.",
  ],
  "cel-field-path": ["The `fieldPath` of a rule leads nowhere.", "Name a field of the value that the rule is about."],
  "cel-cost": [
    "CEL rules cost more than the API server allows, by its own estimate: 10,000,000 units each, 100,000,000 for a version. It expects the worst of lists, maps and texts without a limit.",
    "Add `+kubebuilder:validation:MaxItems`, `MaxProperties` and `MaxLength` to what the rule reads and to the lists around it, or simplify the rule.",
  ],
  "selectable-field": [
    "A selectable field isn't there, isn't a string, boolean or integer, is in a list, or is one too many.",
    "Name another field.",
  ],
  "bad-name": [
    "A kind, plural, singular, short name, category or version is no DNS label.",
    "Use small letters, digits and `-`.",
  ],
  "bad-group": [
    "An API group is no domain name with a dot, or belongs to Kubernetes (`k8s.io`, `kubernetes.io`).",
    "Use a domain of yours.",
  ],
  "bad-scope": ["A scope is neither `Namespaced` nor `Cluster`.", "Write one of the two."],
  "several-storage-versions": ["Several versions are marked as the stored one.", "Leave the marker on one."],
  "cel-message": [
    "The message of a rule has line breaks or no text, or a rule of several lines has no message.",
    "Write the message in one line.",
  ],
  "cel-old-self": ["`optionalOldSelf` stands on a rule that doesn't use `oldSelf`.", "Take the argument away."],
  "bad-metadata": [
    "A label or annotation of a CRD has a name or value that Kubernetes doesn't allow.",
    "Correct the one that the message names.",
  ],
  "bad-deprecation-warning": [
    "The warning of a deprecated version is empty, longer than 256 bytes, or has characters that can't be printed.",
    "Write a short sentence.",
  ],
  "bad-column": [
    "A column has no path that begins with a dot, or a type or format that columns don't have.",
    "Correct the argument.",
  ],
  "bad-scale-path": [
    "A path of the scale subresource doesn't lead below `.spec` or `.status` by plain fields.",
    "Correct the path.",
  ],
});

/** What controller-gen and the API server let through although it does nothing, or not what was meant. */
export const lintEntries = entries(warning, {
  "enum-type": [
    "A value of an enumeration is of another type than the field.",
    "Quote numbers that are meant as text.",
  ],
  "enum-duplicate": ["A value stands twice in an enumeration.", "List it once."],
  "unparsable-value": [
    "A default or a value of an enumeration isn't what the field's type holds, a duration or a quantity. The API server takes it, and no operator can read it.",
    "Write a duration such as `1h30m`, or a quantity such as `500m`.",
  ],
  "example-mismatch": ["An example breaks the rules of its own field.", "Give one that could be applied."],
  "limits-contradict": ["A lower limit is above the upper one: no value is allowed.", "Correct one of the two."],
  "negative-limit": [
    "A length, or a number of items or properties, is limited to less than nothing.",
    "Write 0 or more, or take the marker away.",
  ],
  "limit-without-effect": [
    "A limit is about another type than the field's, or an exclusive limit has no limit.",
    "Take it away, or complete it.",
  ],
  "column-path": ["The path of a column leads nowhere, so the column stays empty.", "Correct the path."],
  "column-type": [
    "The type of a column is another than the field's: the column stays empty.",
    "Take the field's type, or `string`.",
  ],
  "scale-path": [
    "A path of the scale subresource leads nowhere, or to a value of another type.",
    "Name the field that counts the replicas, or holds the selector as text.",
  ],
  "crd-too-big": [
    "A CRD is bigger than an annotation may be, in which `kubectl apply` keeps a copy.",
    "Apply it with `--server-side`, or leave descriptions out with `crd:maxDescLen=0`.",
  ],
});

/** Markers and code that don't fit each other: only with `rbac:verify=true`. */
export const rightEntries = {
  ...entries(ownError, {
    "rbac-missing": [
      "The code asks for something that no marker allows, and no role beside the generated one that is bound to the same account.",
      "Add the marker that the hint shows.",
    ],
    "rbac-unverified": [
      "The code can't be compared with the markers: the runtime that it uses isn't installed.",
      "Install the project's dependencies.",
    ],
  }),
  ...entries(warning, {
    "rbac-unneeded": [
      "A marker allows what no code needs.",
      "Take the verbs away, or the marker: the operator's account is worth less to others then.",
    ],
    "rbac-unknown-kind": [
      "A call is made for kinds that nobody can tell from the code, so that rights may be missing.",
      "Give it a kind of its own type, or see to it that the markers allow it.",
    ],
    "rbac-unseen": [
      "Code hands a client on to what can't be read, or asks by other means, so that no right counts as unneeded.",
      "Call the client where the operator's own code is, or turn this off.",
    ],
  }),
};

/** Roles and webhooks. */
export const accessEntries = {
  ...entries(ownError, {
    "rbac-without-group": [
      "A rule for resources names no API group. The API server refuses the role.",
      'Name the group; the core group is `groups=""`.',
    ],
    "rbac-without-verb": ["A rule has no verbs. The API server refuses the role.", "Name the verbs."],
    "rbac-urls": ["A rule has URLs beside resources, or in a namespace.", "Write a marker for the URLs alone."],
    "rbac-without-resource": ["A rule has neither resources nor URLs.", "Name one of them."],
    "webhook-name": ["A webhook's name is no domain name with at least two dots.", "Write one such as `vgame.kb.io`."],
    "webhook-duplicate-name": ["Two webhooks of a configuration have one name.", "Give each its own."],
    "webhook-failure-policy": ["A failure policy that the API server doesn't know.", "Write `fail` or `ignore`."],
    "webhook-verb": [
      "A verb that the API server doesn't know, or others beside `*`.",
      "Write `create`, `update`, `delete`, `connect` or `*` alone.",
    ],
    "webhook-without-rule": [
      "A webhook's rule lacks verbs, groups, versions or resources, and matches nothing.",
      "Name at least one of each, or `*`.",
    ],
    "webhook-side-effects": [
      "A patch gives side effects that the API server doesn't know.",
      "Write `None` or `NoneOnDryRun`.",
    ],
    "webhook-match-condition": [
      "A match condition has no name or no expression, or two have one name.",
      "Give each a name of its own and an expression.",
    ],
    "webhook-address": [
      "A webhook has a URL that isn't https, a path that doesn't begin with `/`, a port that is none, or not exactly one of URL and service.",
      "Correct it.",
    ],
  }),
  ...entries(warning, {
    "webhook-reinvocation-policy": [
      "A reinvocation policy that isn't known, or stands on a webhook that doesn't mutate.",
      "Write `Never` or `IfNeeded`, on mutating webhooks only.",
    ],
  }),
};
