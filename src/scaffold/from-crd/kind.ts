import type { Crd } from "../../kubernetes/existing-crd.ts";

/** Describes the parts of a CRD outside of its schemas that no marker can express. */
export function kindNotes(crd: Crd): string[] {
  const { names, conversion, preserveUnknownFields } = crd.spec;
  return [
    ...(names.listKind === undefined || names.listKind === `${names.kind}List`
      ? []
      : [`spec.names.listKind is ${names.listKind}; it becomes ${names.kind}List`]),
    ...(conversion?.strategy === "Webhook"
      ? ["spec.conversion calls a webhook; scaffold create webhook --conversion makes one"]
      : []),
    ...(preserveUnknownFields === true ? ["spec.preserveUnknownFields is true; unknown fields will be dropped"] : []),
  ];
}
