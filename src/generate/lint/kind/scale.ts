import type { Finding, KindLint } from "../model/finding.ts";
import { parseJsonPath, resolveJsonPath } from "../model/json-path.ts";
import { missingHint } from "./columns.ts";

const paths = [
  { key: "specReplicasPath", argument: "specpath", below: [".spec."], types: ["integer"] },
  { key: "statusReplicasPath", argument: "statuspath", below: [".status."], types: ["integer"] },
  { key: "labelSelectorPath", argument: "selectorpath", below: [".spec.", ".status."], types: ["string"] },
] as const;

/** Reports paths of the scale subresource that the API server rejects, or that don't point to a usable value. */
export const scale: KindLint = ({ version }, report) => {
  const given = version.subresources?.scale;
  if (!given) return;
  for (const { key, argument, below, types } of paths) {
    const path = given[key];
    if (path === undefined || (path === "" && key === "labelSelectorPath")) continue;
    const blame = (message: string, hint: string, id: Finding["id"] = "scale-path") =>
      report({ id, message, hint, markers: ["kubebuilder:subresource:scale"], argument });
    if (!below.some((start) => path.startsWith(start))) {
      const parents = below.join(" or ").replaceAll(/\.(?= |$)/g, "");
      blame(`${argument} must be below ${parents}`, `use a form such as ${below[0]}replicas`, "bad-scale-path");
      continue;
    }
    const parsed = parseJsonPath(path);
    if ("problem" in parsed) {
      blame(`invalid ${argument}: ${parsed.problem}`, `use a form such as ${below[0]}replicas`);
      continue;
    }
    const resolved = resolveJsonPath(version.schema.openAPIV3Schema, parsed.steps);
    if (resolved.kind === "missing") blame(`${argument} doesn't exist: ${resolved.message}`, missingHint(resolved));
    if (resolved.kind !== "schema") continue;
    const type = resolved.schema.type;
    if (type !== undefined && !(types as readonly string[]).includes(type)) {
      blame(`${argument} must point to a value of type ${types[0]}, but ${path} has type ${type}`, hintFor(argument));
    }
  }
};

function hintFor(argument: string): string {
  return argument === "selectorpath"
    ? "add a string field to the status that contains the serialized selector"
    : "use the field that contains the number of replicas";
}
