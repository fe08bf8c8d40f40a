import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { jsonLiteral, lineComment, propertyName } from "../../text/typescript.ts";
import { descriptionLines, keepsDescription } from "./comment.ts";
import { contradiction, withoutRepeats } from "./contradiction.ts";
import { interfaceLines } from "./interface-lines.ts";
import { constraintMarkers, type MarkerText, type MarkerTexts } from "./markers.ts";
import { singular, type TypeNames, typeNamePart } from "./names.ts";
import { type Shape, shapeOf } from "./shapes.ts";

/** The position of a schema: its path for messages, and the name for its type. */
interface Place {
  readonly path: string;
  readonly name: string;
}

/** The TypeScript form of a nested schema. */
interface Inner {
  readonly type: string;
  /** Markers for a list of it. */
  readonly markers: readonly MarkerText[];
}

/** A part of a schema that types and markers can't express. */
interface Note {
  readonly path: string;
  readonly what: string;
}

/** A declared type, with the notes about its parts, which are repeated for each schema that shares the type. */
interface Shared {
  readonly name: string;
  readonly path: string;
  readonly notes: readonly Note[];
}

/** A type of the Kubernetes API, as imported. */
export interface ForeignType {
  readonly name: string;
  readonly module: string;
}

/** Finds the Kubernetes API type for an object's schema, whose description is that of the type or of a field. */
export type ForeignTypes = (schema: JSONSchema, words: "of the type" | "of a field") => ForeignType | undefined;

/** Keywords whose markers are valid on fields, but not on types. */
export const fieldKeywords = ["default", "example"] as const;

/** Writes the types of schemas. Equal schemas share a type. */
export class TypeWriter {
  /** Declarations, outer types before the types that they use. */
  readonly declarations: string[] = [];
  readonly imports = new Set<string>();
  /** Kubernetes API types used for schemas: modules by name. */
  readonly foreign = new Map<string, string>();
  readonly #notes: Note[] = [];
  readonly #names: TypeNames;
  readonly #foreignTypes: ForeignTypes;
  readonly #texts: MarkerTexts;
  readonly #isGenerated: boolean;
  readonly #shared = new Map<string, Shared>();

  /** @param isGenerated whether the CRD is of controller-gen, so that all empty lines in its descriptions are kept */
  constructor(names: TypeNames, foreignTypes: ForeignTypes, texts: MarkerTexts, isGenerated = false) {
    this.#isGenerated = isGenerated;
    this.#names = names;
    this.#foreignTypes = foreignTypes;
    this.#texts = texts;
  }

