import { type Environment, lookUp } from "../declarations/environment.ts";
import type { FunctionDeclaration, Overload } from "../declarations/function.ts";
import { messages } from "../declarations/messages.ts";
import {
  assign,
  boolType,
  dynType,
  errorType,
  formatType,
  intType,
  isDynOrError,
  isOptionalType,
  listType,
  type Mapping,
  mapType,
  mostGeneral,
  optionalType,
  parseLiteralType,
  sameType,
  substitute,
  type Type,
  typeParam,
} from "../declarations/type.ts";
import type { Call, Comprehension, Expr, ParsedExpression, Select, StructExpr } from "../syntax/ast.ts";
import type { Issue, UnknownName } from "../syntax/issues.ts";
import { typeName } from "../values/value.ts";

/** Types that the server treats as types with fields, although they have none. */
const scalarStructs: ReadonlySet<string> = new Set(
  "bool bytes double google.protobuf.Duration google.protobuf.Timestamp int list map null_type string uint".split(" "),
);

/** An expression whose names and types are known. */
export interface CheckedExpression extends ParsedExpression {
  /** The types of nodes by id. */
  types: readonly (Type | undefined)[];
  /** The overloads of calls by id. */
  overloads: ReadonlyMap<number, readonly Overload[]>;
  /** The names of variables that are used, except those of comprehensions. */
  references: ReadonlySet<string>;
}

/**
 * Checks the types of an expression, and resolves its names.
 *
 * @param parsed - the expression; names that turn out to be qualified are replaced in it
 * @param environment - the declarations
 * @returns the checked expression and its problems
 */
export function check(
  parsed: ParsedExpression,
  environment: Environment,
): { checked: CheckedExpression; issues: Issue[] } {
  const checker = new Checker(parsed, environment);
  return { checked: checker.run(), issues: checker.issues };
}

/**
 * Returns the name that a chain of selections spells.
 *
 * @param expr - any node
 * @returns for example `a.b.c`, or undefined for other nodes
 */
function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

class Checker {
  readonly issues: Issue[] = [];
  readonly #parsed: ParsedExpression;
  readonly #environment: Environment;
  readonly #types: (Type | undefined)[] = [];
  readonly #overloads = new Map<number, Overload[]>();
  readonly #references = new Set<string>();
  readonly #mapping: Mapping = new Map();
  #scopes: Map<string, Type>[] = [];
  #variables = 0;

  constructor(parsed: ParsedExpression, environment: Environment) {
    this.#parsed = parsed;
    this.#environment = environment;
  }

  run(): CheckedExpression {
    this.#check(this.#parsed.expr);
    const types = this.#types.map((type) => (type === undefined ? undefined : substitute(this.#mapping, type, true)));
    return { ...this.#parsed, types, overloads: this.#overloads, references: this.#references };
  }

  #issue(id: number, message: string, unknown?: UnknownName): undefined {
    const offset = this.#parsed.positions[id] as number;
    this.issues.push({ offset, message, ...(unknown === undefined ? {} : { unknown }) });
  }

