import { dirname, join } from "node:path/posix";
import { ProblemError } from "../../../project/problem-error.ts";
import { type Fields, fieldsOf, isFields, isList, listOf, textOf } from "../../../yaml/plain-values.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { fixReferences, referencesFrom } from "./references.ts";
import { applyReplacement } from "./replacements.ts";
import { changed, groupVersionOf, nameOf, type Resource, resourceFrom, selectorFrom, selects } from "./resource.ts";
import type { Part, Sources } from "./sources.ts";
import { addAnnotations, addLabels, setImage, setName, setNamespace, setReplicas } from "./transform.ts";

export { groupVersionOf, nameOf, type Resource } from "./resource.ts";
export { openSources } from "./sources.ts";

/** Replacements for the name prefix and namespace of kustomizations that set them. */
export interface Placeholders {
  readonly namePrefix: string;
  readonly namespace: string;
}

/** The supported keys. Any other key is an error, so that nothing is ignored silently. */
const understood = new Set([
  ...["apiVersion", "kind", "metadata", "resources", "configurations", "patches", "replacements"],
  ...["namespace", "namePrefix", "nameSuffix", "labels", "commonLabels", "commonAnnotations", "images", "replicas"],
]);

/** A resource of a kustomization that doesn't exist, for example because `make manifests` hasn't written it yet. */
export class MissingResource extends ProblemError {}

/**
 * Returns the objects that `kustomize build` produces for a directory.
 *
 * @throws ProblemError if a file is missing or uses an unsupported feature; the message names the file
 */
export function buildKustomization(sources: Sources, directory: string, placeholders?: Placeholders): Resource[] {
  const { resources, references } = accumulate(sources, directory, placeholders);
  return fixReferences(resources, references).filter(({ object }) => !isLocal(object));
}

/** Whether an object is only used during the build, such as the source of a replacement, and isn't deployed. */
function isLocal({ metadata }: Fields): boolean {
  return fieldsOf(fieldsOf(metadata).annotations)["config.kubernetes.io/local-config"] === "true";
}

function accumulate(sources: Sources, directory: string, placeholders?: Placeholders): Part {
  const file = join(directory, "kustomization.yaml");
  const kustomization = fieldsOf(sources.documents(file)?.[0]);
  for (const [key, value] of Object.entries(kustomization)) {
    if (understood.has(key) || value === null) continue;
    throw new ProblemError(
      "chart-kustomization",
      `${file}: kustomizations with ${key} aren't supported`,
      `supported keys: ${[...understood].join(", ")}`,
    );
  }
  const problem = (what: string, error: unknown) =>
    new ProblemError("chart-kustomization", `${file}: ${what}: ${(error as Error).message}`);
  const parts = listOf(kustomization.resources).map((entry) => readEntry(sources, file, textOf(entry)));
  const references = [
    ...parts.flatMap((part) => part.references),
    ...listOf(kustomization.configurations).flatMap((path) =>
      referencesFrom(fieldsOf(sources.documents(join(directory, textOf(path)))?.[0])),
    ),
  ];
  let resources: Resource[] = parts.flatMap((part) => part.resources);
  for (const patch of listOf(kustomization.patches)) {
    try {
      resources = applyPatch(sources, directory, resources, fieldsOf(patch));
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw problem(`the patch ${textOf(fieldsOf(patch).path)}`, error);
    }
  }
  resources = transform(resources, kustomization, placeholders);
  if (isList(kustomization.replacements) && kustomization.replacements.length > 0) {
    // Replacements copy the current names, so references must be up to date.
    for (const replacement of kustomization.replacements) {
      try {
        resources = applyReplacement(resources, replacement);
      } catch (error) {
        throw problem("a replacement", error);
      }
    }
  }
  return { resources, references };
}

function readEntry(sources: Sources, file: string, entry: string): Part {
  const path = join(dirname(file), entry);
  if (!/\.(ya?ml|json)$/.test(entry)) {
    if (sources.documents(join(path, "kustomization.yaml")) !== undefined) {
      return sources.part(path, () => accumulate(sources, path));
    }
    throw new MissingResource("chart-resource", `${file} names ${entry}, and there is no ${path}/kustomization.yaml`);
  }
  const documents = sources.documents(path);
  if (documents === undefined) {
    throw new MissingResource("chart-resource", `${file} names ${entry}, and there is no ${path}`, "make manifests");
  }
  const objects = documents
    .filter(isFields)
    .flatMap((document) => (isList(document.items) ? document.items.map(fieldsOf) : [document]));
  return { resources: objects.map((object) => resourceFrom(object, path)), references: [] };
}

function applyPatch(sources: Sources, directory: string, resources: Resource[], patch: Fields): Resource[] {
  const { path, patch: inline, target } = patch;
  const file = join(directory, textOf(path));
  const documents = path === undefined ? sources.parse(textOf(inline), file) : sources.documents(file);
  if (documents === undefined) throw new MissingResource("chart-resource", `there is no ${file}`, "restore it");
  return documents.reduce<Resource[]>((now, document) => {
    const selector =
      target === undefined
        ? ownTarget(fieldsOf(document))
        : (resource: Resource) => selects(selectorFrom(target), resource);
    if (target === undefined && !now.some(selector)) throw new Error("no object is the one that it is for");
    return now.map((resource) => {
      if (!selector(resource)) return resource;
      if (isList(document)) return changed(resource, applyJsonPatch(resource.object, document));
      const { apiVersion: _, kind: __, metadata, ...rest } = fieldsOf(document);
      const { name: ___, namespace: ____, ...more } = fieldsOf(metadata);
      return changed(resource, applyMergePatch(resource.object, { ...rest, metadata: more }));
    });
  }, resources);
}

/** Returns the selector of a patch without a target, which applies to the object that it names. */
function ownTarget(document: Fields): (resource: Resource) => boolean {
  const [group] = groupVersionOf(document);
  return ({ object, names }) =>
    object.kind === document.kind && groupVersionOf(object)[0] === group && names.includes(nameOf(document));
}

function transform(resources: readonly Resource[], kustomization: Fields, placeholders?: Placeholders): Resource[] {
  const namespace = textOf(kustomization.namespace);
  const prefix = textOf(kustomization.namePrefix);
  const suffix = textOf(kustomization.nameSuffix);
  const { commonLabels, commonAnnotations } = kustomization;
  return resources.map((start) => {
    let resource = start;
    if (namespace !== "") resource = setNamespace(resource, placeholders?.namespace ?? namespace);
    if (prefix !== "" || suffix !== "") {
      resource = setName(resource, prefix === "" ? "" : (placeholders?.namePrefix ?? prefix), suffix);
    }
    for (const { pairs, includeSelectors, includeTemplates } of listOf(kustomization.labels).map(fieldsOf)) {
      const selector = includeSelectors === true;
      resource = addLabels(resource, fieldsOf(pairs), { selector, template: selector || includeTemplates === true });
    }
    if (isFields(commonLabels)) resource = addLabels(resource, commonLabels, { selector: true, template: true });
    if (isFields(commonAnnotations)) resource = addAnnotations(resource, commonAnnotations);
    for (const replicas of listOf(kustomization.replicas)) resource = setReplicas(resource, fieldsOf(replicas));
    for (const image of listOf(kustomization.images)) resource = setImage(resource, fieldsOf(image));
    return resource;
  });
}
