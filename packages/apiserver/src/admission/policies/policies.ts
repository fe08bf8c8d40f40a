import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type {
  CompileExpression,
  Expression,
  ExpressionEnvironment,
  MatchCondition,
} from "../../expressions/expressions.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import { type GroupVersionKind, requestKind, type Target } from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";
import type { Entry } from "../../model/stored-state.ts";
import { decodeEntry } from "../../registry/read.ts";
import { objectKey } from "../../registry/scope.ts";
import { matchesLabels } from "../../request/label-selector.ts";
import { selectorOfObject } from "../../request/selector-object.ts";
import { ParsedCollection } from "../../storage/parsed-collection.ts";
import type { Store } from "../../storage/store.ts";
import { type Criteria, type Matcher, parseMatchResources, texts } from "../plugin/match.ts";
import { parseMatchConditions } from "../webhooks/webhook-configurations.ts";

/** The parts that policies use. */
export interface PolicyParts {
  store: Store;
  matcher: Matcher;
  compile: CompileExpression;
  /** Returns the resource and version of a kind, if it is served. */
  resourceOfKind: (kind: GroupVersionKind) => Target | undefined;
}

/** A variable of a policy. */
export type Variable = Expression & { name: string };

/** The common part of validating and mutating policies. */
export interface Policy {
  name: string;
  spec: JsonObject;
  criteria: Criteria;
  paramKind: GroupVersionKind | undefined;
  ignoreFailures: boolean;
  /** The variables, compiled when a request first needs them. */
  variables: () => readonly Variable[];
  conditions: () => readonly MatchCondition[];
  /** Returns what the expressions of the policy may refer to. */
  environment: (changes: Partial<ExpressionEnvironment>) => ExpressionEnvironment;
}

/** The part of a policy that a binding makes effective. */
export interface Binding {
  name: string;
  policyName: string;
  criteria: Criteria | undefined;
  paramRef: JsonObject | undefined;
  actions: readonly string[];
}

/** A problem with a policy or binding that its failure policy decides about. */
export class PolicyProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PolicyProblem";
  }
}

/** The policies of one kind with their bindings. */
export class BoundPolicies<Compiled> {
  readonly #policies: ParsedCollection<Policy & { compiled: () => Compiled }>;
  readonly #bindings: ParsedCollection<Binding>;

  /**
   * @param parts - the store, and the compiler
   * @param resource - `validatingadmissionpolicies` or `mutatingadmissionpolicies`
   * @param bindings - the resource of the bindings
   * @param compileRest - compiles the expressions that the kinds of policies don't have in common
   */
  constructor(parts: PolicyParts, resource: string, bindings: string, compileRest: (policy: Policy) => Compiled) {
    const group = "admissionregistration.k8s.io";
    this.#policies = new ParsedCollection(parts.store.collection(`${resource}.${group}`), (object, name) => {
      const policy = parsePolicy(object, name, parts.compile);
      return { ...policy, compiled: once(() => compileRest(policy)) };
    });
    this.#bindings = new ParsedCollection(parts.store.collection(`${bindings}.${group}`), parseBinding);
  }

  /** True if no request can be affected. */
  get isEmpty(): boolean {
    return this.#bindings.size === 0 || this.#policies.size === 0;
  }

  /** Returns the policies that have bindings, in the order of the bindings' names. */
  list(): { policy: Policy & { compiled: () => Compiled }; bindings: Binding[] }[] {
    const byPolicy = new Map<string, Binding[]>();
    for (const binding of this.#bindings.list()) {
      const list = byPolicy.get(binding.policyName);
      if (list === undefined) byPolicy.set(binding.policyName, [binding]);
      else list.push(binding);
    }
    return [...byPolicy].flatMap(([name, bindings]) => {
      const policy = this.#policies.get(name);
      return policy === undefined ? [] : [{ policy, bindings }];
    });
  }
}

/** Calls a function when its result is first needed. */
function once<T>(create: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: create() };
    return made.value;
  };
}

function parsePolicy(object: JsonObject, name: string, compile: CompileExpression): Policy {
  const spec = isObject(object.spec) ? object.spec : {};
  const paramKind = isObject(spec.paramKind) ? spec.paramKind : undefined;
  const apiVersion = String(paramKind?.apiVersion ?? "");
  const slash = apiVersion.indexOf("/");
  const base = { params: paramKind !== undefined, authorizer: true, patchTypes: false };
  const variables = once(() => {
    const compiled: Variable[] = [];
    for (const variable of Array.isArray(spec.variables) ? spec.variables.filter(isObject) : []) {
      const text = String(variable.expression ?? "");
      const program = compile(text, { ...base, variables: [...compiled] }, []);
      compiled.push({ name: String(variable.name ?? ""), text, program });
    }
    return compiled;
  });
  const environment = (changes: Partial<ExpressionEnvironment>): ExpressionEnvironment => ({
    ...base,
    variables: variables(),
    ...changes,
  });
  return {
    name,
    spec,
    criteria: parseMatchResources(spec.matchConstraints),
    paramKind: paramKind && {
      group: slash < 0 ? "" : apiVersion.slice(0, slash),
      version: apiVersion.slice(slash + 1),
      kind: String(paramKind.kind ?? ""),
    },
    ignoreFailures: spec.failurePolicy === "Ignore",
    variables,
    conditions: once(() => parseMatchConditions(spec.matchConditions, compile, environment({}))()),
    environment,
  };
}

