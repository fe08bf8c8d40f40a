// The differences between two releases that an update of Kubernetes has to work through.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { apiChanges, type OpenApi } from "./api-changes.ts";
import { functionChanges } from "./function-changes.ts";
import { type Gate, gateChanges, gatesOf } from "./gate-changes.ts";
import type { Sources } from "./modules.ts";

/** An area of the API server, with the upstream sources that contain its rules and the folders that contain ours. */
interface Area {
  readonly title: string;
  readonly ours: string;
  readonly module: keyof Sources;
  readonly folders: readonly string[];
  /** Selects files by their path. */
  readonly files?: RegExp;
}

const builtin = "packages/apiserver/src/builtin";
const areas: readonly Area[] = [
  {
    title: "Validation and strategies of built-in kinds",
    ours: `${builtin}/strategies`,
    module: "kubernetes",
    folders: ["pkg/apis", "pkg/api", "pkg/registry"],
    files: /\/(validation\/[^/]+|pkg\/api\/[^/]+\/[^/]+|strategy|zz_generated\.validations)\.go$/,
  },
  {
    title: "Defaults of built-in kinds",
    ours: `${builtin}/defaults`,
    module: "kubernetes",
    folders: ["pkg/apis"],
    files: /\/defaults\.go$/,
  },
  { title: "Tables", ours: `${builtin}/printers.ts`, module: "kubernetes", folders: ["pkg/printers/internalversion"] },
  {
    title: "Admission of built-in kinds",
    ours: "packages/apiserver/src/admission",
    module: "kubernetes",
    folders: ["plugin/pkg/admission", "pkg/kubeapiserver/admission"],
  },
  {
    title: "Roles of new clusters",
    ours: "packages/apiserver/data",
    module: "kubernetes",
    folders: ["plugin/pkg/auth/authorizer/rbac/bootstrappolicy"],
  },
  {
    title: "Controllers",
    ours: "packages/apiserver/src/controllers",
    module: "kubernetes",
    folders: ["cronjob", "daemon", "deployment", "garbagecollector", "job", "namespace", "replicaset", "statefulset"]
      .concat("endpointslice", "storageversionmigrator", "disruption")
      .map((name) => `pkg/controller/${name}`),
  },
  {
    title: "Metadata, names, selectors and declarative rules",
    ours: "packages/cel/src/validation",
    module: "apimachinery",
    folders: ["pkg/api/validation", "pkg/api/validate", "pkg/apis/meta/v1/validation", "pkg/util/validation"],
  },
  {
    title: "CustomResourceDefinitions and custom resources",
    ours: "packages/apiserver/src/crd, packages/apiserver/src/custom-resources",
    module: "apiextensions-apiserver",
    folders: ["pkg/apis/apiextensions", "pkg/registry", "pkg/apiserver"],
  },
  {
    title: "CEL: libraries, types and costs",
    ours: "packages/cel/src/language",
    module: "apiserver",
    folders: ["pkg/cel"],
  },
  {
    title: "Requests, admission, storage of any kind",
    ours: "packages/apiserver/src/registry, packages/apiserver/src/admission",
    module: "apiserver",
    folders: ["pkg/endpoints/handlers", "pkg/registry", "pkg/admission/plugin", "pkg/storage/cacher"],
  },
];
/** The files that people write. */
const written = /^(?!.*\/(zz_generated|generated)\.).*\.go$/;
const gateFiles: readonly (readonly [keyof Sources, string])[] = [
  ["kubernetes", "pkg/features/kube_features.go"],
  ["apiserver", "pkg/features/kube_features.go"],
  ["apiextensions-apiserver", "pkg/features/kube_features.go"],
];

/** One release. */
export interface Release {
  /** Without a leading `v`, such as `1.38.0-beta.0`. */
  readonly version: string;
  readonly sources: Sources;
}

/** A part of the list. */
export interface Section {
  readonly title: string;
  /** The folder of the repository that implements it. */
  readonly ours: string;
  readonly changes: readonly string[];
}

/**
 * Compares two releases.
 *
 * @param before - the release of which the repository has the data
 * @param after - the release to update to
 * @returns what changed, by area
 */
export function workList(before: Release, after: Release): Section[] {
  const openApi = ({ sources }: Release): OpenApi =>
    JSON.parse(readFileSync(join(sources.kubernetes, "api/openapi-spec/swagger.json"), "utf8"));
  return [
    {
      title: "Kinds, fields and paths",
      ours: "regenerated data, packages/apiserver/src/data/versions.ts",
      changes: apiChanges(openApi(before), openApi(after)),
    },
    {
      title: "Feature gates",
      ours: `${builtin}/disabled-fields.ts, and the areas below`,
      changes: gateChanges(gatesOfRelease(before), gatesOfRelease(after)),
    },
    ...areas.map((area) => ({
      title: area.title,
      ours: area.ours,
      changes: area.folders.flatMap((folder) => folderChanges(area, folder, before, after)),
    })),
  ];
}

/** Formats the list as Markdown. */
export function formatWorkList(before: Release, after: Release, sections: readonly Section[]): string {
  const parts = sections.map(({ title, ours, changes }) =>
    [
      `## ${title}: ${changes.length} ${changes.length === 1 ? "change" : "changes"}`,
      `Here: ${ours}`,
      changes.map((change) => `- [ ] ${change}`).join("\n") || "Nothing.",
    ].join("\n\n"),
  );
  return [`# From Kubernetes ${before.version} to ${after.version}`, ...parts, ""].join("\n\n");
}

function gatesOfRelease({ version, sources }: Release): Map<string, Gate> {
  const minor = version.split(".").slice(0, 2).join(".");
  const files = gateFiles.map(([module, path]) => readFileSync(join(sources[module], path), "utf8"));
  return new Map(files.flatMap((source) => [...gatesOf(source, minor)]));
}

function folderChanges({ module, files = written }: Area, folder: string, before: Release, after: Release): string[] {
  const [old, now] = [before, after].map(({ sources }) => goFiles(sources[module], folder, files)) as [
    Map<string, string>,
    Map<string, string>,
  ];
  return [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .flatMap((path) => functionChanges(old.get(path), now.get(path)).map((change) => `${path}: ${change}`));
}

/** Reads the Go files below a folder, apart from tests, by path. */
function goFiles(module: string, folder: string, files: RegExp): Map<string, string> {
  const top = join(module, folder);
  if (!existsSync(top)) return new Map();
  const paths = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".go") && !entry.name.endsWith("_test.go"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => files.test(path));
  return new Map(paths.map((path) => [relative(module, path), readFileSync(path, "utf8")]));
}
