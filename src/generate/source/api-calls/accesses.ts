import { ts } from "ts-morph";
import type { Files } from "../files.ts";
import { findCallers } from "./callers.ts";
import { type AskingCall, functions, methods, ownerFunctions, ownKinds, subresourceVerbs } from "./calls.ts";
import { childrenAccesses } from "./children.ts";
import { delegationOf } from "./delegations.ts";

import { createFlow, nameOf } from "./flow.ts";
import { createKinds } from "./kinds.ts";
import { managerAccesses } from "./manager-options.ts";
import type { Access, Accesses, Ask, KindRef } from "./model.ts";
import { createOrigin } from "./origin.ts";
import { type CodeProgram, readCode } from "./program.ts";
import { calleeOf, type Search } from "./search.ts";

/** Types that provide access to the API server. */
const ways = new Set(["Client", "Reader", "Manager", "Cluster", "InformerCache", "Transport", "FieldOwnerClient"]);

/**
 * Finds the API calls of the code in some directories, including helpers in other files.
 *
 * @returns undefined if no code uses the runtime; `missing` if the runtime is imported but can't be found
 */
export function findAccesses(files: Files, directories: readonly string[]): Accesses | "missing" | undefined {
  const program = readCode(files, directories);
  return program === undefined || program === "missing" ? program : accessesOf(program);
}