  /** The parts of the schemas that types and markers can't express, each with its path. */
  get notes(): string[] {
    return [...new Set(this.#notes.map(({ path, what }) => `${path} ${what}`))];
  }

  /** Returns an object's properties as the lines of an interface. */
  members(schema: JSONSchema, place: Place): string[] {
    const required = new Set(schema.required ?? []);
    const properties = Object.entries(schema.properties ?? {});
    for (const name of required) {
      if (!Object.hasOwn(schema.properties ?? {}, name))
        this.#note(`${place.path}.${name}`, "is required and not described");
    }
    return properties.flatMap(([name, property], index) => {
      const inner = { path: `${place.path}.${name}`, name: place.name + typeNamePart(name) };
      return [...(index > 0 ? [""] : []), ...this.#field(name, property, required.has(name), inner)];
    });
  }

  /** Returns the markers above the interface for an object. */
  structMarkers(schema: JSONSchema, path: string): string[] {
    if (schema.additionalProperties !== undefined) this.#note(path, "has both properties and additionalProperties");
    if (schema.items !== undefined) this.#note(path, "has items");
    return this.#constraints(schema, [], path).map(({ text }) => text);
  }

  /** Returns the comment for a description. */
  description({ description }: JSONSchema, path: string): string[] {
    if (!keepsDescription(description, this.#texts.described, this.#isGenerated)) {
      this.#note(path, "has a description with lines that comments can't have");
    }
    return descriptionLines(description, this.#isGenerated);
  }

  #field(name: string, schema: JSONSchema, required: boolean, place: Place): string[] {
    const { type, markers, schemaless } = this.#holder(schema, place, "field");
    const nullable = this.#isNullable(schema, place.path);
    const all = [
      ...(schemaless ? this.#texts.schemaless : []),
      ...markers.map(({ text }) => text),
      ...(schemaless && nullable ? this.#keyword("nullable", true, schema) : []).map(({ text }) => text),
      ...this.#fieldKeywords(schema, place).map(({ text }) => text),
    ];
    const field = `${propertyName(name)}${required ? "" : "?"}: ${type}${nullable && !schemaless ? " | null" : ""};`;
    return [...all.map(lineComment), ...this.description(schema, place.path), field];
  }

  /** Whether null is a valid value. The API server accepts nullable enumerations without null, but not the value null in them. */
  #isNullable({ nullable, enum: own, allOf = [] }: JSONSchema, path: string): boolean {
    if (nullable !== true) return false;
    if ([own, ...allOf.map((jsonSchema) => jsonSchema.enum)].every((values) => values?.includes(null) !== false))
      return true;
    this.#note(path, "has nullable, without effect because of the enumeration");
    return false;
  }

  /** Returns the markers that are valid on fields only. */
  #fieldKeywords(schema: JSONSchema, { path }: Place): MarkerText[] {
    if (schema.default === null) this.#note(path, "has the default null");
    return fieldKeywords.flatMap((key) => {
      const value = schema[key];
      if (value === undefined || (key === "default" && value === null)) return [];
      const markers = this.#texts.ofKeyword(key, value, schema);
      if (markers === undefined) this.#note(path, `has ${key}`);
      return markers ?? [];
    });
  }

  /** Notes the parts of a schema that only a field's markers can express. */
  #noteFieldKeywords(schema: JSONSchema, path: string): void {
    for (const key of fieldKeywords) if (schema[key] !== undefined) this.#note(path, `has ${key}`);
  }

  #keyword(keyword: string, value: unknown, schema: JSONSchema): readonly MarkerText[] {
    return this.#texts.ofKeyword(keyword, value, schema) ?? [];
  }

  #constraints(schema: JSONSchema, expressed: readonly string[], path: string): MarkerText[] {
    return constraintMarkers(this.#texts, schema, new Set(expressed), (key) => this.#note(path, `has ${key}`));
  }

  /** Returns the type of a schema, and the markers for the field or named type that has it. */
  #holder(
    given: JSONSchema,
    place: Place,
    position: "field" | "inner",
  ): { type: string; markers: readonly MarkerText[]; schemaless: boolean; declared: boolean } {
    const schema = withoutRepeats(given);
    const isExpressible = (key: string, value: unknown) =>
      this.#texts.ofKeyword(key, value, { ...schema, [key]: value }) !== undefined;
    const twice = contradiction(schema, isExpressible);
    if (twice !== undefined) {
      const { type } = this.#inner(twice.inner, { ...place, name: `${place.name}Base` }, false, true);
      const said = schema.format === undefined ? [] : ["format"];
      const markers = this.#constraints(twice.outer, said, place.path);
      return { type, markers, schemaless: false, declared: false };
    }
    const shape = shapeOf(schema);
    for (const name of shape.imports ?? []) this.imports.add(name);
    if (shape.type === "struct" || (shape.type === "empty" && position === "inner")) {
      const type = this.#struct(schema, place, position === "inner");
      return { type, markers: [], schemaless: false, declared: true };
    }
    this.#lostParts(schema, shape, place.path);
    const schemaless = shape.schemaless === true || shape.type === "empty";
    const parts = this.#parts(schema, shape, place);
    const limits = this.#constraints(schema, shape.said ?? [], place.path);
    const own = shape.markedType === undefined ? [] : this.#keyword("type", shape.markedType, schema);
    return { type: parts.type, markers: [...own, ...limits, ...parts.markers], schemaless, declared: false };
  }

  /** Notes the parts of objects, lists and maps that a schema of another type has. The API server accepts them. */
  #lostParts(schema: JSONSchema, { type }: Shape, path: string): void {
    const { required = [], properties = {}, items, additionalProperties } = schema;
    if (required.length > 0) this.#note(path, "has required");
    if (Object.keys(properties).length > 0) this.#note(path, "has properties");
    if (items !== undefined && type !== "list") this.#note(path, "has items");
    if (additionalProperties !== undefined && type !== "map") this.#note(path, "has additionalProperties");
  }

