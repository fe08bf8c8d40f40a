import type { JSONSchema } from "../../schema/model/json-schema.ts";
import type { Finding } from "../model/finding.ts";
import type { KindVersion, Step } from "../model/site.ts";

/** The lints that are off by default, except for kinds that are scaffolded for kstatus. */
const offByDefault = ["kstatus-no-observed-generation", "kstatus-no-conditions", "kstatus-no-initial-status"] as const;

/** Settings that turn lints on that are off by default. */
export interface KstatusSettings {
  /** The kinds that are scaffolded for kstatus, such as `myapp.example.com/v1/Game`. */
  readonly kinds: ReadonlySet<string>;
  /** The configured levels of diagnostics, by id. */
  readonly levels: Readonly<Record<string, unknown>>;
}

/** Reports a finding at a path of the schema, or on the whole kind if the path is empty. */
type Report = (finding: Finding, path: readonly Step[]) => void;

const status: Step = { property: "status" };
const observedGeneration = [status, { property: "observedGeneration" }] as const;
const conditions = [status, { property: "conditions" }] as const;

/** Reports a status from which Helm, Flux and kubectl compute a wrong state. */
export function kstatus({ crd, version }: KindVersion, { kinds, levels }: KstatusSettings, report: Report): void {
  const schema = version.schema.openAPIV3Schema.properties?.status;
  if (schema === undefined) return;
  const isListed = kinds.has(`${crd.spec.group}/${version.name}/${crd.spec.names.kind}`);
  const isOn = (id: (typeof offByDefault)[number]) => isListed || Object.hasOwn(levels, id);
  const { observedGeneration: generation, conditions: list } = schema.properties ?? {};

  if (generation !== undefined && (generation.type !== "integer" || generation.nullable === true)) {
    const why = generation.type === "integer" ? "can be null" : `isn't an integer, but ${typeOf(generation)}`;
    report(
      {
        id: "kstatus-observed-generation-type",
        message: `status.observedGeneration ${why}: Helm, Flux and kubectl can't compute the state of such objects`,
        hint: "declare it as observedGeneration?: Int64",
        keywords: ["type", "nullable"],
      },
      observedGeneration,
    );
  }
  const problem = list && conditionsProblem(list);
  if (problem !== undefined) {
    report(
      {
        id: "kstatus-conditions-type",
        message: `status.conditions ${problem}: Helm, Flux and kubectl can't compute the state of such objects`,
        hint: "declare it as conditions?: Condition[]",
      },
      conditions,
    );
  }
  if (generation !== undefined && version.subresources?.status === undefined) {
    report(
      {
        id: "kstatus-no-subresource",
        message:
          "each write of the status increases the generation, because the kind has no status subresource: status.observedGeneration never equals it",
        hint: "add // +kubebuilder:subresource:status",
      },
      [],
    );
  }
  if (list !== undefined && generation === undefined && isOn("kstatus-no-observed-generation")) {
    report(
      {
        id: "kstatus-no-observed-generation",
        message:
          "status has conditions, but not observedGeneration: after a change of the spec, the object counts as ready before the controller has seen the change",
        hint: "add observedGeneration?: Int64 to the status, and set it to metadata.generation",
      },
      conditions,
    );
  }
  if (list === undefined && generation === undefined && isOn("kstatus-no-conditions")) {
    report(
      {
        id: "kstatus-no-conditions",
        message: "status has neither conditions nor observedGeneration: objects always count as ready",
        hint: "add conditions?: Condition[] and observedGeneration?: Int64 to the status",
      },
      [status],
    );
  }
  if (generation !== undefined && !hasInitialGeneration(schema) && isOn("kstatus-no-initial-status")) {
    report(
      {
        id: "kstatus-no-initial-status",
        message: "status has no default for observedGeneration: new objects count as ready until its first write",
        hint: 'add // +kubebuilder:default={"observedGeneration":-1} above the field status',
        keywords: ["default"],
      },
      [status],
    );
  }
}

function typeOf({ type, ...schema }: JSONSchema): string {
  return schema["x-kubernetes-int-or-string"] === true ? "an integer or a string" : `of type ${type ?? "any"}`;
}

/** Returns why conditions aren't a list of objects with texts. */
function conditionsProblem({ type, items }: JSONSchema): string | undefined {
  if (type !== "array") return `isn't a list, but of type ${type ?? "any"}`;
  if (items === undefined) return undefined;
  if (items.type !== "object") return `isn't a list of objects, but of type ${items.type ?? "any"}`;
  const isFree = items["x-kubernetes-preserve-unknown-fields"] === true || items.additionalProperties !== undefined;
  for (const name of ["type", "status"] as const) {
    const field = items.properties?.[name];
    if (field === undefined && !isFree) return `has entries without ${name}`;
    if (field !== undefined && field.type !== "string") return `has entries whose ${name} isn't a string`;
  }
  for (const name of ["reason", "message"] as const) {
    const field = items.properties?.[name];
    if (field !== undefined && field.type !== "string") return `has entries whose ${name} isn't a string`;
  }
  return undefined;
}

function hasInitialGeneration({ default: value }: JSONSchema): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "observedGeneration" in value;
}
