import { type ArgumentContext, expectToken, readArgument } from "./arguments.ts";
import type { ArgumentType, MarkerDefinition, MarkerField } from "./model/definition.ts";
import type { MarkerValue } from "./model/marker-value.ts";
import { splitMarker } from "./split.ts";
import { code, TOKEN, TokenScanner } from "./token-scanner.ts";

/** A message about a position in a marker's text; `offset` counts code units from the `+`. */
export interface TextNote {
  readonly message: string;
  readonly offset: number;
}

export interface ParsedMarker {
  /** Undefined if, and only if, there is an error. */
  readonly value?: MarkerValue;
  readonly error?: TextNote;
  /** The offset of the value of each given argument, in code units from the `+`; the anonymous one is `""`. */
  readonly places: ReadonlyMap<string, number>;
  /** Values that are read differently than they look. */
  readonly warnings: readonly (TextNote & { readonly hint: string })[];
}

/**
 * Parses a marker's text from the `+` on, without trailing whitespace. Only the first error is returned, because later ones
 * are mostly its consequences.
 */
export function parseMarker(definition: MarkerDefinition, text: string): ParsedMarker {
  const { shortName, fullName, rest, restOffset } = splitMarker(text);
  if (definition.ownParser) {
    const comment = definition.hasComments ? rest.indexOf("#") : -1;
    const result = definition.ownParser(comment < 0 ? rest : rest.slice(0, comment));
    const places = new Map([["", restOffset]]);
    if ("value" in result) return { value: result.value, places, warnings: [] };
    return { error: { ...result.problem, offset: restOffset + result.problem.offset }, places, warnings: [] };
  }
  // For markers with named arguments, the last segment is the name of the first argument.
  const firstNamed = definition.form === "named" && fullName.length > shortName.length;
  if (firstNamed && fullName === definition.name) {
    const message = 'expected a colon and named arguments after the name, got "="';
    return { error: { message, offset: restOffset - 1 }, places: new Map(), warnings: [] };
  }
  const start = firstNamed ? 1 + shortName.length + 1 : restOffset;
  const raw = text.slice(start);

  let error: TextNote | undefined;
  const warnings: (TextNote & { hint: string })[] = [];
  const scanner = new TokenScanner(raw, (message, offset) => {
    error ??= { message, offset: start + offset };
  });
  const context: ArgumentContext = {
    scanner,
    raw,
    depth: 0,
    warn: (message, offset, hint) => warnings.push({ message, offset: start + offset, hint }),
  };

  const values = new Map<string, MarkerValue | undefined>();
  const places = new Map<string, number>();
  if (definition.form === "anonymous") {
    places.set("", start);
    if (scanner.peek() !== TOKEN.end) values.set("", readArgument(context, definition.fields[0]!.type));
  } else if (definition.form === "named" && scanner.peek() !== TOKEN.end) {
    readNamed(context, definition.fields, (name, value, offset) => {
      values.set(name, value);
      places.set(name, start + offset);
      return error === undefined;
    });
  }
  if (scanner.scan() !== TOKEN.end) {
    scanner.error(`extra arguments provided: ${JSON.stringify(raw.slice(scanner.tokenStart))}`);
  }
  const missing = definition.fields.filter((field) => !field.optional && !values.has(field.name));
  if (missing.length > 0) scanner.error(missingMessage(missing));
  return error ? { error, places, warnings } : { value: assemble(definition, values), places, warnings };
}

function readNamed(
  context: ArgumentContext,
  fields: readonly MarkerField[],
  /** Receives each argument; returns whether to continue. */
  onArgument: (name: string, value: MarkerValue | undefined, offset: number) => boolean,
): void {
  const { scanner } = context;
  while (expectToken(scanner, TOKEN.identifier, "argument name")) {
    const name = scanner.tokenText;
    const field = fields.find((candidate) => candidate.name === name);
    if (!field) {
      scanner.error(`unknown argument ${JSON.stringify(name)}`);
      return;
    }
    if (!expectToken(scanner, code("="), "equals")) return;
    const { offset } = scanner;
    if (!onArgument(name, readArgument(context, field.type), offset) || scanner.peek() === TOKEN.end) return;
    if (!expectToken(scanner, code(","), "comma")) return;
  }
}

function missingMessage(missing: readonly MarkerField[]): string {
  if (missing.length === 1 && missing[0]!.name === "") return "a value is missing";
  const names = missing.map((field) => JSON.stringify(field.name)).join(", ");
  return `missing argument${missing.length > 1 ? "s" : ""} ${names}`;
}

function assemble(definition: MarkerDefinition, values: ReadonlyMap<string, MarkerValue | undefined>): MarkerValue {
  const argumentValue = (field: MarkerField): MarkerValue =>
    values.get(field.name) ?? (field.nullable ? null : zeroOf(field.type));
  if (definition.form === "anonymous") return argumentValue(definition.fields[0]!);
  const fields = definition.fields.filter(({ name, extension }) => !extension || values.has(name));
  return Object.fromEntries(fields.map((field) => [field.name, argumentValue(field)]));
}

function zeroOf(type: ArgumentType): MarkerValue {
  if (type.kind === "string" || type.kind === "raw") return "";
  if (type.kind === "int" || type.kind === "number") return 0;
  return type.kind === "bool" ? false : null;
}