function accessesOf(program: CodeProgram): Accesses {
  const { checker } = program;
  const flow = createFlow(program, findCallers(program));
  const search: Search = { program, flow, kinds: createKinds(program, flow) };
  const isForOtherCluster = createOrigin(search);
  const accesses: Access[] = [];
  const blind: Accesses["blind"][number][] = [];
  const facts = { namespaced: false, selects: false, readsStartInformers: false, blocksDeletion: false };

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) ofCall(node);
    if (ts.isPropertyAccessExpression(node)) ofAccess(node);
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) ofProperty(node);
    if (ts.isImportDeclaration(node)) ofImport(node);
    ts.forEachChild(node, visit);
  }

  function ofCall(call: ts.CallExpression): void {
    const callee = calleeOf(search, call.expression);
    if (!callee) {
      reportPassedClient(call);
      return;
    }
    const { owner, name } = callee;
    if (owner === "Manager" && name === "create") accesses.push(...managerAccesses(search, call));
    if (owner === "Transport" && (name === "request" || name === "stream")) {
      blind.push({ at: placeOf(call), reason: "a request by path can't be analyzed" });
    }
    if (isForOtherCluster(call, owner)) return;
    if (owner === undefined) ofFunction(call, name);
    else ofMethod(call, owner, name);
  }

  function ofFunction(call: ts.CallExpression, name: string): void {
    if (name === "podLogs") accesses.push(fixed(call, ownKinds.pod, { verbs: ["get"], subresource: "log" }));
    if (ownerFunctions.has(name)) ofOwner(call, name);
    if (name === "childrenOf") accesses.push(...childrenAccesses(search, call));
    const asking = functions[name];
    if (asking) accesses.push(...asked(call, asking));
  }

  function ofMethod(call: ts.CallExpression, owner: string, name: string): void {
    if (name === "recorder" && (owner === "Manager" || owner === "Cluster")) {
      accesses.push(fixed(call, ownKinds.event, { verbs: ["create", "patch"] }));
    }
    if (owner === "SubResourceClient") ofSubresource(call, name);
    const asking = methods[owner]?.[name];
    if (asking) accesses.push(...asked(call, asking));
  }

  function asked(call: ts.CallExpression, { argument, ...rest }: AskingCall): Access[] {
    const subject = call.arguments[argument];
    if (!subject) return [];
    const everywhere = rest.read === true && rest.asks[0]?.verbs[0] === "list" && !namesNamespace(call, argument + 1);
    const subjects = found(subject);
    const isRole = subjects.kinds.some(({ kind }) => /^(Cluster)?Role(Binding)?$/.test(kind));
    const isWrite = rest.asks.some(({ verbs }) => verbs.some((verb) => /^(create|update|patch)$/.test(verb)));
    const delegation = isRole && isWrite ? delegationOf(search, subject, call.arguments[argument + 1]) : undefined;
    return [
      {
        ...placed(call),
        ...subjects,
        ...rest,
        ...(everywhere ? { everywhere } : {}),
        ...(delegation ? { delegation } : {}),
      },
    ];
  }

  function found(subject: ts.Expression): Pick<Access, "kinds" | "unknown"> {
    const { kinds, unknown } = search.kinds.of(subject);
    return { kinds, ...(unknown ? { unknown: program.positionOf(unknown) } : {}) };
  }

  function ofSubresource(call: ts.CallExpression, name: string): void {
    const verb = subresourceVerbs[name];
    const [subject] = call.arguments;
    if (!verb || !subject || !ts.isPropertyAccessExpression(call.expression)) return;
    const { ends } = flow.trail(call.expression.expression);
    for (const end of ends) {
      const made = ts.isCallExpression(end) && calleeOf(search, end.expression)?.name === "subResource";
      const subresource = made ? search.kinds.text(end.arguments[0]) : undefined;
      if (subresource === undefined) {
        blind.push({ at: placeOf(call), reason: "the name of the subresource can't be determined" });
      } else accesses.push({ ...placed(call), ...found(subject), asks: [{ verbs: [verb], subresource }] });
    }
  }

  /**
   * Records the permission for the owner's finalizers: an admission plugin requires it for owner references that block
   * deletion.
   */
  function ofOwner(call: ts.CallExpression, name: string): void {
    const [owner, , options] = call.arguments;
    if (!owner) return;
    const value = options && flow.property(options, "blockOwnerDeletion").ends;
    const isOff = value?.length === 1 && value[0]?.kind === ts.SyntaxKind.FalseKeyword;
    if (isOff || (name === "setOwnerReference" && !value?.length)) return;
    accesses.push({
      ...placed(call),
      ...found(owner),
      asks: [{ verbs: ["update"], subresource: "finalizers" }],
    });
  }

  /** Reports a client that is passed to code that can't be analyzed. */
  function reportPassedClient(call: ts.CallExpression): void {
    const declaration = checker.getResolvedSignature(call)?.declaration;
    const file = declaration?.getSourceFile();
    if (file && (program.isOwn(file) || program.isLibrary(file))) return;
    for (const argument of call.arguments) {
      const type = checker.getTypeAtLocation(argument);
      if (!ways.has(program.runtimeName(type.aliasSymbol ?? type.getSymbol()) ?? "")) continue;
      blind.push({ at: program.positionOf(argument), reason: "it is passed to code that can't be analyzed" });
    }
  }

  /** Reports a method that is passed on instead of called, as in `run(client.get)`: its calls can't be found. */
  function ofAccess(access: ts.PropertyAccessExpression): void {
    if (ts.isCallExpression(access.parent) && access.parent.expression === access) return;
    const callee = calleeOf(search, access);
    const asks = callee?.owner && (methods[callee.owner]?.[callee.name] || callee.owner === "SubResourceClient");
    if (asks) blind.push({ at: program.positionOf(access.name), reason: "it isn't called here, but passed on" });
  }

  function ofProperty(property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment): void {
    const name = nameOf(property.name);
    const value = ts.isPropertyAssignment(property) ? property.initializer : undefined;
    if (name === "defaultNamespaces") facts.namespaced = true;
    if (name === "byObject") facts.selects = true;
    if (name === "readsWithoutInformer") {
      facts.readsStartInformers ||= !["live", "fail"].includes(search.kinds.text(value) ?? "");
    }
    const isOn = value?.kind !== ts.SyntaxKind.FalseKeyword;
    const isOption = ts.isCallExpression(property.parent.parent);
    if (name === "blockOwnerDeletion" && isOn && !isOption) facts.blocksDeletion = true;
  }

  function ofImport(node: ts.ImportDeclaration): void {
    const specifier = ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : "";
    if (specifier !== "@kubernetes/client-node" || node.importClause?.isTypeOnly) return;
    blind.push({ at: program.positionOf(node), reason: "the requests of another client can't be analyzed" });
  }

  function fixed(call: ts.CallExpression, kind: KindRef, ask: Ask): Access {
    return { ...placed(call), kinds: [kind], asks: [ask] };
  }

  function placed(call: ts.CallExpression): Pick<Access, "at" | "call"> {
    return { at: placeOf(call), call: spoken(call.expression) };
  }

  /** Formats the name of a call, such as `client.get` for `this.client.get`; for a chain of calls, the last name. */
  function spoken(callee: ts.Expression): string {
    if (!ts.isPropertyAccessExpression(callee)) return callee.getText();
    const { expression, name } = callee;
    if (ts.isIdentifier(expression)) return `${expression.text}.${name.text}`;
    return ts.isPropertyAccessExpression(expression) ? `${expression.name.text}.${name.text}` : name.text;
  }

  function placeOf({ expression }: ts.CallExpression) {
    return program.positionOf(ts.isPropertyAccessExpression(expression) ? expression.name : expression);
  }

  function namesNamespace(call: ts.CallExpression, index: number): boolean {
    const options = call.arguments[index];
    if (!options) return false;
    if (!ts.isObjectLiteralExpression(options)) return true;
    return options.properties.some(
      (property) => !property.name || ["namespace", "fields"].includes(nameOf(property.name)),
    );
  }

  for (const file of program.files) visit(file);
  return { accesses, blind, ...facts };
}
