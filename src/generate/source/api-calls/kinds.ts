import { ts } from "ts-morph";
import type { Flow, Trail } from "./flow.ts";
import { nameOf } from "./flow.ts";
import type { KindRef } from "./model.ts";
import { type CodeProgram, resolved } from "./program.ts";

/** The kinds that an expression may refer to. */
export interface FoundKinds {
  readonly kinds: readonly KindRef[];
  /** A node whose kind can't be determined. */
  readonly unknown?: ts.Node;
}

/** Determines the kinds of expressions: of values such as `Pod`, and of objects. */
export interface Kinds {
  of(expression: ts.Expression): FoundKinds;
  text(expression: ts.Expression | undefined): string | undefined;
}

/** Prepares to determine kinds. */
export function createKinds(program: CodeProgram, flow: Flow): Kinds {
  const { checker } = program;
  let declared: ReadonlyMap<ts.Symbol, readonly ts.CallExpression[]> | undefined;

  const asked = new Set<ts.Node>();

  function of(expression: ts.Expression): FoundKinds {
    // A value that depends on itself doesn't determine a kind.
    if (asked.has(expression)) return { kinds: [], unknown: expression };
    asked.add(expression);
    try {
      return tell(expression);
    } finally {
      asked.delete(expression);
    }
  }

  function tell(expression: ts.Expression): FoundKinds {
    const type = checker.getTypeAtLocation(expression);
    if (!isKindValue(type)) {
      const byType = ofType(type);
      return byType ? { kinds: byType } : ofEnds(flow.trail(expression, isKnown), objectKinds);
    }
    const ofValue = ofEnds(flow.trail(expression), valueKinds);
    const byType = ofValue.unknown && ofKindType(type);
    return byType ? { kinds: byType } : ofValue;
  }

  function isKnown(expression: ts.Expression): boolean {
    const type = checker.getTypeAtLocation(expression);
    return !isKindValue(type) && ofType(type) !== undefined;
  }

  function ofEnds({ ends, lost }: Trail, tell: (end: ts.Expression) => FoundKinds): FoundKinds {
    const told = ends.map(tell);
    const unknown = told.find((foundKinds) => foundKinds.unknown)?.unknown ?? lost[0];
    return { kinds: told.flatMap(({ kinds }) => kinds), ...(unknown ? { unknown } : {}) };
  }

  /** Returns the kind that an expression creates: `groupVersion(…).kind("Pod")`, or a constant of the runtime's API. */
  function valueKinds(end: ts.Expression): FoundKinds {
    if (ts.isCallExpression(end)) {
      const made = ofCall(end);
      if (made) return { kinds: [made] };
    }
    const constant = ofConstant(resolved(checker, nameNode(end)));
    if (constant) return { kinds: [constant] };
    const byType = ofKindType(checker.getTypeAtLocation(end));
    return byType ? { kinds: byType } : { kinds: [], unknown: end };
  }

  function objectKinds(end: ts.Expression): FoundKinds {
    const type = checker.getTypeAtLocation(end);
    const byType = ofType(type);
    if (byType) return { kinds: byType };
    if (!ts.isObjectLiteralExpression(end)) return { kinds: [], unknown: end };
    return ofLiteral(end);
  }

  /** Returns the kinds of an object: `{ apiVersion: "v1", kind: "Pod" }`, `{ ...pod, status }`, `{ ...typeOf(Pod) }`. */
  function ofLiteral(literal: ts.ObjectLiteralExpression): FoundKinds {
    const named = literal.properties.some((property) => property.name && nameOf(property.name) === "kind");
    const spread = [...literal.properties].reverse().filter((property) => ts.isSpreadAssignment(property));
    const whole = spread.find(({ expression }) => checker.getTypeAtLocation(expression).getProperty("kind"));
    if (!named && whole) {
      const objectKind = of(whole.expression);
      if (!objectKind.unknown && objectKind.kinds.length > 0) return objectKind;
    }
    const kind = partOf(flow.property(literal, "kind"), "kind");
    const version = partOf(flow.property(literal, "apiVersion"), "apiVersion");
    // `{ apiVersion: Pod.apiVersion, kind: Pod.kind }`
    if (kind?.of && version?.of && sameKind(kind.of, version.of)) return { kinds: [kind.of] };
    if (kind?.text === undefined || version?.text === undefined) return { kinds: [], unknown: literal };
    return { kinds: [fromApiVersion(version.text, kind.text)] };
  }

  /** Returns the value of `apiVersion` or `kind`, or the kind that it is a property of. Undefined if it isn't certain. */
  function partOf({ ends, lost }: Trail, property: "apiVersion" | "kind"): { text?: string; of?: KindRef } | undefined {
    const [end] = ends;
    if (ends.length !== 1 || lost.length > 0 || !end) return undefined;
    if (ts.isStringLiteralLike(end)) return { text: end.text };
    const type = checker.getTypeAtLocation(end);
    if (type.isStringLiteral()) return { text: type.value };
    if (!ts.isPropertyAccessExpression(end) || end.name.text !== property) return undefined;
    const version = property === "apiVersion" ? ofGroupVersion(end.expression) : undefined;
    if (version) return { text: version.group === "" ? version.version : `${version.group}/${version.version}` };
    if (!kindArgument(checker.getTypeAtLocation(end.expression))) return undefined;
    const { kinds, unknown } = of(end.expression);
    return unknown || kinds.length !== 1 ? undefined : { of: kinds[0]! };
  }

  function ofType(type: ts.Type): readonly KindRef[] | undefined {
    if (type.isUnion()) {
      const parts = type.types.filter((each) => !isNothing(each)).map(ofType);
      return parts.length > 0 && parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    }
    const literal = ofLiteralType(type);
    if (literal) return [literal];
    const named = ofSymbol(type.aliasSymbol) ?? ofSymbol(type.getSymbol());
    if (named) return [named];
    if (type.isIntersection()) return first(type.types);
    if ((type.flags & ts.TypeFlags.TypeParameter) !== 0) {
      const constraint = checker.getBaseConstraintOfType(type);
      return constraint && constraint !== type ? ofType(constraint) : undefined;
    }
    return type.isClassOrInterface() ? first(checker.getBaseTypes(type)) : undefined;
  }

  function first(types: readonly ts.Type[]): readonly KindRef[] | undefined {
    for (const member of types) {
      const typeKind = ofType(member);
      if (typeKind) return typeKind;
    }
    return undefined;
  }

  function isNothing(type: ts.Type): boolean {
    const { Undefined, Null, Never, Void } = ts.TypeFlags;
    return (type.flags & (Undefined | Null | Never | Void)) !== 0;
  }

  function ofLiteralType(type: ts.Type): KindRef | undefined {
    const [version, kind] = ["apiVersion", "kind"].map((name) => {
      const property = type.getProperty(name);
      const literalType = property && checker.getTypeOfSymbol(property);
      return literalType?.isStringLiteral() ? literalType.value : undefined;
    });
    return version !== undefined && kind !== undefined ? fromApiVersion(version, kind) : undefined;
  }

  /** Returns the kind of a type. A kind's type and value mostly share a name; otherwise, the type must have a single value. */
  function ofSymbol(symbol: ts.Symbol | undefined): KindRef | undefined {
    if (!symbol) return undefined;
    const constant = ofConstant(symbol);
    if (constant) return constant;
    const made = (valuesByType().get(symbol) ?? []).flatMap((call) => ofCall(call) ?? []);
    const different = new Set(made.map(({ group, kind }) => `${group}/${kind}`));
    return different.size === 1 ? made[0] : undefined;
  }

  function ofConstant(symbol: ts.Symbol | undefined): KindRef | undefined {
    const declaration = symbol?.valueDeclaration;
    if (!symbol || !declaration || !ts.isVariableDeclaration(declaration)) return undefined;
    if (!kindArgument(checker.getTypeOfSymbol(symbol))) return undefined;
    const exported = program.apiExport(symbol);
    if (exported) return { kind: exported.name, module: exported.module };
    const { initializer } = declaration;
    if (!initializer) return undefined;
    const { ends } = flow.trail(initializer);
    const [end] = ends;
    return ends.length === 1 && end && ts.isCallExpression(end) ? ofCall(end) : undefined;
  }

  function valuesByType(): ReadonlyMap<ts.Symbol, readonly ts.CallExpression[]> {
    if (declared) return declared;
    const calls = new Map<ts.Symbol, ts.CallExpression[]>();
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isKindCall(node)) {
        const [written] = node.typeArguments ?? [];
        const type = written && checker.getTypeFromTypeNode(written);
        const symbol = type?.aliasSymbol ?? type?.getSymbol();
        if (symbol && program.runtimeName(symbol) === undefined) {
          calls.set(symbol, [...(calls.get(symbol) ?? []), node]);
        }
      }
      ts.forEachChild(node, visit);
    };
    for (const file of program.files) visit(file);
    declared = calls;
    return calls;
  }

  function isKindCall(call: ts.CallExpression): boolean {
    const { expression } = call;
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "kind") return false;
    const type = checker.getTypeAtLocation(expression.expression);
    return program.runtimeName(type.aliasSymbol ?? type.getSymbol()) === "GroupVersion";
  }

  function ofCall(call: ts.CallExpression): KindRef | undefined {
    if (!isKindCall(call)) return undefined;
    const [name, options] = call.arguments;
    const kind = text(name);
    const version = ofGroupVersion((call.expression as ts.PropertyAccessExpression).expression);
    if (kind === undefined || !version) return undefined;
    const plural = options && textOf(flow.property(options, "plural"));
    const scope = options && textOf(flow.property(options, "scope"));
    return {
      ...version,
      kind,
      ...(plural === undefined ? {} : { plural }),
      ...(scope === "Cluster" || scope === "Namespaced" ? { scope } : {}),
    };
  }

  function ofGroupVersion(expression: ts.Expression): { group: string; version: string } | undefined {
    const { ends, lost } = flow.trail(expression);
    const [end] = ends;
    if (ends.length !== 1 || lost.length > 0 || !end || !ts.isCallExpression(end)) return undefined;
    if (program.runtimeName(resolved(checker, end.expression)) !== "groupVersion") return undefined;
    const [group, version] = end.arguments.map(text);
    return group === undefined || version === undefined ? undefined : { group, version };
  }

  function text(expression: ts.Expression | undefined): string | undefined {
    return expression && textOf(flow.trail(expression));
  }

  function textOf({ ends, lost }: Trail): string | undefined {
    const [end] = ends;
    if (ends.length !== 1 || lost.length > 0 || !end) return undefined;
    return ts.isStringLiteralLike(end) ? end.text : undefined;
  }

  /** Returns `T` of `Kind<T>`; undefined for objects. */
  function kindArgument(type: ts.Type): ts.Type | undefined {
    if (program.runtimeName(type.aliasSymbol ?? type.getSymbol()) !== "Kind") return undefined;
    return checker.getTypeArguments(type as ts.TypeReference)[0];
  }

  /** Returns whether a type is a kind, or a union of kinds: `Kind<Pod> | Kind<Node>`. */
  function isKindValue(type: ts.Type): boolean {
    return (type.isUnion() ? type.types.filter((each) => !isNothing(each)) : [type]).every((each) =>
      kindArgument(each),
    );
  }

  function ofKindType(type: ts.Type): readonly KindRef[] | undefined {
    const parts = (type.isUnion() ? type.types.filter((each) => !isNothing(each)) : [type]).map((each) => {
      const argument = kindArgument(each);
      return argument && ofType(argument);
    });
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
  }

  function nameNode(end: ts.Expression): ts.Node {
    return ts.isPropertyAccessExpression(end) ? end.name : end;
  }

  return { of, text };
}

function fromApiVersion(apiVersion: string, kind: string): KindRef {
  const slash = apiVersion.lastIndexOf("/");
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1), kind };
}

function sameKind(a: KindRef, b: KindRef): boolean {
  return a.kind === b.kind && a.group === b.group && a.module === b.module;
}
