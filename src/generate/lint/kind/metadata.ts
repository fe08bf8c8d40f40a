import type { KindLint } from "../finding.ts";

const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const label = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const rule = "letters, digits, -, _ and ., at most 63 of them, a letter or digit first and last";

/** Labels, annotations and warnings that the API server refuses with the CRD. */
export const metadata: KindLint = ({ crd, version }, report) => {
  const { labels = {}, annotations = {} } = crd.metadata;
  for (const [what, pairs] of [
    ["labels", labels],
    ["annotations", annotations],
  ] as const) {
    for (const [key, value] of Object.entries(pairs)) {
      const isWrongValue = what === "labels" && value !== "" && (value.length > 63 || !label.test(value));
      // Names of annotations are read in lower case.
      const wrong = !isKey(what === "labels" ? key : key.toLowerCase()) ? key : isWrongValue ? value : undefined;
      if (wrong === undefined) continue;
      const message = `the API server refuses ${JSON.stringify(wrong)} in the ${what} of the CRD`;
      report({ id: "bad-metadata", message, hint: `write ${rule}`, markers: ["kubebuilder:metadata"], argument: what });
    }
  }
  const { deprecationWarning: warning } = version;
  if (warning === undefined || (warning !== "" && Buffer.byteLength(warning) <= 256 && !/\p{Cc}/u.test(warning)))
    return;
  report({
    id: "bad-deprecation-warning",
    message: "the API server refuses the warning: it must have 1 to 256 bytes, and characters that can be printed",
    hint: "write a short sentence, or leave the argument out",
    markers: ["kubebuilder:deprecatedversion"],
    argument: "warning",
  });
};

/** A name, after a domain and a slash or alone. */
function isKey(key: string): boolean {
  const [name = "", prefix, ...more] = key.split("/").reverse();
  if (more.length > 0 || name.length > 63 || !label.test(name)) return false;
  return prefix === undefined || (prefix.length <= 253 && subdomain.test(prefix));
}
