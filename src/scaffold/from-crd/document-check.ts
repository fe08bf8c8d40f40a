import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { type Check, flag, integer, list, nonEmptyText, object, oneOf, record, text } from "./checks.ts";
import { schemaCheck } from "./schema-check.ts";

type Scale = NonNullable<NonNullable<CrdVersion["subresources"]>["scale"]>;
type Column = NonNullable<CrdVersion["additionalPrinterColumns"]>[number];

const int32: Check<number> = (value, at) => Number(integer(32)(value, at));

const column = object<Column>(
  {
    name: nonEmptyText,
    type: nonEmptyText,
    jsonPath: nonEmptyText,
    description: text,
    format: text,
    priority: int32,
  },
  "drop",
  ["name", "type", "jsonPath"],
);

const scale = object<Scale>(
  { specReplicasPath: nonEmptyText, statusReplicasPath: nonEmptyText, labelSelectorPath: text },
  "drop",
  ["specReplicasPath", "statusReplicasPath"],
);

const subresources = object<NonNullable<CrdVersion["subresources"]>>({
  status: object<Record<string, never>>({}),
  scale,
});
const selectableField = object<{ jsonPath: string }>({ jsonPath: nonEmptyText }, "drop", ["jsonPath"]);

function version(problemOf: (pattern: string) => string | undefined) {
  return object<CrdVersion>(
    {
      name: nonEmptyText,
      served: flag,
      storage: flag,
      deprecated: flag,
      deprecationWarning: text,
      schema: object<CrdVersion["schema"]>({ openAPIV3Schema: schemaCheck(problemOf) }),
      subresources,
      additionalPrinterColumns: list(column),
      selectableFields: list(selectableField),
    },
    "drop",
    ["name"],
  );
}

/**
 * Returns a check for a CustomResourceDefinition of apiextensions.k8s.io/v1. Its result has only the fields of
 * {@link CustomResourceDefinition}, all with valid types. The check throws `Malformed` for the first invalid value.
 *
 * @param problemOf returns why a pattern isn't a valid Go regular expression
 */
export function crdCheck(problemOf: (pattern: string) => string | undefined) {
  const names = object<CustomResourceDefinition["spec"]["names"]>(
    {
      kind: nonEmptyText,
      plural: nonEmptyText,
      singular: text,
      listKind: text,
      shortNames: list(text),
      categories: list(text),
    },
    "drop",
    ["kind", "plural"],
  );
  const spec = object<CustomResourceDefinition["spec"]>(
    {
      group: nonEmptyText,
      scope: oneOf("Namespaced", "Cluster"),
      names,
      versions: list(version(problemOf)),
      conversion: object<{ strategy?: string }>({ strategy: oneOf("None", "Webhook") }),
      preserveUnknownFields: flag,
    },
    "drop",
    ["group", "scope", "names", "versions"],
  );
  const metadata = object<CustomResourceDefinition["metadata"]>(
    { name: nonEmptyText, labels: record(text), annotations: record(text) },
    "drop",
    ["name"],
  );
  return object<CustomResourceDefinition>(
    { apiVersion: oneOf("apiextensions.k8s.io/v1"), kind: oneOf("CustomResourceDefinition"), metadata, spec },
    "drop",
    ["metadata", "spec"],
  );
}
