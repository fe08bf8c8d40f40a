// The script's comparison, on a few CRDs of our own.
import { join } from "node:path";
import { expect, it } from "vitest";
import { crdsBelow, tryCrd } from "./crds.ts";

const saved = crdsBelow(join(import.meta.dirname, "testdata"));
const crds = saved.filter(({ refusals }) => refusals.length === 0);
/** The reasons for which kube-apiserver refuses public CRDs. `refused.ts` confirms that it refuses these, too. */
const refused = crdsBelow(join(import.meta.dirname, "testdata/refused"));

it("finds the CRDs in a directory", () => {
  expect(crds).toHaveLength(6);
  expect(refused).toHaveLength(10);
});

it.each(crds)("imports $name without a loss that isn't listed", async (crd) => {
  const { verdict, details } = await tryCrd(crd);
  expect({ verdict, details }).not.toMatchObject({ verdict: "not" });
});

it("names why the API server refuses a CRD", () => {
  expect(refused.map(({ name, refusals }) => [name, ...refusals])).toMatchInlineSnapshot(`
    [
      [
        "cards.refused.example.com",
        "metadata.name: Invalid value: "cards.refused.example.com": must be spec.names.plural+"."+spec.group",
      ],
      [
        "annotations.refused.example.com",
        "metadata.annotations: Invalid value: "gate.example.com/": name part must be non-empty",
        "metadata.annotations: Invalid value: "gate.example.com/": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      [
        "labels.refused.example.com",
        "metadata.labels: Invalid value: "{{ .Chart.AppVersion }}": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
      [
        "fields.refused.example.com",
        "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ],
      [
        "approvals.refused.k8s.io",
        "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111",
      ],
      [
        "rules.refused.example.com",
        "spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.spec.length \\u003e 1","Message":"m","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:10: undefined field 'length'
     | self.spec.length > 1
     | .........^",
      ],
      [
        "conversions.refused.example.com",
        "spec.conversion.webhookClientConfig.service.namespace: Required value",
      ],
      [
        "kinds.refused.example.com",
        "spec.names.kind: Required value",
      ],
      [
        "storages.refused.example.com",
        "spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v2","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version",
        "status.storedVersions: Invalid value: ["v1"]: must have the storage version v2",
      ],
      [
        "patches.refused.example.com",
        "metadata.name: Invalid value: "patches.refused.example.com": must be spec.names.plural+"."+spec.group",
        "spec.names.kind: Required value",
        "spec.names.listKind: Required value",
        "spec.names.plural: Required value",
        "spec.names.singular: Required value",
        "spec.versions: Invalid value: null: must have exactly one version marked as storage version",
        "status.storedVersions: Invalid value: null: must have at least one stored version",
      ],
    ]
  `);
});
