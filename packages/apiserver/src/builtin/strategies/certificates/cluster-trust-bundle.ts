import { X509Certificate } from "node:crypto";
import { byteLength } from "@kubewright/cel/json";
import { type FieldError, tooLong } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { fieldsOf, immutable, invalidFor, textOf } from "../fields/fields.ts";
import { type PemBlock, pemBlocks } from "./certificate-requests.ts";
import { signerNameErrors } from "./signer-names.ts";
import { trustBundleNameProblems } from "./trust-bundle-names.ts";

const largestBundle = 1024 * 1024;
const path = "spec.trustBundle";

/** The rules of ClusterTrustBundles, whose names begin with that of their signer. */
export const clusterTrustBundle: Strategy = {
  nameProblems: () => [],
  validate: (object) => [...nameErrors(object), ...bundleErrors(bundleOf(object))],
  validateUpdate: (object, old) => [
    ...nameErrors(object),
    ...(bundleOf(object) === bundleOf(old) ? [] : bundleErrors(bundleOf(object))),
    ...immutable(signerOf(object), signerOf(old), "spec.signerName"),
  ],
};

function bundleOf(object: ApiObject): string {
  return textOf(fieldsOf(object.spec).trustBundle);
}

function signerOf(object: ApiObject): string {
  return textOf(fieldsOf(object.spec).signerName);
}

function nameErrors(object: ApiObject): FieldError[] {
  const { name = "", generateName = "" } = object.metadata;
  const signer = signerOf(object);
  return [
    ...(generateName === ""
      ? []
      : invalidFor("metadata.generateName", generateName, trustBundleNameProblems(generateName, true, signer))),
    ...(name === "" ? [] : invalidFor("metadata.name", name, trustBundleNameProblems(name, false, signer))),
    ...(signer === "" ? [] : signerNameErrors(signer, "spec.signerName")),
  ];
}

function bundleErrors(bundle: string): FieldError[] {
  if (byteLength(bundle) > largestBundle) return [tooLong(path, largestBundle)];
  const invalid = (detail: string): FieldError[] => invalidFor(path, "<value omitted>", [detail]);
  const blocks = pemBlocks(bundle);
  const problems = blocks.flatMap((block, index) => {
    const problem = anchorProblem(block);
    return problem === undefined ? [] : invalid(`entry ${index} ${problem}`);
  });
  if (problems.length > 0) return problems;
  if (blocks.length === 0) return invalid("at least one trust anchor must be provided");
  const indexes = new Map<string, number[]>();
  for (const [index, { der }] of blocks.entries()) {
    const key = der.toString("base64");
    indexes.set(key, [...(indexes.get(key) ?? []), index]);
  }
  const repeated = [...indexes.values()].filter(({ length }) => length > 1);
  return repeated.flatMap((same) => invalid(`duplicate trust anchor (indices [${same.join(" ")}])`));
}

function anchorProblem({ type, hasHeaders, der }: PemBlock): string | undefined {
  if (type !== "CERTIFICATE") return `has bad block type: ${type}`;
  if (hasHeaders) return "has PEM block headers";
  try {
    return new X509Certificate(der).ca ? undefined : "does not have the CA bit set";
  } catch {
    return "does not parse as X.509";
  }
}
