// How the API server turns names of fields into names of CEL, and what names an expression starts from.

const reserved = new Set(
  `true false null in as break const continue else for function if import let loop package namespace return var void while`.split(
    " ",
  ),
);

/** The name of a field in an expression; undefined if it can't be named there. */
export function escapeField(name: string): string | undefined {
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
}

/** Types, which are values in CEL. */
export const typeNames: ReadonlySet<string> = new Set(
  "int uint double bool string bytes list map null_type type optional_type dyn google cel kubernetes net".split(" "),
);
