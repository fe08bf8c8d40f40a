import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { inputProblem, isProblem, type Problem } from "../../project/problem.ts";
import { GoPatterns } from "../../regex/go-patterns.ts";
import { shown } from "../../text/shown.ts";
import { YamlError } from "../../yaml/budget.ts";
import { readValues } from "../../yaml/values.ts";
import { mapOf } from "../text/maps.ts";
import { Malformed } from "./checks.ts";
import { crdCheck } from "./document-check.ts";

type Values = Readonly<Record<string, unknown>>;

/** Names in a CustomResourceDefinition, which can choose one of several. */
export interface CrdNames {
  readonly group: unknown;
  readonly kind: unknown;
  readonly plural: unknown;
}

/**
 * Reads the only CustomResourceDefinition in a YAML or JSON text. Returns a problem with a one-line message for any other
 * text.
 *
 * @param source the name of the text in messages, such as `--from-crd crd.yaml`
 * @param isWanted chooses one of several CustomResourceDefinitions
 */
export function readCrd(
  text: string,
  source: string,
  isWanted: (names: CrdNames) => boolean = () => true,
): CustomResourceDefinition | Problem {
  const problem = problemIn(source);
  const objects = objectsOf(text, problem);
  if (isProblem(objects)) return objects;
  const crds = chosen(objects.filter(isCrd), isWanted);
  const [only, another] = crds;
  if (only === undefined) {
    const kinds = [...new Set(objects.map(({ kind }) => kind ?? "something without a kind"))];
    return problem(`holds no CustomResourceDefinition, but ${kinds.length === 0 ? "nothing" : listed(kinds)}`);
  }
  if (another !== undefined) {
    return problem(
      `holds several CustomResourceDefinitions: ${listed(crds.map((crd) => mapOf(crd.metadata).name))}`,
      "choose one with --kind, --group or --plural",
    );
  }
  return crdOf(only, problem);
}

/**
 * Reads all CustomResourceDefinitions in a YAML or JSON text, possibly none.
 *
 * @param source the name of the text in messages
 */
export function readCrds(text: string, source: string): readonly CustomResourceDefinition[] | Problem {
  const problem = problemIn(source);
  const objects = objectsOf(text, problem);
  if (isProblem(objects)) return objects;
  const crds: CustomResourceDefinition[] = [];
  for (const object of objects.filter(isCrd)) {
    const crd = crdOf(object, problem);
    if (isProblem(crd)) return crd;
    crds.push(crd);
  }
  return crds;
}

type MakeProblem = (why: string, hint?: string) => Problem;

const problemIn =
  (source: string): MakeProblem =>
  (why, hint) =>
    inputProblem("bad-crd", `${source} ${why}`, hint);

/** Returns the definitions with the wanted names; all of them if none has these names. */
function chosen(crds: readonly Values[], isWanted: (names: CrdNames) => boolean): readonly Values[] {
  if (crds.length < 2) return crds;
  const wanted = crds.filter(({ spec }) => {
    const { group, names } = mapOf(spec);
    const { kind, plural } = mapOf(names);
    return isWanted({ group, kind, plural });
  });
  return wanted.length === 0 ? crds : wanted;
}

const isCrd = ({ kind }: Values): boolean => kind === "CustomResourceDefinition";

function objectsOf(text: string, problem: MakeProblem): Values[] | Problem {
  try {
    return readValues(text, { maxBytes: maxCrdBytes }).flatMap(itemsOf);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const hint = text.includes("{{") ? "render the templates of a chart first" : undefined;
    return problem(`can't be read as YAML or JSON: ${error.message}`, hint);
  }
}

function crdOf(object: Values, problem: MakeProblem): CustomResourceDefinition | Problem {
  if (object.apiVersion !== "apiextensions.k8s.io/v1") {
    return problem(
      `is a CustomResourceDefinition of ${shown(textOf(object.apiVersion))}: apiextensions.k8s.io/v1 is what is read`,
      "kubectl get crd NAME -o yaml gives it as v1",
    );
  }
  const crd = checkedCrd(object);
  if (typeof crd === "string") return problem(`is malformed: ${crd}`);
  const wrong = brokenRule(crd);
  return wrong === undefined ? crd : problem(wrong);
}

/** Maximum length of a text with one CRD, in bytes: the API server stores at most 3 MiB, and indentation adds to it. */
const maxCrdBytes = 8 * 1024 * 1024;

/** Maximum number of names in a message. */
const maxListed = 10;

function listed(names: readonly unknown[]): string {
  const more = names.length > maxListed ? `, and ${names.length - maxListed} more` : "";
  return names.slice(0, maxListed).map(textOf).join(", ") + more;
}

/** Formats a value of any type as one word of a message. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value.length > 80 ? `${value.slice(0, 77)}...` : value;
  return value === undefined ? "?" : typeof value === "object" ? "something else" : String(value);
}

function checkedCrd(values: Values): CustomResourceDefinition | string {
  const patterns = new GoPatterns();
  try {
    return crdCheck((pattern) => patterns.problem(pattern))(values, undefined);
  } catch (error) {
    if (error instanceof Malformed) return error.message;
    throw error;
  }
}

/** Checks rules of the API server beyond the types of values. */
function brokenRule({ metadata, spec }: CustomResourceDefinition): string | undefined {
  const { group, names, versions } = spec;
  const name = `${names.plural}.${group}`;
  if (metadata.name !== name)
    return `is malformed: metadata.name is ${shown(metadata.name)}, and must be ${shown(name)}`;
  if (versions.length === 0) return "has no spec.versions";
  const seen = new Set<string>();
  for (const version of versions) {
    if (seen.has(version.name)) return `has the version ${shown(version.name)} twice`;
    seen.add(version.name);
    const schema: object | undefined = version.schema?.openAPIV3Schema;
    if (schema === undefined || Object.keys(schema).length === 0)
      return `has no schema in its version ${shown(version.name)}`;
  }
  const stored = versions.filter(({ storage }) => storage).length;
  if (stored !== 1) return `is malformed: spec.versions has ${stored} versions with storage: true, and must have one`;
  return undefined;
}

/** Returns the items of a list, or the document itself. */
function itemsOf(document: unknown): Values[] {
  const object = mapOf(document);
  if (Object.keys(object).length === 0) return [];
  if (!Array.isArray(object.items)) return [object];
  if (object.kind === "List") return object.items.map(mapOf);
  // The items of the API server's own lists have neither a kind nor an API version.
  const { apiVersion, kind } = object;
  return kind === "CustomResourceDefinitionList"
    ? object.items.map((item) => ({ apiVersion, kind: "CustomResourceDefinition", ...mapOf(item) }))
    : [object];
}