  #parts(schema: JSONSchema, shape: Shape, place: Place): Inner {
    if (shape.type === "list") return this.#list(schema.items ?? {}, place);
    if (shape.type === "map") {
      const value = schema.additionalProperties as JSONSchema;
      const { type } = this.#inner(value, { path: `${place.path}.*`, name: singular(place.name) }, false);
      return { type: `Record<string, ${type}>`, markers: [] };
    }
    if (shape.type !== "empty") return { type: shape.type, markers: [] };
    return { type: "Record<string, unknown>", markers: [] };
  }

  #list(items: JSONSchema, place: Place): Inner {
    const { type, markers } = this.#inner(items, { path: `${place.path}[]`, name: singular(place.name) }, true);
    return { type: type.includes(" | ") && !/^Record<.*>$/.test(type) ? `(${type})[]` : `${type}[]`, markers };
  }

  /** Returns the type of a list's or map's values. It is a named type if it needs markers or a description. */
  #inner(schema: JSONSchema, place: Place, isItem: boolean, named = false): Inner {
    const made = this.#holder(schema, place, "inner");
    this.#noteFieldKeywords(schema, place.path);
    const orNull = this.#isNullable(schema, place.path) ? " | null" : "";
    if (made.declared) return { type: made.type + orNull, markers: [] };
    const type = this.#withoutSchemaless(made, schema, place);
    const comment = this.description(schema, place.path);
    const imported = this.imports.has(type);
    const plain = (!named || imported) && comment.length === 0 && (made.markers.length === 0 || isItem);
    if (plain && type.length < 60 && made.markers.every(({ itemsText }) => itemsText !== undefined)) {
      const markers = made.markers.map(({ itemsText = "" }) => ({ text: itemsText }));
      return { type: type + orNull, markers };
    }
    const lines = [...made.markers.map(({ text }) => lineComment(text)), ...comment];
    const key = `alias ${lines.join("\n")} ${type}`;
    const name = this.#share(key, place, (given) => [...lines, `export type ${given} = ${type};`]);
    return { type: name + orNull, markers: [] };
  }

  /** Only fields can be defined entirely by markers; in other places, the most similar type is used. */
  #withoutSchemaless(
    { type, schemaless }: { type: string; schemaless: boolean },
    { anyOf = [] }: JSONSchema,
    { path }: Place,
  ): string {
    if (!schemaless) return type;
    if (type === "IntOrString") {
      // The generator adds it to each int-or-string of a type.
      if (anyOf.length === 0) this.#note(path, "has x-kubernetes-int-or-string without anyOf");
      return type;
    }
    this.#note(path, "has no type");
    this.imports.add("JSONValue");
    return "JSONValue";
  }

  #struct(schema: JSONSchema, place: Place, described: boolean): string {
    const { nullable: _, default: __, example: ___, description, ...rest } = schema;
    const foreign = this.#foreign({ ...rest, description }, described ? "of the type" : "of a field");
    if (foreign !== undefined) return foreign;
    const key = `struct ${jsonLiteral(described ? { ...rest, description } : rest)}`;
    return this.#share(key, place, (name) => {
      const comment = described ? this.description({ description }, place.path) : [];
      const markers = this.structMarkers(schema, place.path).map(lineComment);
      const members = this.members(schema, { ...place, name });
      // Biome reads it only if it is next to the declaration.
      const why = "// biome-ignore lint/suspicious/noEmptyInterface: the definition describes no properties";
      return [...markers, ...comment, ...(members.length > 0 ? [] : [why]), ...interfaceLines(name, members)];
    });
  }

  /** Returns the name of the Kubernetes API type for a schema, unless another type in the file has that name. */
  #foreign(schema: JSONSchema, words: "of the type" | "of a field"): string | undefined {
    const type = this.#foreignTypes(schema, words);
    if (type === undefined) return undefined;
    const foreign = this.foreign.get(type.name);
    if (foreign !== undefined) return foreign === type.module ? type.name : undefined;
    if (!this.#names.reserve(type.name)) return undefined;
    this.foreign.set(type.name, type.module);
    return type.name;
  }

  /** Declares a type or returns the name of an equal one. A type is declared before those that it uses. */
  #share(key: string, { path, name: wanted }: Place, write: (name: string) => string[]): string {
    const shared = this.#shared.get(key);
    if (shared !== undefined) {
      for (const note of shared.notes) this.#note(path + note.path.slice(shared.path.length), note.what);
      return shared.name;
    }
    const name = this.#names.take(wanted);
    const at = this.declarations.push("") - 1;
    const before = this.#notes.length;
    this.declarations[at] = write(name).join("\n");
    this.#shared.set(key, { name, path, notes: this.#notes.slice(before) });
    return name;
  }

  #note(path: string, what: string): void {
    this.#notes.push({ path, what });
  }
}