function parseBinding(object: JsonObject, name: string): Binding {
  const spec = isObject(object.spec) ? object.spec : {};
  return {
    name,
    policyName: String(spec.policyName ?? ""),
    criteria: isObject(spec.matchResources) ? parseMatchResources(spec.matchResources) : undefined,
    paramRef: isObject(spec.paramRef) ? spec.paramRef : undefined,
    actions: texts(spec.validationActions),
  };
}

/**
 * Reads the parameters of a binding.
 *
 * @param parts - the store, and the resources
 * @param policy - the policy, whose kind of parameters it is
 * @param binding - the binding
 * @param attributes - the request
 * @returns the parameters; null stands for evaluating the policy without
 * @throws PolicyProblem if they can't be read
 */
export async function collectParams(
  parts: PolicyParts,
  policy: Policy,
  binding: Binding,
  attributes: AdmissionAttributes,
): Promise<(ApiObject | null)[]> {
  const { paramKind } = policy;
  const { paramRef } = binding;
  if (paramKind === undefined) return [null];
  const target = paramTarget(parts, paramKind);
  if (paramRef === undefined) return [null];
  const prefix = paramPrefix(target, paramRef, attributes.namespace);
  const params = await readParams(parts, target, paramRef, prefix);
  if (params.length === 0 && paramRef.parameterNotFoundAction === "Deny") {
    throw new PolicyProblem("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return params;
}

/**
 * Finds the resource of a policy's parameters.
 *
 * @param parts - the resources
 * @param paramKind - the kind of the parameters
 * @returns the resource
 * @throws PolicyProblem if it isn't served
 */
export function paramTarget(parts: PolicyParts, paramKind: GroupVersionKind): Target {
  const target = parts.resourceOfKind(paramKind);
  if (target !== undefined) return target;
  const { group, version, kind } = paramKind;
  throw new PolicyProblem(`failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`);
}

function paramPrefix({ type }: Target, paramRef: JsonObject, requestNamespace: string): string {
  const own = typeof paramRef.namespace === "string" ? paramRef.namespace : "";
  if (!type.namespaced) {
    if (own === "") return "";
    throw new PolicyProblem("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  const namespace = own || requestNamespace;
  if (namespace !== "") return namespace;
  throw new PolicyProblem("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
}

async function readParams(
  { store }: PolicyParts,
  { type, version }: Target,
  paramRef: JsonObject,
  namespace: string,
): Promise<ApiObject[]> {
  const collection = store.collection(type.collection);
  const read = async (entry: Entry): Promise<ApiObject> => type.convert(decodeEntry(type, entry), version.version);
  const name = typeof paramRef.name === "string" ? paramRef.name : "";
  if (name !== "") {
    const entry = collection.get(objectKey(type, namespace, name));
    return entry === undefined ? [] : [await read(entry)];
  }
  if (!isObject(paramRef.selector)) throw new PolicyProblem("one of name or selector must be provided");
  const selector = parseSelector(paramRef.selector);
  const objects = await Promise.all(collection.list(type.namespaced ? `${namespace}/` : "").map(read));
  return objects.filter((object) => matchesLabels(selector, object.metadata.labels));
}

function parseSelector(selector: Json): ReturnType<typeof selectorOfObject> {
  try {
    return selectorOfObject(selector);
  } catch (error) {
    throw new PolicyProblem((error as Error).message);
  }
}

/**
 * Reads the namespace of a request in the form that expressions see.
 *
 * @param matcher - reads namespaces
 * @param attributes - the request
 * @returns the namespace without its owners; null for objects of the cluster, and for namespaces themselves
 * @throws StatusError (404) if it doesn't exist
 */
export function namespaceObject(matcher: Matcher, attributes: AdmissionAttributes): JsonObject | null {
  const { group, kind } = requestKind(attributes);
  if (attributes.namespace === "" || (group === "" && kind === "Namespace")) return null;
  const { metadata, spec, status } = matcher.namespace(attributes.namespace);
  const { ownerReferences: _owners, managedFields: _fields, ...visible } = metadata;
  return { metadata: visible, ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) };
}