  #undeclared(id: number, name: string, kind: "variable" | "function", candidates: Iterable<string>): undefined {
    // Names that no expression can contain are internal.
    const unknown = {
      kind,
      name,
      candidates: [...candidates].filter((candidate) => /^[A-Za-z][\w.]*$/.test(candidate)),
    };
    this.#issue(id, `undeclared reference to '${name}' (in container '')`, unknown);
  }

  #undeclaredVariable(id: number, name: string): undefined {
    const local = this.#scopes.flatMap((scope) => [...scope.keys()]);
    this.#undeclared(id, name, "variable", [...local, ...this.#environment.variables.keys()]);
  }

  #mismatch(id: number, expected: Type, actual: Type): undefined {
    this.#issue(id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #type(expr: Expr): Type {
    return this.#types[expr.id] ?? errorType;
  }

  #set(expr: Expr, type: Type): undefined {
    this.#types[expr.id] = type;
  }

  #newVariable(): Type {
    return typeParam(`_var${this.#variables++}`);
  }

  #assignable(from: Type, to: Type): boolean {
    return assign(this.#mapping, [from], [to]);
  }

  #lookUp(name: string): { type: Type; local: boolean } | undefined {
    for (const scope of this.#scopes) {
      const type = scope.get(name);
      if (type !== undefined) return { type, local: true };
    }
    const type = lookUp(this.#environment, name.startsWith(".") ? name.slice(1) : name);
    return type === undefined ? undefined : { type, local: false };
  }

  #check(expr: Expr): undefined {
    switch (expr.kind) {
      case "literal":
        return this.#set(expr, parseLiteralType(typeName(expr.value)));
      case "ident": {
        const declaration = this.#lookUp(expr.name);
        if (declaration === undefined) this.#undeclaredVariable(expr.id, expr.name);
        else if (!declaration.local) {
          if (expr.name.startsWith(".")) expr.name = expr.name.slice(1);
          this.#references.add(expr.name);
        }
        return this.#set(expr, declaration?.type ?? errorType);
      }
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list": {
        let element: Type | undefined;
        for (const [index, item] of expr.elements.entries()) {
          this.#check(item);
          element = this.#join(element, this.#present(item, expr.optional.has(index)));
        }
        return this.#set(expr, listType(element ?? this.#newVariable()));
      }
      case "map": {
        let [key, value]: [Type | undefined, Type | undefined] = [undefined, undefined];
        for (const entry of expr.entries) {
          this.#check(entry.key);
          key = this.#join(key, this.#type(entry.key));
          this.#check(entry.value);
          value = this.#join(value, this.#present(entry.value, entry.optional));
        }
        return this.#set(expr, mapType(key ?? this.#newVariable(), value ?? this.#newVariable()));
      }
      case "struct":
        return this.#struct(expr);
      case "comprehension":
        return this.#comprehension(expr);
    }
  }

  /** Returns the type of an entry, without `optional` if it has a leading `?`. */
  #present(expr: Expr, optional: boolean): Type {
    const type = this.#type(expr);
    if (!optional) return type;
    if (isOptionalType(type)) return type.params[0] as Type;
    if (!isDynOrError(type) || type.kind === "error") this.#mismatch(expr.id, optionalType(type), type);
    return type;
  }

  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return this.#assignable(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #select(expr: Select): undefined {
    const name = qualifiedName(expr);
    const declaration = name === undefined ? undefined : this.#lookUp(name);
    if (name !== undefined && declaration !== undefined) {
      this.#references.add(name);
      Object.assign(expr, { kind: "ident", name });
      return this.#set(expr, declaration.type);
    }
    const type = this.#field(expr.id, expr.operand, expr.field, false);
    this.#set(expr, expr.test ? boolType : substitute(this.#mapping, type, false));
  }

  #field(id: number, operand: Expr, field: string, optional: boolean): Type {
    this.#check(operand);
    const operandType = substitute(this.#mapping, this.#type(operand), false);
    const isOptional = isOptionalType(operandType);
    const target = isOptional ? (operandType.params[0] as Type) : operandType;
    let result = dynType;
    if (target.kind === "map") result = target.params[1] as Type;
    else if (target.kind === "struct") {
      const struct = this.#environment.structs.get(target.name) ?? messages.get(target.name);
      result = struct?.fields.get(field) ?? errorType;
      if (struct === undefined) this.#issue(id, `unexpected failed resolution of '${target.name}'`);
      else if (result === errorType) {
        const unknown = { kind: "field", name: field, candidates: [...(struct.fields.keys?.() ?? [])] } as const;
        this.#issue(id, `undefined field '${field}'`, unknown);
      }
    } else if (target.kind === "param") this.#assignable(dynType, target);
    else if (!isDynOrError(target)) {
      this.#issue(id, `type '${formatType(target)}' does not support field selection`);
    }
    return isOptional || optional ? optionalType(result) : result;
  }

  #call(expr: Call): undefined {
    if (expr.fn === "_?._") {
      const [operand, field] = expr.args as [Expr, Expr];
      const name = field.kind === "literal" ? String(field.value) : "";
      const type = this.#field(expr.id, operand, name, true);
      return this.#set(expr, substitute(this.#mapping, type, false));
    }
    for (const arg of expr.args) this.#check(arg);
    const functions = this.#environment.functions;
    if (expr.target === undefined) {
      const name = expr.fn.startsWith(".") ? expr.fn.slice(1) : expr.fn;
      const declaration = functions.get(name);
      expr.fn = name;
      return this.#resolve(expr, declaration);
    }
    const prefix = qualifiedName(expr.target);
    const qualified = prefix === undefined ? undefined : functions.get(`${prefix.replace(/^\./, "")}.${expr.fn}`);
    if (qualified !== undefined) {
      expr.target = undefined;
      expr.fn = qualified.name;
      return this.#resolve(expr, qualified);
    }
    this.#check(expr.target);
    this.#resolve(expr, functions.get(expr.fn));
  }

  #resolve(expr: Call, declaration: FunctionDeclaration | undefined): undefined {
    if (declaration === undefined) {
      this.#undeclared(expr.id, expr.fn, "function", this.#environment.functions.keys());
      return this.#set(expr, errorType);
    }
    const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    const types = operands.map((operand) => this.#type(operand));
    if (expr.fn === "_&&_" || expr.fn === "_||_") return this.#logical(expr, declaration, types);
    const member = expr.target !== undefined;
    const matching: Overload[] = [];
    let result: Type | undefined;
    for (const overload of declaration.overloads) {
      if (overload.member !== member || overload.args.length !== types.length) continue;
      const fresh: Mapping = new Map(overload.params.map((name) => [name, this.#newVariable()]));
      const params = overload.args.map((arg) => substitute(fresh, arg, false));
      if (!assign(this.#mapping, types, params)) continue;
      matching.push(overload);
      const type = substitute(this.#mapping, substitute(fresh, overload.result, false), false);
      if (result === undefined) result = type;
      else if (result.kind !== "dyn" && !sameType(result, type)) result = dynType;
    }
    if (result === undefined) {
      const shown = types.map((type) => formatType(substitute(this.#mapping, type, true)));
      const signature = member ? `${shown[0]}.(${shown.slice(1).join(", ")})` : `(${shown.join(", ")})`;
      this.#issue(expr.id, `found no matching overload for '${expr.fn}' applied to '${signature}'`);
    } else this.#overloads.set(expr.id, matching);
    this.#set(expr, result ?? errorType);
  }

  #logical(expr: Call, declaration: FunctionDeclaration, types: readonly Type[]): undefined {
    let valid = true;
    for (const [index, type] of types.entries()) {
      if (this.#assignable(type, boolType)) continue;
      this.#mismatch((expr.args[index] as Expr).id, boolType, type);
      valid = false;
    }
    if (valid) this.#overloads.set(expr.id, declaration.overloads);
    this.#set(expr, valid ? boolType : errorType);
  }

  #struct(expr: StructExpr): undefined {
    const name = expr.name.startsWith(".") ? expr.name.slice(1) : expr.name;
    const declaration = this.#lookUp(name);
    // Only types can be constructed: variables are names of another kind.
    if (declaration?.type.kind !== "type") {
      this.#undeclaredVariable(expr.id, expr.name);
      return this.#set(expr, errorType);
    }
    expr.name = name;
    const type = declaration.type.params[0] ?? errorType;
    const message = messages.get(name);
    const isMessage = type.kind === "struct" || message !== undefined;
    if (!isMessage) this.#issue(expr.id, `'${formatType(type)}' is not a message type`);
    this.#set(expr, isMessage ? type : errorType);
    const fields = message?.fields ?? this.#environment.structs.get(name)?.fields;
    for (const field of expr.fields) {
      this.#check(field.value);
      const expected = fields?.get(field.name);
      if (fields === undefined && !scalarStructs.has(name))
        this.#issue(field.id, `unexpected failed resolution of '${name}'`);
      else if (expected === undefined) this.#issue(field.id, `undefined field '${field.name}'`);
      const actual = this.#present(field.value, field.optional);
      if (expected !== undefined && !this.#assignable(expected, actual)) {
        const message = `expected type of field '${field.name}' is '${formatType(expected)}' but provided type is '${formatType(actual)}'`;
        this.#issue(field.id, message);
      }
    }
  }

  #comprehension(expr: Comprehension): undefined {
    this.#check(expr.range);
    this.#check(expr.accuInit);
    const range = substitute(this.#mapping, this.#type(expr.range), false);
    const accu = this.#type(expr.accuInit);
    const outer = this.#scopes;
    this.#scopes = [new Map([[expr.accuVar, accu]]), ...outer];
    const withAccu = this.#scopes;
    const [first, second] = this.#iterationTypes(expr, range);
    const loop = new Map([[expr.iterVar, first]]);
    if (expr.iterVar2 !== undefined) loop.set(expr.iterVar2, second);
    this.#scopes = [loop, ...withAccu];
    this.#check(expr.condition);
    this.#assert(expr.condition, boolType);
    this.#check(expr.step);
    this.#assert(expr.step, accu);
    this.#scopes = withAccu;
    this.#check(expr.result);
    this.#scopes = outer;
    this.#set(expr, substitute(this.#mapping, this.#type(expr.result), false));
  }

  #iterationTypes(expr: Comprehension, range: Type): [Type, Type] {
    const two = expr.iterVar2 !== undefined;
    if (range.kind === "list") return [two ? intType : (range.params[0] as Type), range.params[0] as Type];
    if (range.kind === "map") return [range.params[0] as Type, range.params[1] as Type];
    if (range.kind === "param" || (isDynOrError(range) && range.kind !== "any")) {
      this.#assignable(dynType, range);
      return [dynType, dynType];
    }
    const message = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    this.#issue(expr.range.id, message);
    return [errorType, errorType];
  }

  #assert(expr: Expr, type: Type): undefined {
    if (!this.#assignable(type, this.#type(expr))) this.#mismatch(expr.id, type, this.#type(expr));
  }
}
