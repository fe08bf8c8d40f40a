import { basename, dirname } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import {
  collectMarkers,
  type MarkerLine,
  type MarkerTarget,
  type MarkerValues,
  markerValues,
  type PackageSettings,
  type Registry,
  withUnknownAsWarning,
} from "../markers/index.ts";
import { markersIn } from "../source/comments.ts";
import { describe } from "../source/description.ts";
import type { Declaration, Member, RawComment, SourceFile, TypeDeclaration } from "../source/model.ts";
import { isType } from "../source/resolve.ts";
import type { Sources } from "../source/sources.ts";
import { attachComments, isPackageWide } from "./attach.ts";
import { packageIdentity } from "./identity.ts";
import { allMembers, isProperty } from "./members.ts";
import type { ApiPackage, FieldNode, TypeNode } from "./nodes.ts";
import { synonymMarkers } from "./synonyms.ts";
import { reportUnread } from "./unread.ts";

/** Packages, types and fields with their markers; each is created once. */
export interface Packages {
  /** Returns the package in a directory. */
  load(directory: string): ApiPackage;
  /** Returns the types that a package declares, by file and position. */
  typesOf(pkg: ApiPackage): TypeNode[];
  /** Reads all types and fields of a package, so that invalid markers are reported even if their type isn't used. */
  readAll(pkg: ApiPackage): void;
  typeNode(declaration: TypeDeclaration, file: string): TypeNode;
  /** Returns the properties among members, without methods. */
  fields(members: readonly Member[]): FieldNode[];
}

/** The input of {@link createPackages}. */
export interface PackagesInput {
  readonly sources: Sources;
  readonly registry: Registry;
  readonly report: (diagnostic: Diagnostic) => void;
  /** The directories of the run, in which unknown markers are errors; by default all. */
  readonly own?: ReadonlySet<string>;
}

