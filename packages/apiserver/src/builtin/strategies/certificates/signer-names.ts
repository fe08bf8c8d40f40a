import { goQuote } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  required,
  tooLong,
} from "@kubewright/cel/validation";

const longestDomain = 253;
/** A domain, and a path of a subdomain and a label. */
const longestSigner = longestDomain + 1 + (253 + 63 + 1);

/**
 * Checks the name of a signer, such as `example.com/signer`.
 *
 * @param signer - the name
 * @param field - its path
 * @returns the errors
 */
export function signerNameErrors(signer: string, field: string): FieldError[] {
  if (signer === "") return [required(field, "")];
  const parts = signer.split("/");
  if (parts.length !== 2)
    return [
      invalidValue(field, signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  const [domain = "", path = ""] = parts;
  const labels = domain.split(".");
  const isShort = labels.length < 2;
  return [
    ...(domain.length > longestDomain ? [tooLong(field, longestDomain)] : []),
    ...partErrors(domain, labels, isDNS1123Label, field),
    ...(isShort
      ? [invalidValue(field, domain, "should be a domain with at least two segments separated by dots")]
      : []),
    ...partErrors(path, path.split("."), isDNS1123Subdomain, field),
    ...(signer.length > longestSigner ? [tooLong(field, longestSigner)] : []),
  ];
}

/** Reports the problems of the first label that isn't valid. */
function partErrors(
  part: string,
  labels: readonly string[],
  rule: (label: string) => string[],
  field: string,
): FieldError[] {
  const wrong = labels.find((label) => rule(label).length > 0);
  if (wrong === undefined) return [];
  return rule(wrong).map((problem) => invalidValue(field, part, `validating label ${goQuote(wrong)}: ${problem}`));
}

/**
 * Reports whether a signer belongs to Kubernetes.
 *
 * @param signer - its name
 * @returns true for names such as `kubernetes.io/kubelet-serving`
 */
export function isOfKubernetes(signer: string): boolean {
  const domain = signer.split("/")[0] as string;
  return domain === "kubernetes.io" || domain.endsWith(".kubernetes.io");
}
