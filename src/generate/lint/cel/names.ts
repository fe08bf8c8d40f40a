// The API server's mapping of field names to CEL identifiers, and the predefined identifiers.

const reserved = new Set(
  `true false null in as break const continue else for function if import let loop package namespace return var void while`.split(
    " ",
  ),
);

/** Returns the name of a field in an expression; undefined if an expression can't name it. */
export function escapeField(name: string): string | undefined {
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
}

/** Type names, which are values in CEL. */
export const typeNames: ReadonlySet<string> = new Set(
  "int uint double bool string bytes list map null_type type optional_type dyn google cel kubernetes net".split(" "),
);
