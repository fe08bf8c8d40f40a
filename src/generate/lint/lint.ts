// Checks of the generated CRDs that controller-gen doesn't have. Problems for which the API server rejects a CRD are errors,
// although controller-gen writes such CRDs; all others are warnings.

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { GeneratedCrd } from "../crd/crds.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { JSONSchema } from "../schema/model/json-schema.ts";
import { hasRules } from "./cel/has-rules.ts";
import { columns } from "./kind/columns.ts";
import { type KstatusSettings, kstatus } from "./kind/kstatus.ts";
import { metadata } from "./kind/metadata.ts";
import { names } from "./kind/names.ts";
import { scale } from "./kind/scale.ts";
import { selectable } from "./kind/selectable.ts";
import { size } from "./kind/size.ts";
import { differentResources, storageVersions } from "./kind/versions.ts";
import { locateInSchema, locateOnKind } from "./locate.ts";
import type { Finding, KindLint, SchemaLint } from "./model/finding.ts";
import { kindVersions, pathOf, type Site, siteAt } from "./model/site.ts";
import { walkSchemas } from "./model/walk.ts";
import { badPattern, doubtfulPatterns } from "./regex/patterns.ts";
import { enums } from "./schema/enums.ts";
import { limits } from "./schema/limits.ts";
import { lists } from "./schema/lists.ts";
import { isWritten, oneOf } from "./schema/one-of.ts";
import { structural } from "./schema/structural.ts";
import { unparsable } from "./schema/unparsable.ts";
import { values } from "./schema/values.ts";
import { findSource, type SourceMapInput } from "./source-map.ts";

const schemaLints: readonly SchemaLint[] = [structural, enums, limits, lists, oneOf];
const kindLints: readonly KindLint[] = [names, metadata, columns, scale, selectable];

/** The input of the lints. */
export interface LintInput extends SourceMapInput {
  readonly crds: readonly GeneratedCrd[];
  /** Whether a CRD already has errors: then a missing type may be a consequence. */
  readonly broken: (crd: GeneratedCrd) => boolean;
  readonly kstatus?: KstatusSettings;
  readonly report: (diagnostic: Diagnostic) => void;
}

const noSettings: KstatusSettings = { kinds: new Set(), levels: {} };

/** Lints finished CRDs. The libraries for CEL and for Go's regular expressions are loaded only if they are needed. */
export async function lint({
  crds,
  report,
  broken,
  kstatus: settings = noSettings,
  ...places
}: LintInput): Promise<void> {
  const diagnostics: Diagnostic[] = [];
  const brokenKinds = new Set(crds.filter(broken).flatMap(({ types }) => types));
  const inSchema = (site: Site) => (finding: Finding) => {
    if (finding.id === "not-structural" && brokenKinds.has(site.kind.type)) return;
    const diagnostic = locateInSchema(finding, site, places);
    if (diagnostic) diagnostics.push(diagnostic);
  };
  const onKind = (finding: Finding, type: TypeNode, versions: readonly TypeNode[] = []) => {
    const diagnostic = locateOnKind(finding, type, versions);
    if (diagnostic) diagnostics.push(diagnostic);
  };
  const withRules: Site[] = [];
  const withPatterns: Site[] = [];
  const withTexts: Site[] = [];
  const seen = new WeakSet<JSONSchema>();
  const unreadable = unparsable((site) => findSource(site.kind.type, pathOf(site), places).runtimeType === "Duration");
  for (const crd of crds) {
    storageVersions(crd, onKind);
    differentResources(crd, onKind);
    size(crd, onKind);
    for (const kind of kindVersions(crd)) {
      for (const run of kindLints) run(kind, (finding) => onKind(finding, kind.type, crd.types));
      kstatus(kind, settings, (finding, path) => {
        if (path.length === 0) onKind(finding, kind.type);
        else inSchema(siteAt(kind, path))(finding);
      });
      walkSchemas(kind, seen, (site) => {
        for (const run of [...schemaLints, unreadable]) run(site, inSchema(site));
        if (!checkValues(site, inSchema(site))) withTexts.push(site);
        if (site.schema["x-kubernetes-validations"]?.some(isWritten)) withRules.push(site);
        if (doubtfulPatterns(site).length > 0) withPatterns.push(site);
      });
    }
  }
  const versions = crds.flatMap(kindVersions).filter(({ version }) => hasRules(version.schema.openAPIV3Schema));
  if (versions.length > 0) {
    const { celBudget, celRules } = await import("./cel/cel.ts");
    for (const kind of versions) celBudget(kind, (finding, site) => inSchema(site)(finding));
    for (const site of withRules) celRules(site, inSchema(site));
  }
  if (withPatterns.length > 0 || withTexts.length > 0) {
    const { GoPatterns } = await import("../../regex/go-patterns.ts");
    const patterns = new GoPatterns();
    for (const site of withTexts) values(site, inSchema(site), (pattern, text) => patterns.test(pattern, text));
    for (const site of withPatterns) {
      for (const pattern of doubtfulPatterns(site)) {
        const problem = patterns.problem(pattern);
        if (problem !== undefined) inSchema(site)(badPattern(pattern, problem));
      }
    }
  }
  for (const diagnostic of diagnostics) report(diagnostic);
}

/** Checks defaults and examples. Returns false if a pattern must be evaluated first, which requires the library. */
function checkValues(site: Site, report: (finding: Finding) => void): boolean {
  const findings: Finding[] = [];
  let settled = true;
  const unsettled = () => {
    settled = false;
    return undefined;
  };
  values(site, (finding) => findings.push(finding), unsettled);
  if (settled) for (const finding of findings) report(finding);
  return settled;
}
