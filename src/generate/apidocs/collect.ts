import { byBytes } from "../../text/byte-order.ts";
import type { CrdModel } from "../crd/crds.ts";
import type { ApiPackage, TypeNode } from "../packages/nodes.ts";
import type { Run } from "../run/run.ts";
import type { JSONSchema } from "../schema/model/json-schema.ts";
import { coreRefParts } from "../schema/model/known-types.ts";
import type { DeclaredType } from "../schema/schemata.ts";
import { markersIn, textLines } from "../source/comments.ts";
import { describe } from "../source/description.ts";
import type { ApiDocsConfig } from "./config.ts";
import { parseComment } from "./doc-comment.ts";
import { kindFacts, readSamples } from "./kind-facts.ts";
import { kubernetesLink } from "./kubernetes-links.ts";
import type { ApiReference, Destination, KindFacts, PackageDocs, TextPart, TypeDocs } from "./model.ts";
import { isInternal } from "./tags.ts";
import { type TypeLinks, typeDocs } from "./type-docs.ts";
import { npmPackageOf, qualifiedName, shownName } from "./type-names.ts";

/** A group and version whose types are being collected. */
interface Section {
  readonly group: string;
  readonly version: string;
  readonly directories: Set<string>;
  readonly kinds: TypeDocs[];
  readonly types: TypeDocs[];
}

/** Collects the content of the API reference: the kinds, and all types that they use. */
export function collectReference(run: Run, model: CrdModel, config: ApiDocsConfig, title: string): ApiReference {
  const { schemata } = model;
  const { cwd } = run.request;
  const sections = new Map<string, Section>();
  const appearsIn = new Map<string, Set<string>>();
  const queue: { readonly ref: string; readonly section: Section; readonly facts?: KindFacts }[] = [];
  const queued = new Set<string>();
  const isOmitted = (node: TypeNode) => isInternal(node.declaration) || config.ignoresType(qualifiedName(node, cwd));

  function sectionOf(pkg: ApiPackage): Section | undefined {
    const { group, version, directory, skipped } = pkg;
    if (group === undefined || skipped || !run.roots.includes(pkg)) return undefined;
    const name = nameOf(group, version);
    if (config.ignoresGroupVersion(name)) return undefined;
    const section = sections.get(name) ?? { group, version, directories: new Set(), kinds: [], types: [] };
    sections.set(name, section);
    section.directories.add(directory);
    return section;
  }

  function add(ref: string, section: Section, facts?: KindFacts): string {
    const key = keyOf(section, ref);
    if (!queued.has(key)) queue.push({ ref, section, ...(facts === undefined ? {} : { facts }) });
    queued.add(key);
    return key;
  }

  function linksFrom(from: string, section: Section): TypeLinks {
    return {
      omits(ref) {
        const type = schemata.declared(ref);
        return type !== undefined && isOmitted(type.node);
      },
      omitsField: (type, field) => config.ignoresField(`${qualifiedName(type, cwd)}.${field}`),
      linkTo(ref) {
        const type = schemata.declared(ref);
        if (!type) return coreLink(ref, schemata.definition(ref), config);
        const text = shownName(type);
        const destination = knownTypeOf(type, config, cwd);
        if (destination) return { text, to: destination };
        if (schemata.definition(ref) === undefined) return text;
        // Types without a group of their own are documented with each group and version that uses them.
        const hidden = type.node.package.group !== undefined && isIgnored(type.node.package, config);
        if (hidden) return text;
        const key = add(ref, sectionOf(type.node.package) ?? section);
        const users = appearsIn.get(key) ?? new Set();
        appearsIn.set(key, users.add(from));
        return { text, to: { kind: "section", key } };
      },
    };
  }

  const samples = readSamples(run);
  for (const { document, types } of model.crds) {
    for (const version of document.spec.versions) {
      const node = types.find(({ package: pkg }) => pkg.version === version.name);
      const section = node && !isOmitted(node) ? sectionOf(node.package) : undefined;
      if (node && section) add(schemata.referenceTo(node), section, kindFacts(document, version, samples));
    }
  }
  for (const { ref, section, facts } of queue) {
    const type = schemata.declared(ref);
    const schema = schemata.definition(ref);
    if (!type || !schema) continue;
    const key = keyOf(section, ref);
    const links = linksFrom(key, section);
    const docs = typeDocs(
      { key, type, schema, facts, apiVersion: nameOf(section.group, section.version) },
      { ...run, schemata, links },
    );
    (facts ? section.kinds : section.types).push(docs);
  }
  const packages = [...sections.values()]
    .filter(({ kinds, types }) => kinds.length + types.length > 0)
    .map((section) => packageDocs(section, run))
    .sort((a, b) => byBytes(a.group, b.group) || byBytes(a.version, b.version));
  return { title, packages, appearsIn };
}

