import type { MarkerArguments } from "../markers/index.ts";

/** A value that matches no request, and a hint. */
export interface ImpossibleValue {
  readonly argument: "groups" | "resources" | "verbs" | "urls";
  readonly message: string;
  readonly hint: string;
}

const checked = [
  ["groups", "group"],
  ["resources", "resource"],
  ["verbs", "verb"],
  ["urls", "URL"],
] as const;

/** Returns the values of a rule that no request can have. The API server accepts them, but they allow nothing. */
export function impossibleValues(rule: MarkerArguments<"kubebuilder:rbac">): readonly ImpossibleValue[] {
  return checked.flatMap(([argument, what]) =>
    (rule[argument] ?? []).flatMap((value) => {
      const hint = hintFor(argument, value);
      return hint === undefined ? [] : { argument, message: `invalid ${what} ${JSON.stringify(value)}`, hint };
    }),
  );
}

function hintFor(argument: ImpossibleValue["argument"], value: string): string | undefined {
  // The parser of markers warns about single quotes.
  if (/^'[^']*'$/.test(value)) return undefined;
  const parts = value.split(/[;,\s'"`[\]{}]+/).filter((part) => part !== "");
  if (parts.join("") !== value) {
    return parts.length > 1
      ? `separate values with semicolons outside of quotes: \`${argument}=${parts.join(";")}\``
      : `use only letters, digits and hyphens: \`${argument}=${parts.join("")}\``;
  }
  if (argument === "urls") return /^[/*]/.test(value) ? undefined : `begin it with a slash: \`/${value}\``;
  if (argument === "groups" && value.includes("/")) {
    return `use the group without the version: \`${value.replace(/\/.*/s, "")}\``;
  }
  return value === value.toLowerCase() ? undefined : `write it in lowercase: \`${value.toLowerCase()}\``;
}
