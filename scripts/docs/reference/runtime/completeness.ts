// Finds gaps in the comments of the public API.
import {
  type Comment,
  type DeclarationReflection,
  IntrinsicType,
  type ParameterReflection,
  ReferenceType,
  ReflectionKind,
  ReflectionType,
  type SignatureReflection,
  type SomeType,
} from "typedoc";
import ts from "typescript";
import type { RuntimeApi } from "./model.ts";

/** Fields whose comment must contain a unit, by their name. */
const durations =
  /(timeout|interval|delay|duration|period|latency|deadline|validity|age|ttl|milliseconds|seconds|after|validFor|time|overlap)$/i;
const sizes = /(bytes|size|memory)$/i;
const durationUnits = /\b(millisecond|second|minute|hour|day|year)s?\b/i;
const sizeUnits = /\b(bytes?|[KMG]iB|characters?|objects?|items?|requests?|tokens?)\b/i;

/** The part of {@link RuntimeApi} that is checked. */
export type CheckedApi = Pick<RuntimeApi, "project" | "modules" | "declarationsOf">;

/**
 * Finds gaps in the comments of all exports, except for the fields of Kubernetes types, which Kubernetes documents.
 *
 * @param api - the API
 * @returns a line per gap, with the name of the declaration
 */
export function gapsInComments(api: CheckedApi): string[] {
  const exported = api.modules.flatMap(({ children = [] }) => children);
  return exported.flatMap((declaration) => gapsOf(api, declaration.name, declaration));
}

function gapsOf(api: CheckedApi, name: string, model: DeclarationReflection): string[] {
  // The comment of an inherited member is in its own declaration.
  if (model.inheritedFrom !== undefined) return [];
  // A class without a constructor has the one of its parent.
  if (model.kindOf(ReflectionKind.Constructor) && api.declarationsOf(model).length === 0) return [];
  const type = model.getSignature?.type ?? model.type;
  const own = type instanceof ReflectionType ? type.declaration : model;
  const { children: members = [] } = own;
  const signatures = [...new Set([...(model.signatures ?? []), ...(own.signatures ?? [])])];
  const comments = [model, model.getSignature, ...signatures].map((each) => each?.comment);
  const isField = model.kindOf(ReflectionKind.Property | ReflectionKind.Accessor);
  const isKubernetesField = isField && isFromKubernetes(api, model.parent as DeclarationReflection);
  return [
    ...(comments.some(hasSummary) || isKubernetesField ? [] : [`${name}: no summary`]),
    ...(isField && !isKubernetesField
      ? unitGaps(name, model.name, type, model.comment ?? model.getSignature?.comment)
      : []),
    // The comment of a callback in options describes its call.
    ...(isField ? [] : signatures.flatMap((signature) => callGaps(name, signature))),
    ...(throwsAlone(api, model) && !comments.some((comment) => comment?.getTag("@throws"))
      ? [`${name}: no @throws`]
      : []),
    // A constant is a value, whose fields have the comment of their type.
    ...(model.kindOf(ReflectionKind.Variable)
      ? []
      : members.flatMap((member) => gapsOf(api, `${name}.${member.name}`, member))),
  ];
}

function callGaps(name: string, { comment, parameters = [], type, kind }: SignatureReflection): string[] {
  const returns = kind !== ReflectionKind.ConstructorSignature && !isVoid(type);
  return [
    ...parameters
      .filter(({ name: own }) => own !== "this")
      .flatMap((parameter) => parameterGaps(`${name}(${parameter.name})`, parameter)),
    ...(returns && !comment?.getTag("@returns") ? [`${name}: no @returns`] : []),
  ];
}

function parameterGaps(name: string, { comment, type, name: own }: ParameterReflection): string[] {
  return [...(hasSummary(comment) ? [] : [`${name}: no @param`]), ...unitGaps(name, own, type, comment)];
}

function unitGaps(name: string, own: string, type: SomeType | undefined, comment: Comment | undefined): string[] {
  if (!isNumber(type)) return [];
  const text = JSON.stringify([comment?.summary, comment?.blockTags]);
  if (durations.test(own) && !durationUnits.test(text)) return [`${name}: no unit of time`];
  if (sizes.test(own) && !sizeUnits.test(text)) return [`${name}: no unit of size`];
  return [];
}

function hasSummary(comment: Comment | undefined): boolean {
  return comment?.hasVisibleComponent() ?? false;
}

function isNumber(type: SomeType | undefined): boolean {
  if (type?.type === "union") return type.types.some(isNumber);
  return type instanceof IntrinsicType && type.name === "number";
}

/** Whether a call returns nothing, now or later. */
function isVoid(type: SomeType | undefined): boolean {
  if (type?.type === "union") return type.types.every(isVoid);
  if (type instanceof ReferenceType) return type.name === "Promise" && isVoid(type.typeArguments?.[0]);
  return type instanceof IntrinsicType && ["void", "never", "undefined"].includes(type.name);
}

function isFromKubernetes({ project }: CheckedApi, owner: DeclarationReflection): boolean {
  const exported = owner.kindOf(ReflectionKind.TypeLiteral) ? owner.parent : owner;
  const file = exported && project.getSymbolIdFromReflection(exported)?.fileName;
  return file?.replaceAll("\\", "/").includes("/runtime/src/api/") ?? false;
}

/** Whether the body of a function throws an error of its own: not in inner functions, not for itself, and not a caught one again. */
function throwsAlone({ declarationsOf }: CheckedApi, model: DeclarationReflection): boolean {
  return declarationsOf(model)
    .filter(ts.isFunctionLike)
    .some((signature) => {
      const body = (signature as ts.FunctionLikeDeclaration).body;
      return body !== undefined && containsThrow(body, []);
    });
}

function containsThrow(node: ts.Node, caught: readonly string[]): boolean {
  if (ts.isThrowStatement(node)) return !(ts.isIdentifier(node.expression) && caught.includes(node.expression.text));
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  if (ts.isTryStatement(node) && node.catchClause !== undefined) {
    const { block, variableDeclaration } = node.catchClause;
    const name = variableDeclaration?.name;
    const within = name !== undefined && ts.isIdentifier(name) ? [...caught, name.text] : caught;
    return (
      containsThrow(block, within) || (node.finallyBlock !== undefined && containsThrow(node.finallyBlock, caught))
    );
  }
  return ts.forEachChild(node, (child) => containsThrow(child, caught) || undefined) ?? false;
}
