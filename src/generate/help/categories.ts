import { byBytes } from "../../text/byte-order.ts";
import type { ArgumentType, MarkerDefinition, MarkerField } from "../markers/index.ts";

/** The type of an argument, in controller-gen's terms. */
export interface ArgumentHelp {
  readonly type: "string" | "number" | "int" | "bool" | "any" | "raw" | "slice" | "map";
  readonly optional: boolean;
  /** For lists and maps. */
  readonly itemType?: ArgumentHelp;
}

/** Help for one argument; the anonymous one has the name `""`. */
export interface FieldHelp extends ArgumentHelp {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
}

/** Help for one marker or option, in the format of controller-gen's `-wwww`. */
export interface MarkerHelp {
  readonly name: string;
  /** Command-line options have the target `package`, as in controller-gen. */
  readonly target: string;
  readonly summary: string;
  readonly details?: string;
  readonly category: string;
  /** Present if the marker is deprecated; empty without a replacement. */
  readonly deprecatedInFavorOf?: string;
  readonly fields?: readonly FieldHelp[];
}

/** The markers under one heading. The heading `""` contains markers that only the JSON lists. */
export interface CategoryHelp {
  readonly category: string;
  readonly markers: readonly MarkerHelp[];
}

/** Groups the help for definitions by heading; headings, markers and arguments are sorted by name. */
export function helpOn(definitions: readonly MarkerDefinition[]): CategoryHelp[] {
  const categories = new Map<string, MarkerHelp[]>();
  for (const definition of definitions) {
    const markers = categories.get(definition.category) ?? [];
    categories.set(definition.category, markers);
    markers.push(helpOf(definition));
  }
  return [...categories.entries()]
    .sort(([a], [b]) => byBytes(a, b))
    .map(([category, markers]) => ({ category, markers: markers.sort((a, b) => byBytes(sortText(a), sortText(b))) }));
}

const TARGETS = ["package", "type", "field"];

function sortText({ name, target }: MarkerHelp): string {
  return `${name} ${TARGETS.indexOf(target)}`;
}

function helpOf(definition: MarkerDefinition): MarkerHelp {
  const { name, target, summary, details, category, deprecated, replacedBy, fields } = definition;
  const sorted = [...fields].sort((a, b) => byBytes(a.name, b.name));
  return {
    name,
    target: target === "option" ? "package" : target,
    summary,
    ...(details === undefined ? {} : { details }),
    category,
    ...(deprecated ? { deprecatedInFavorOf: replacedBy ?? "" } : {}),
    ...(fields.length === 0 ? {} : { fields: sorted.map(fieldHelp) }),
  };
}

function fieldHelp({ name, type, optional, summary, details }: MarkerField): FieldHelp {
  return { name, ...argumentHelp(type, optional), summary, ...(details === undefined ? {} : { details }) };
}

function argumentHelp(type: ArgumentType, optional = false): ArgumentHelp {
  return { type: type.kind, optional, ...("item" in type ? { itemType: argumentHelp(type.item) } : {}) };
}
