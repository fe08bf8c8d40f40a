import type { MadeCrd } from "../../crd/crds.ts";
import type { TypeNode } from "../../packages/nodes.ts";
import type { Finding } from "../finding.ts";

/** All annotations of an object together; `kubectl apply` writes the whole object into one. */
const annotationLimit = 262_144;

/** A CRD that client-side `kubectl apply` can't handle. */
export function size({ document, types }: MadeCrd, report: (finding: Finding, type: TypeNode) => void): void {
  const text = JSON.stringify(document, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value));
  const bytes = Buffer.byteLength(text);
  const [type] = types;
  if (bytes <= annotationLimit || !type) return;
  report(
    {
      id: "crd-too-big",
      message: `the CRD of ${document.spec.names.kind} has ${bytes} bytes as JSON: kubectl apply keeps a copy in an annotation, which holds ${annotationLimit}`,
      hint: "apply it with --server-side, or shorten descriptions with crd:maxDescLen=0",
    },
    type,
  );
}
