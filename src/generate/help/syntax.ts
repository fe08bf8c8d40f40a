import type { ArgumentHelp, FieldHelp, MarkerHelp } from "./categories.ts";

/** Returns the syntax of a marker or option, such as `+kubebuilder:resource[:path=<string>][,scope=<string>]`. */
export function syntaxOf({ name, fields = [] }: MarkerHelp): string {
  const all = fields.map((field, index) => {
    const separator = field.name === "" ? "" : index === 0 ? ":" : ",";
    return argumentSyntax(field, separator);
  });
  return `+${name}${all.join("")}`;
}

/** Returns the syntax of one argument; brackets mean that it is optional. */
export function argumentSyntax(field: FieldHelp, separator = ""): string {
  const written = `${separator}${field.name}=<${typeText(field)}>`;
  return field.optional ? `[${written}]` : written;
}

function typeText({ type, itemType }: ArgumentHelp): string {
  if (itemType === undefined) return type;
  return type === "slice" ? `[]${typeText(itemType)}` : `map[string]${typeText(itemType)}`;
}
