import { allLimits, type Limit, type LimitKeyword, limitMarker } from "../../../kubernetes/limits.ts";
import { type MarkerEntry, markerEntries } from "./define.ts";
import { wholeLineInteger, wholeLineNumber } from "./own-parsers.ts";

/** Markers that limit values. */
export const limitMarkers = markerEntries(allLimits.flatMap(([keyword, limit]) => entriesOf(keyword, limit)));

function entriesOf(keyword: LimitKeyword, limit: Limit): MarkerEntry[] {
  const { value, summary, example, isDeclarative } = limit;
  const name = `kubebuilder:validation:${limitMarker(keyword)}`;
  const details = example === undefined ? limit.details : `Example: \`+${name}=${example}\``;
  const whole = value === "int" ? wholeLineInteger : wholeLineNumber;
  const common = {
    category: "CRD validation",
    value,
    ...(isDeclarative ? { ownParser: whole(keyword) } : {}),
  };
  const own: MarkerEntry = {
    ...common,
    name,
    targets: ["field", "type"],
    forItems: true,
    summary,
    ...(details === undefined ? {} : { details }),
  };
  if (!isDeclarative) return [own];
  const alias: MarkerEntry = {
    ...common,
    name: `k8s:${keyword}`,
    targets: ["field"],
    summary: `${summary.replace(/\.$/, "")}; declarative validation's form.`,
    details: `Example: \`+k8s:${keyword}=${example}\`. \`#\` starts a comment.`,
  };
  return [own, alias];
}
