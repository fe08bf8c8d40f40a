import { shown } from "../text/shown.ts";
import { inputProblem, type Problem } from "./problem.ts";

/** Checks `--kind`: letters and digits in PascalCase, as is usual. Only kinds of existing CRDs may have other names. */
export function kindProblem(kind: string): Problem | undefined {
  const example = "such as Game";
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    return inputProblem(
      "bad-kind",
      `--kind ${shown(kind)} isn't valid: use letters and digits, beginning with an uppercase letter, ${example}`,
    );
  }
  if (kind.length > 63) {
    return inputProblem("bad-kind", `--kind ${shown(kind)} is too long: use at most 63 characters, ${example}`);
  }
  return undefined;
}

/** Whether the API server accepts a name as a kind: in lowercase, it must be a DNS label (RFC 1035). */
export function isKind(kind: string): boolean {
  return kind.length <= 63 && /^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/.test(kind);
}
