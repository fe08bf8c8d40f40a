const compiled = new Map<string, RegExp>();

const CLASSES: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7F",
  blank: "\\t ",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/**
 * Go's regular expression as one of JavaScript. Throws an `Error` for what JavaScript has no word for: a pattern that can't be
 * judged must not pass for one that fits.
 */
export function goPattern(pattern: string): RegExp {
  let found = compiled.get(pattern);
  if (!found) {
    found = translate(pattern);
    compiled.set(pattern, found);
  }
  return found;
}

function translate(pattern: string): RegExp {
  const [, flags = "", rest = pattern] = /^\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? [];
  const source = rest
    .replaceAll("(?P<", "(?<")
    .replaceAll(/\[:(\^?)(\w+):\]/g, (all, negated: string, name: string) =>
      negated === "" ? (CLASSES[name] ?? all) : all,
    )
    .replaceAll(/(\\\\)|\\A|\\z/g, (all, escaped: string | undefined) => escaped ?? (all === "\\A" ? "^" : "$"));
  for (const mode of ["u", ""]) {
    try {
      return new RegExp(source, `${flags}${mode}`);
    } catch {
      // What Go escapes for good measure is an error in the stricter mode only.
    }
  }
  throw new Error(
    `fakeClient can't judge the pattern ${pattern}: use a TestEnvironment, or leave the schema out of \`crds\``,
  );
}
