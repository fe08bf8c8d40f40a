import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { isMap, mapOf } from "../text/maps.ts";
import type { GoFile } from "./left-behind.ts";
import { readableValues } from "./readable-values.ts";

/** The API server accepts CRDs in groups of Kubernetes only with this annotation. */
const annotation = "api-approved.kubernetes.io";
const protectedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;

/** CRDs with the annotations that the API server requires, and lines for the user. */
export interface ApprovedDefinitions {
  readonly crds: readonly CustomResourceDefinition[];
  readonly notes: readonly string[];
}

/** An annotation that kustomize adds. */
interface Addition {
  readonly value: string;
  /** The name of the CRD; undefined for all. */
  readonly name: string | undefined;
  /** Such as `config/crd/kustomization.yaml:12`. */
  readonly at: string;
}

/**
 * Adds the approval of their groups to CRDs, as kustomize does in the Go project: tests of the new project install the CRDs without
 * kustomize.
 *
 * @param files - all files of the Go project
 */
export function withApproval(crds: readonly CustomResourceDefinition[], files: readonly GoFile[]): ApprovedDefinitions {
  const notes: string[] = [];
  let additions: readonly Addition[] | undefined;
  const approved = crds.map((crd) => {
    const { metadata, spec } = crd;
    if (!protectedGroup.test(spec.group) || metadata.annotations?.[annotation]) return crd;
    additions ??= files.filter(({ path }) => /^config\/.*\.ya?ml$/.test(path)).flatMap(additionsIn);
    const addition =
      additions.find(({ name }) => name === metadata.name) ?? additions.find(({ name }) => name === undefined);
    const { kind } = spec.names;
    if (addition === undefined) {
      notes.push(
        `${pathOf(crd, files)}: the API server rejects ${kind}, because ${spec.group} is a group of Kubernetes: add +kubebuilder:metadata:annotations="${annotation}=…" to its type`,
      );
      return crd;
    }
    notes.push(
      `${addition.at}: the annotation ${annotation} is a marker of ${kind} now, so that the CRD has it without kustomize`,
    );
    const annotations = { ...metadata.annotations, [annotation]: addition.value };
    return { ...crd, metadata: { ...metadata, annotations } };
  });
  return { crds: approved, notes };
}

function pathOf({ metadata, spec }: CustomResourceDefinition, files: readonly GoFile[]): string {
  const usual = `config/crd/bases/${spec.group}_${spec.names.plural}.yaml`;
  return files.some(({ path }) => path === usual) ? usual : metadata.name;
}

/** Returns the annotations that a kustomization or a patch adds. */
function additionsIn({ path, text: read }: GoFile): Addition[] {
  const text = read();
  if (!text.includes(annotation)) return [];
  const line = text.slice(0, text.indexOf(annotation)).split("\n").length;
  return approvalsIn(text).map((each) => ({ ...each, at: `${path}:${line}` }));
}

function approvalsIn(text: string): Omit<Addition, "at">[] {
  return readableValues(text).flatMap(approvalsOf);
}

function approvalsOf(document: unknown): Omit<Addition, "at">[] {
  // A list of operations, whose target is in the kustomization.
  if (Array.isArray(document)) return document.flatMap(operationOf);
  if (!isMap(document)) return [];
  if (document.kind === "CustomResourceDefinition") {
    const { annotations, name } = mapOf(document.metadata);
    return valuesIn(annotations).map((value) => ({ value, name: typeof name === "string" ? name : undefined }));
  }
  const { commonAnnotations, patches, patchesStrategicMerge, patchesJson6902 } = document;
  const inline = [patches, patchesStrategicMerge, patchesJson6902].flat().flatMap((each) => {
    const patch = isMap(each) ? each.patch : each;
    const name = isMap(each) ? mapOf(each.target).name : undefined;
    const own = typeof patch === "string" ? approvalsIn(patch) : [];
    return own.map((one) => ({ ...one, name: one.name ?? (typeof name === "string" ? name : undefined) }));
  });
  return [...valuesIn(commonAnnotations).map((value) => ({ value, name: undefined })), ...inline];
}

function operationOf(operation: unknown): Omit<Addition, "at">[] {
  const { op, path, value } = mapOf(operation);
  if (op !== "add" && op !== "replace") return [];
  const isWhole = path === "/metadata/annotations";
  const set = isWhole ? valuesIn(value) : path === `/metadata/annotations/${annotation}` ? [value] : [];
  return set.flatMap((each) => (typeof each === "string" ? [{ value: each, name: undefined }] : []));
}

function valuesIn(annotations: unknown): string[] {
  const value = mapOf(annotations)[annotation];
  return typeof value === "string" ? [value] : [];
}
