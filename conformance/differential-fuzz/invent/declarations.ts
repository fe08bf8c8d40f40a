import type { Random } from "../../../scripts/test-support/random.ts";
import { type Facet, facetOf, isStruct } from "../facets.ts";
import type { Comments, Declaration, Field, Named, Struct, Type } from "../model.ts";
import { fieldMarkers, sharedMarkers, withoutRivals, xValidation } from "./field-markers.ts";
import { docLines } from "./texts.ts";
import { inventType, type Palette } from "./types.ts";

const prefix = "kubebuilder:validation:";
const names =
  "name type replicas image a b c id URL camelCase snake_case kebab-case y on null true status10 status9 items $ref x-y 10 e".split(
    " ",
  );

/** Distributes markers between the comment itself and a separate one above it. */
export function comments(random: Random, markers: string[]): Comments {
  const shuffled = random.chance(0.3) ? [...markers].reverse() : markers;
  const above = random.chance(0.3) ? shuffled.filter(() => random.chance(0.5)) : [];
  return {
    doc: docLines(random),
    markers: shuffled.filter((marker) => !above.includes(marker)),
    above,
    style: random.int(4),
  };
}

/** Generates a struct. Its embedded structs are from `bases`, which must not have common fields. */
export function inventStruct(random: Random, palette: Palette, place: string, name: string, bases: Type[]): Struct {
  const embeds = bases.length > 0 && random.chance(0.25) ? [random.pick(bases)] : [];
  const marked = `${name.toLowerCase()}`;
  const count = random.int(7);
  const chosen = random.some(names, count).map((each) => (each === "name" ? `${marked}-name` : each));
  // The fields of bases have unique names.
  const fieldNames = name.startsWith("Base") ? chosen.map((each) => `${marked}${each}`) : chosen;
  const oneOf = random.chance(0.15)
    ? fieldNames.filter((fieldName) => /^[a-zA-Z_]\w*$/.test(fieldName)).slice(0, 3)
    : [];
  const fields = fieldNames.map((fieldName) =>
    inventField(random, palette, place, fieldName, oneOf.includes(fieldName)),
  );
  const markers: string[] = [];
  if (oneOf.length > 0) {
    const families = random.some(["ExactlyOneOf", "AtMostOneOf", "AtLeastOneOf"], 2);
    for (const family of families) markers.push(`${prefix}${family}=${oneOfList(random, oneOf)}`);
  }
  if (random.chance(0.12)) markers.push(`structType=${random.pick(["granular", "atomic"])}`);
  if (random.chance(0.15)) markers.push(`${prefix}MinProperties=${random.int(4)}`);
  if (random.chance(0.1)) markers.push(`${prefix}${xValidation(random)}`);
  markers.push(...sharedMarkers(random, "", undefined));
  const forms = [
    "interface",
    "interface",
    "interface",
    "merged",
    "alias",
    "intersection",
    "class",
    "constructor",
    "pick",
    "omit",
    "mapped",
    "namespace",
    "generic",
  ] as const;
  const form = random.pick(forms);
  return { kind: "struct", name, embeds, fields, form, ...comments(random, markers) };
}

function oneOfList(random: Random, members: string[]): string {
  return random.chance(0.5) ? members.join(";") : `{${members.join(",")}}`;
}

function inventField(random: Random, palette: Palette, place: string, name: string, inOneOf: boolean): Field {
  const optional = inOneOf || random.chance(0.5);
  if (random.chance(0.06)) return unionField(random, name, optional);
  const type = inventType(random, palette);
  const facet = facetOf(palette.api, place, type);
  const item = type.kind === "list" ? facetOf(palette.api, place, type.of) : undefined;
  const own = fieldMarkers(random, facet, !inOneOf).filter((marker) => {
    // The reference also adds a minimum of properties to types other than objects.
    return marker !== "k8s:required" || scalarOrContainer(type) || isContent(facet) || isStruct(palette.api, type);
  });
  const schemaless = own.includes(`${prefix}Schemaless`);
  const general = own.filter((marker) => !/^k8s:(max|min)/.test(marker));
  const markers = withoutRivals(
    schemaless
      ? [...general, ...sharedMarkers(random, "", undefined)]
      : [...own, ...sharedMarkers(random, facet, item)],
  );
  const orNull = !schemaless && !markers.includes("nullable") && random.chance(0.05);
  return { name, type, optional, ...(orNull ? { orNull } : {}), ...comments(random, markers) };
}

function unionField(random: Random, name: string, optional: boolean): Field {
  const words = random.chance(0.7);
  const union = words ? random.some(["Always", "Never", "a b", "x;y", "1", ""], 4) : random.some([1, 2, 10, 0], 3);
  const type: Type = { kind: "scalar", name: words ? "string" : "int" };
  const some = union.length > 0 ? union : ["Only"];
  return {
    name,
    type: union.length > 0 ? type : { kind: "scalar", name: "string" },
    optional,
    union: some,
    ...comments(random, []),
  };
}

/** Generates a named type that isn't a struct. */
export function inventNamed(random: Random, palette: Palette, place: string, name: string): Named {
  if (random.chance(0.25)) return enumeration(random, name);
  const nameable = { ...palette, declared: palette.declared.filter(() => random.chance(0.4)) };
  let type = inventType(random, nameable);
  while (type.kind === "pointer" || type.kind === "core" || isBytes(type)) type = inventType(random, nameable);
  const facet = facetOf(palette.api, place, type);
  const item = type.kind === "list" ? facetOf(palette.api, place, type.of) : undefined;
  return { kind: "named", name, type, ...comments(random, sharedMarkers(random, facet, item)) };
}

function scalarOrContainer(type: Type): boolean {
  if (type.kind === "pointer") return scalarOrContainer(type.to);
  return type.kind !== "declared" && type.kind !== "core";
}

/** Whether the marker k8s:required demands content for a type. */
function isContent(facet: Facet): boolean {
  return facet === "string" || facet === "array" || facet === "object";
}

/**
 * Whether a type is an alias of bytes. The reference rejects it, because it is an array for fields but a string for itself.
 */
function isBytes(type: Type): boolean {
  return type.kind === "scalar" && type.name === "bytes";
}

function enumeration(random: Random, name: string): Named {
  const values = random.some(["Zebra", "Allow", "forbid", "with blank", "100", "a-b", "ä"], 5);
  const k8s = random.chance(0.4);
  const type: Type = { kind: "scalar", name: "string" };
  return { kind: "named", name, type, values: values.length > 0 ? values : ["Only"], k8s, ...comments(random, []) };
}

/** Whether other structs may embed a declaration. */
export function isBase(declaration: Declaration): boolean {
  return declaration.kind === "struct" && declaration.name.startsWith("Base");
}
