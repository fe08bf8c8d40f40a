import type { KindLint } from "../model/finding.ts";
import { subdomain } from "./names.ts";

const label = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const rule = "at most 63 letters, digits, -, _ and ., with a letter or digit at both ends";

/** Reports labels, annotations and warnings with which the API server rejects the CRD. */
export const metadata: KindLint = ({ crd, version }, report) => {
  const { labels = {}, annotations = {} } = crd.metadata;
  for (const [what, pairs] of [
    ["labels", labels],
    ["annotations", annotations],
  ] as const) {
    for (const [key, value] of Object.entries(pairs)) {
      const isWrongValue = what === "labels" && value !== "" && (value.length > 63 || !label.test(value));
      // Names of annotations are validated in lowercase.
      const wrong = !isKey(what === "labels" ? key : key.toLowerCase()) ? key : isWrongValue ? value : undefined;
      if (wrong === undefined) continue;
      const message = `invalid value in the ${what} of the CRD: ${JSON.stringify(wrong)}`;
      report({ id: "bad-metadata", message, hint: `use ${rule}`, markers: ["kubebuilder:metadata"], argument: what });
    }
  }
  const { deprecationWarning: warning } = version;
  if (warning === undefined || (warning !== "" && Buffer.byteLength(warning) <= 256 && !/\p{Cc}/u.test(warning)))
    return;
  report({
    id: "bad-deprecation-warning",
    message: "invalid deprecation warning: it must have 1 to 256 bytes and only printable characters",
    hint: "write a short sentence, or omit the argument",
    markers: ["kubebuilder:deprecatedversion"],
    argument: "warning",
  });
};

/** Returns whether a key is a valid name, with or without a domain prefix. */
function isKey(key: string): boolean {
  const [name = "", prefix, ...more] = key.split("/").reverse();
  if (more.length > 0 || name.length > 63 || !label.test(name)) return false;
  return prefix === undefined || (prefix.length <= 253 && subdomain.test(prefix));
}