function nameOf(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

function keyOf({ group, version }: Section, ref: string): string {
  return `${nameOf(group, version)} ${ref}`;
}

function isIgnored({ group = "", version }: ApiPackage, config: ApiDocsConfig): boolean {
  return config.ignoresGroupVersion(nameOf(group, version));
}

function coreLink(
  ref: string,
  schema: JSONSchema | undefined,
  { kubernetesVersion, knownTypes }: ApiDocsConfig,
): TextPart {
  const parts = coreRefParts(ref);
  if (!parts) return "object";
  const { goPackage, name } = parts;
  const knownType = knownTypes.find((each) => each.name === name && each.package === goPackage);
  const isScalar = schema?.type !== undefined && schema.type !== "object" && schema.type !== "array";
  const url = knownType?.link ?? kubernetesLink(goPackage, name, { version: kubernetesVersion, isScalar });
  return url === undefined ? name : { text: name, to: { kind: "url", url } };
}

function knownTypeOf({ node }: DeclaredType, { knownTypes }: ApiDocsConfig, cwd: string): Destination | undefined {
  if (knownTypes.length === 0) return undefined;
  const qualified = qualifiedName(node, cwd);
  const npmPackage = npmPackageOf(node);
  const isFrom = (name: string) =>
    qualified === `${name}.${node.name}` ||
    (npmPackage !== undefined && (name === npmPackage || name.startsWith(`${npmPackage}/`)));
  const knownType = knownTypes.find((each) => each.name === node.name && isFrom(each.package));
  return knownType && { kind: "url", url: knownType.link };
}

function packageDocs({ group, version, directories, kinds, types }: Section, run: Run): PackageDocs {
  const byName = (a: TypeDocs, b: TypeDocs) => byBytes(a.name, b.name) || byBytes(a.key, b.key);
  const texts = [...directories].sort(byBytes).map((directory) => packageDescription(directory, run));
  return {
    group,
    version,
    name: nameOf(group, version),
    description: parseComment(texts.find((text) => text !== "") ?? ""),
    kinds: kinds.sort(byName),
    types: types.sort(byName),
  };
}

/** Returns the text beside the marker `+groupName`, or in a comment with the tag `@packageDocumentation`. */
function packageDescription(directory: string, { sources }: Run): string {
  const comments = sources
    .inDirectory(directory)
    .flatMap((file) => [
      ...file.loose.map(({ comments }) => comments),
      ...file.declarations.slice(0, 1).map(({ leading }) => leading),
    ]);
  for (const group of comments) {
    for (const comment of group) {
      const isTagged = comment.kind === "jsdoc" && comment.text.includes("@packageDocumentation");
      const isMarked = markersIn([comment]).some(({ text }) => text.startsWith("+groupName="));
      if (!isTagged && !isMarked) continue;
      const from = comment.kind === "line" ? lineComments(group, comment) : [comment];
      const lines = from.flatMap((rawComment) => textLines(rawComment)).map(({ text }) => text);
      const text = describe(lines.filter((line) => !line.trimStart().startsWith("@")));
      if (text !== "") return text;
    }
  }
  return "";
}

type Comments = Parameters<typeof markersIn>[0];

/** Returns the `//` lines without an empty line between them and a comment. */
function lineComments(group: Comments, comment: Comments[number]): Comments {
  const at = group.indexOf(comment);
  const isNext = (before: Comments[number], after: Comments[number] | undefined) =>
    before.kind === "line" && after?.kind === "line" && after.at.line - before.at.line === 1;
  let [start, end] = [at, at];
  while (start > 0 && isNext(group[start - 1]!, group[start])) start--;
  while (isNext(group[end]!, group[end + 1])) end++;
  return group.slice(start, end + 1);
}
