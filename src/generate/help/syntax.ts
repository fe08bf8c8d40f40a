import type { ArgumentHelp, FieldHelp, MarkerHelp } from "./categories.ts";

/** How a marker or option is written, such as `+kubebuilder:resource[:path=<string>][,scope=<string>]`. */
export function syntaxOf({ name, fields = [] }: MarkerHelp): string {
  const all = fields.map((field, index) => {
    const separator = field.name === "" ? "" : index === 0 ? ":" : ",";
    return argumentSyntax(field, separator);
  });
  return `+${name}${all.join("")}`;
}

/** How one argument is written; brackets say that it may be left out. */
export function argumentSyntax(field: FieldHelp, separator = ""): string {
  const written = `${separator}${field.name}=<${typeText(field)}>`;
  return field.optional ? `[${written}]` : written;
}

function typeText({ type, itemType }: ArgumentHelp): string {
  if (itemType === undefined) return type;
  return type === "slice" ? `[]${typeText(itemType)}` : `map[string]${typeText(itemType)}`;
}
