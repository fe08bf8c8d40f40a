import type { GeneratedCrd } from "../../crd/crds.ts";
import type { TypeNode } from "../../packages/nodes.ts";
import type { Finding } from "../model/finding.ts";

/** The maximum size of all annotations of an object; `kubectl apply` stores the whole object in one of them. */
const annotationLimit = 262_144;

/** Reports CRDs that are too large for client-side `kubectl apply`. */
export function size({ document, types }: GeneratedCrd, report: (finding: Finding, type: TypeNode) => void): void {
  const text = JSON.stringify(document, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value));
  const bytes = Buffer.byteLength(text);
  const [type] = types;
  if (bytes <= annotationLimit || !type) return;
  report(
    {
      id: "crd-too-big",
      message: `the CRD of ${document.spec.names.kind} has ${bytes} bytes as JSON, too many for client-side kubectl apply: the limit is ${annotationLimit}`,
      hint: "apply it with --server-side, or shorten descriptions with crd:maxDescLen=0",
    },
    type,
  );
}
