// Checks the fields that an expression names against the schema. If the type of a part isn't certain, nothing is reported:
// a rule that the API server accepts must never cause a finding.

import type { JSONSchema } from "../../schema/json-schema.ts";
import { declType, isEmbedded } from "./decl-type.ts";
import { escapeField, typeNames } from "./names.ts";
import type { CelNode } from "./parse.ts";

/** A name in an expression that doesn't refer to anything. */
export interface UnknownName {
  readonly kind: "field" | "variable";
  readonly name: string;
  readonly candidates: readonly string[];
  readonly offset: number;
}

/** The schema of a value; undefined if it isn't known. */
type Known = JSONSchema | undefined;
type Variables = ReadonlyMap<string, Known>;

/** Macros that bind the names in their first arguments to the elements that they iterate over. */
const overElements = new Set(
  "all exists exists_one existsOne filter map transformList transformMap transformMapEntry sortBy".split(" "),
);
/** Macros that return some of the elements. */
const sameList = new Set(["filter"]);

/** Returns the names in an expression that don't exist. If `oldIsOptional`, the fields of `oldSelf` aren't checked. */
export function unknownNames(ast: CelNode, self: JSONSchema, isRoot: boolean, oldIsOptional: boolean): UnknownName[] {
  const found: UnknownName[] = [];
  const start: Variables = new Map<string, Known>([
    ["self", self],
    ["oldSelf", oldIsOptional ? undefined : self],
  ]);
  visit(ast, start);
  return found;

  function visit(node: CelNode, variables: Variables): Known {
    switch (node.op) {
      case "id":
        return identifier(node, variables);
      case ".":
        return select(node, variables);
      case "[]": {
        const [list, index] = node.args as [CelNode, CelNode];
        visit(index, variables);
        return elementOf(visit(list, variables));
      }
      case "?:": {
        const [condition, yes, no] = node.args as [CelNode, CelNode, CelNode];
        visit(condition, variables);
        const schema = visit(yes, variables);
        return schema !== undefined && schema === visit(no, variables) ? schema : undefined;
      }
      case "call": {
        // `has(self.a)` tests whether a field is set; the field must still be declared.
        const [, args] = node.args as [string, CelNode[]];
        for (const arg of args) visit(arg, variables);
        return undefined;
      }
      case "rcall":
        return methodCall(node, variables);
      default:
        for (const child of childrenOf(node)) visit(child, variables);
        return undefined;
    }
  }

  function identifier(node: CelNode, variables: Variables): Known {
    const name = node.args as string;
    if (variables.has(name)) return variables.get(name);
    if (!typeNames.has(name)) {
      found.push({ kind: "variable", name, candidates: [...variables.keys()], offset: node.start });
    }
    return undefined;
  }

  function select(node: CelNode, variables: Variables): Known {
    const [object, name] = node.args as [CelNode, string];
    const schema = visit(object, variables);
    if (!schema) return undefined;
    const isSelf = isRoot && object.op === "id" && (object.args === "self" || object.args === "oldSelf");
    return field(schema, name, isSelf, offsetOf(node, name));
  }

  function field(schema: JSONSchema, name: string, isObjectRoot: boolean, offset: number): Known {
    const isWhole = isObjectRoot || isEmbedded(schema);
    if (isWhole && ["apiVersion", "kind", "metadata"].includes(name)) return undefined;
    if (typeof schema.additionalProperties === "object") return schema.additionalProperties;
    if (schema.type !== "object") return undefined;
    const properties = schema.properties ?? {};
    const match = spellings(properties).get(name);
    // Rules can't access values without a type.
    if (match !== undefined && declType(properties[match]!, isEmbedded(properties[match]!))) return properties[match];
    const candidates = Object.keys(properties).filter((each) => declType(properties[each]!, false));
    found.push({ kind: "field", name, candidates, offset });
    return undefined;
  }

  function methodCall(node: CelNode, variables: Variables): Known {
    const [name, receiver, args] = node.args as [string, CelNode, CelNode[]];
    if (isNamespace(receiver, variables)) {
      if (receiver.args === "cel" && name === "bind" && args.length === 3) return bind(args as never, variables);
      for (const arg of args) visit(arg, variables);
      return undefined;
    }
    const over = visit(receiver, variables);
    if (overElements.has(name) && args.length >= 2 && args[0]?.op === "id") {
      const inner = new Map(variables);
      // With two variables the first one is the index or key; maps iterate over their keys. All of these are scalars.
      const two = args.length > 2 && args[1]?.op === "id" && name !== "map";
      inner.set(args[0].args as string, two || over?.type !== "array" ? undefined : over.items);
      if (two) inner.set(args[1]!.args as string, elementOf(over));
      for (const arg of args.slice(two ? 2 : 1)) visit(arg, inner);
      return sameList.has(name) && over?.type === "array" ? over : undefined;
    }
    // Unknown functions may bind names of their own.
    const bound = new Map(variables);
    for (const arg of args)
      if (arg.op === "id" && !bound.has(arg.args as string)) bound.set(arg.args as string, undefined);
    for (const arg of args) visit(arg, bound);
    return undefined;
  }

  function bind([name, value, body]: [CelNode, CelNode, CelNode], variables: Variables): Known {
    const schema = visit(value, variables);
    return visit(body, new Map(variables).set(String(name.args), schema));
  }
}

type Properties = NonNullable<JSONSchema["properties"]>;

const known = new WeakMap<Properties, ReadonlyMap<string, string>>();

/**
 * Maps each name that a rule may use for a property to the property. The unescaped form of a reserved word is accepted,
 * because newer servers accept it.
 */
function spellings(properties: Properties): ReadonlyMap<string, string> {
  const before = known.get(properties);
  if (before) return before;
  const names = new Map<string, string>();
  for (const name of Object.keys(properties)) {
    for (const spelling of [name, escapeField(name)]) {
      if (spelling !== undefined && !names.has(spelling)) names.set(spelling, name);
    }
  }
  known.set(properties, names);
  return names;
}

/**
 * Returns whether a node is the namespace of a function, not a variable: `optional.none()`, `math.greatest(…)`,
 * `format.dns1123Label()`.
 */
function isNamespace(node: CelNode, variables: Variables): boolean {
  return node.op === "id" && !variables.has(node.args as string) && !/^(?:self|oldSelf)$/i.test(node.args as string);
}

function elementOf(schema: Known): Known {
  if (schema?.type === "array") return schema.items;
  return typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

function offsetOf(node: CelNode, name: string): number {
  const { pos, start } = node as CelNode & { readonly pos?: number };
  return pos ?? start + name.length;
}

function childrenOf({ args }: CelNode): CelNode[] {
  const isNode = (value: unknown): value is CelNode => typeof value === "object" && value !== null && "op" in value;
  if (isNode(args)) return [args];
  return Array.isArray(args) ? args.flat(2).filter(isNode) : [];
}