/** Prepares to read packages; they are read on demand. */
export function createPackages({ sources, registry, report, own }: PackagesInput): Packages {
  const packages = new Map<string, ApiPackage>();
  const types = new WeakMap<TypeDeclaration, TypeNode>();
  const fieldNodes = new WeakMap<Member, FieldNode>();
  /** The positions of markers on class members that apply to the package. */
  const promoted = new Set<string>();
  // The user can't fix code of dependencies, and controller-gen reads it silently.
  const reportMarker = (finding: Diagnostic) =>
    report(own === undefined || own.has(dirname(finding.file)) ? finding : withUnknownAsWarning(finding));
  const collect = (lines: readonly MarkerLine[], target: Exclude<MarkerTarget, "option">) =>
    collectMarkers(lines, target, registry, reportMarker);

  function withSynonyms(
    markers: MarkerValues,
    comments: readonly RawComment[],
    target: "type" | "field",
  ): MarkerValues {
    if (!comments.some((comment) => comment.kind === "jsdoc" && comment.text.includes("@"))) return markers;
    const added = synonymMarkers(comments, target, markers, registry, report);
    return added.length === 0 ? markers : markerValues([...markers.all, ...added]);
  }

  function load(directory: string): ApiPackage {
    const loaded = packages.get(directory);
    if (loaded) return loaded;
    const files = sources.inDirectory(directory);
    for (const file of files) for (const diagnostic of file.diagnostics) report(diagnostic);
    for (const line of files.flatMap((file) => classLines(file, registry))) promoted.add(placeOf(line));
    const markers = collect(
      files.flatMap((file) => packageLines(file, registry, collect)),
      "package",
    );
    const settings: PackageSettings = {};
    for (const { definition, value } of markers.all) definition.package?.(settings, value);
    const identity = packageIdentity(files, settings, sources, report);
    const pkg: ApiPackage = Object.freeze({
      directory,
      markers,
      ...(identity.group === undefined ? {} : { group: identity.group }),
      version: identity.version ?? basename(directory),
      skipped: settings.isSkipped === true,
      optionalByDefault: settings.isOptionalByDefault === true,
    });
    packages.set(directory, pkg);
    return pkg;
  }

  function typeNode(declaration: TypeDeclaration, file: string): TypeNode {
    const cached = types.get(declaration);
    if (cached) return cached;
    const first = sources.file(file)?.declarations[0] === declaration && (sources.file(file)?.loose.length ?? 0) === 0;
    const parts = partsOf(declaration).map(({ leading, at }, index) =>
      attachComments(leading, at.line, "type", registry, first && index === 0),
    );
    for (const part of partsOf(declaration)) reportUnread(part, registry, reportMarker);
    const described = parts.find(({ description }) => description !== undefined);
    const node: TypeNode = Object.freeze({
      name: declaration.name,
      file,
      at: declaration.at,
      declaration,
      description: describe(described?.description ?? []),
      markers: withSynonyms(
        collect(
          parts.flatMap(({ own }) => own),
          "type",
        ),
        partsOf(declaration).flatMap(({ leading }) => leading),
        "type",
      ),
      package: load(dirname(file)),
    });
    types.set(declaration, node);
    return node;
  }

  function field(member: Member): FieldNode[] {
    if (!isProperty(member)) return [];
    let node = fieldNodes.get(member);
    if (!node) {
      const attached = attachComments(member.leading, member.at.line, "field", registry, false);
      reportUnread(member, registry, reportMarker);
      node = Object.freeze({
        name: member.name,
        optional: member.optional,
        type: member.type,
        description: describe(attached.description ?? []),
        markers: withSynonyms(
          collect(
            [...attached.package, ...attached.own].filter((line) => !promoted.has(placeOf(line))),
            "field",
          ),
          member.leading,
          "field",
        ),
        at: member.at,
        member,
      });
      fieldNodes.set(member, node);
    }
    return [node];
  }

  function typesOf(pkg: ApiPackage): TypeNode[] {
    return sources
      .inDirectory(pkg.directory)
      .flatMap((file) => file.declarations.filter(isType).map((declaration) => typeNode(declaration, file.path)));
  }

  return {
    load,
    typeNode,
    typesOf,
    readAll(pkg) {
      for (const { declaration } of typesOf(pkg)) {
        for (const member of allMembers(declaration)) {
          field(member);
          if (isProperty(member)) continue;
          const lines = markersIn(member.leading).filter((line) => !promoted.has(placeOf(line)));
          collect(lines, "value");
        }
      }
    },
    fields: (members) => members.flatMap(field),
  };
}

/** Returns the parts of a declaration; interfaces of the same name are merged. */
function partsOf(
  declaration: Declaration,
): readonly (Pick<Declaration, "leading" | "trailing" | "inside" | "at"> & { readonly kind?: string })[] {
  return "merged" in declaration && declaration.merged ? [declaration, ...declaration.merged] : [declaration];
}

type Collect = (lines: readonly MarkerLine[], target: Exclude<MarkerTarget, "option">) => unknown;

/** Returns the package-level markers of a file, in source order. */
function packageLines(file: SourceFile, registry: Registry, collect: Collect): MarkerLine[] {
  const lines = file.loose.flatMap((loose) => markersIn(loose.comments));
  for (const [index, declaration] of file.declarations.entries()) {
    const first = index === 0 && file.loose.length === 0;
    const target = isType(declaration) ? "type" : undefined;
    for (const [part, { leading, at }] of partsOf(declaration).entries()) {
      const attached = attachComments(leading, at.line, target, registry, first && part === 0);
      lines.push(...attached.package);
      // Types collect their own markers; on any other declaration, all markers are misplaced.
      if (!isType(declaration)) collect(attached.own, "value");
    }
  }
  return [...lines, ...classLines(file, registry)].sort((a, b) => a.line - b.line);
}

/** Returns the markers on members of a file's classes that apply to the package. */
function classLines(file: SourceFile, registry: Registry): MarkerLine[] {
  return file.declarations
    .flatMap((declaration) => (declaration.kind === "class" ? declaration.members : []))
    .flatMap((member) => markersIn(member.leading))
    .filter((line) => isPackageWide(line.text, registry));
}

function placeOf({ file, line, column }: MarkerLine): string {
  return `${file}:${line}:${column}`;
}
