import type { PrinterColumn } from "../document.ts";
import type { CrdEffect } from "./effect.ts";

/** `kubebuilder:printcolumn`. As controller-gen's, it also adds `subresources: {}`. */
export const printColumn: CrdEffect = (_crd, version, args) => {
  version.subresources ??= {};
  const column: PrinterColumn = { name: args.text("name"), type: args.text("type"), jsonPath: args.text("JSONPath") };
  if (args.text("description") !== "") column.description = args.text("description");
  if (args.text("format") !== "") column.format = args.text("format");
  if (Number(args.number("priority")) !== 0) column.priority = args.number("priority");
  version.additionalPrinterColumns = [...(version.additionalPrinterColumns ?? []), column];
  return undefined;
};

/** `kubebuilder:selectablefield`. */
export const selectableField: CrdEffect = (_crd, version, args) => {
  version.selectableFields = [...(version.selectableFields ?? []), { jsonPath: args.text("JSONPath") }];
  return undefined;
};
