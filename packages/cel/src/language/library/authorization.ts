import { isDNS1123Label, isDNS1123Subdomain } from "../../validation/name-rules.ts";
import { define, type Functions } from "../declarations/function.ts";
import { EvaluationError } from "../values/evaluation-error.ts";
import { OpaqueValue } from "../values/value.ts";

/** A question of an expression to the authorizer. */
export interface AuthorizationCheck {
  /** The service account; undefined for the user of the request. */
  serviceAccount: { namespace: string; name: string } | undefined;
  verb: string;
  /** A path that isn't one of a resource; undefined for resources. */
  path: string | undefined;
  group: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
}

/** Decides about a check. */
export type Authorize = (check: AuthorizationCheck) => { allowed: boolean; reason: string };

abstract class Receiver extends OpaqueValue {
  equals(other: this): boolean {
    return this === other;
  }
}

class AuthorizerValue extends Receiver {
  readonly typeName = "kubernetes.authorization.Authorizer";
  readonly authorize: Authorize;
  readonly serviceAccount: AuthorizationCheck["serviceAccount"];

  constructor(authorize: Authorize, serviceAccount?: AuthorizationCheck["serviceAccount"]) {
    super();
    this.authorize = authorize;
    this.serviceAccount = serviceAccount;
  }
}

class GroupCheck extends Receiver {
  readonly typeName = "kubernetes.authorization.GroupCheck";
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** The check of a resource or of a path, which lacks only the verb. */
abstract class Check extends Receiver {
  readonly authorizer: AuthorizerValue;
  readonly about: Omit<AuthorizationCheck, "verb" | "serviceAccount">;

  constructor(authorizer: AuthorizerValue, about: Partial<AuthorizationCheck>) {
    super();
    this.authorizer = authorizer;
    this.about = { path: undefined, group: "", resource: "", subresource: "", namespace: "", name: "", ...about };
  }
}

class PathCheck extends Check {
  readonly typeName = "kubernetes.authorization.PathCheck";
}

class ResourceCheck extends Check {
  readonly typeName = "kubernetes.authorization.ResourceCheck";
}

class DecisionValue extends Receiver {
  readonly typeName = "kubernetes.authorization.Decision";
  readonly allowed: boolean;
  readonly reason: string;

  constructor({ allowed, reason }: { allowed: boolean; reason: string }) {
    super();
    this.allowed = allowed;
    this.reason = reason;
  }
}

/** The values of the variables `authorizer` and `authorizer.requestResource`. */
export interface AuthorizerValues {
  authorizer: OpaqueValue;
  requestResource: OpaqueValue;
}

/**
 * Creates the values of the variables that ask about permissions.
 *
 * @param authorize - decides
 * @param resource - the resource of the request
 * @returns the values
 */
export function authorizerValues(
  authorize: Authorize,
  resource: Pick<AuthorizationCheck, "group" | "resource" | "subresource" | "namespace" | "name">,
): AuthorizerValues {
  const authorizer = new AuthorizerValue(authorize);
  return { authorizer, requestResource: new ResourceCheck(authorizer, resource) };
}

const changed = (check: ResourceCheck, change: Partial<AuthorizationCheck>): ResourceCheck =>
  new ResourceCheck(check.authorizer, { ...check.about, ...change });

const decide = ({ authorizer, about }: Check, verb: string): DecisionValue =>
  new DecisionValue(authorizer.authorize({ ...about, verb, serviceAccount: authorizer.serviceAccount }));

function notBlank(text: string, what: string): string {
  if (text.trim() === "") throw new EvaluationError(`${what} must not be empty`);
  return text;
}

/**
 * Adds the functions of `authorizer`. Selectors are accepted and have no effect, because RBAC ignores them.
 *
 * @param functions - the functions
 */
export function defineAuthorization(functions: Functions): void {
  const [authorizer, path, group, resource, decision] = [
    "Authorizer",
    "PathCheck",
    "GroupCheck",
    "ResourceCheck",
    "Decision",
  ].map((name) => `kubernetes.authorization.${name}`);
  const withAbout = (name: string, id: string, key: keyof AuthorizationCheck): void =>
    define(functions, name, [
      id,
      `${resource}.(string) -> ${resource}`,
      (check: ResourceCheck, value: string) => changed(check, { [key]: value }),
    ]);
  define(functions, "path", [
    "authorizer_path",
    `${authorizer}.(string) -> ${path}`,
    (value: AuthorizerValue, text: string) => new PathCheck(value, { path: notBlank(text, "path") }),
  ]);
  define(functions, "group", [
    "authorizer_group",
    `${authorizer}.(string) -> ${group}`,
    (value: AuthorizerValue, text: string) => new GroupCheck(value, text),
  ]);
  define(functions, "serviceAccount", [
    "authorizer_serviceaccount",
    `${authorizer}.(string, string) -> ${authorizer}`,
    (value: AuthorizerValue, namespace: string, name: string) => {
      if (isDNS1123Subdomain(name).length > 0) throw new EvaluationError("Invalid service account name");
      if (isDNS1123Label(namespace).length > 0) throw new EvaluationError("Invalid service account namespace");
      return new AuthorizerValue(value.authorize, { namespace, name });
    },
  ]);
  define(functions, "resource", [
    "groupcheck_resource",
    `${group}.(string) -> ${resource}`,
    (check: GroupCheck, text: string) =>
      new ResourceCheck(check.authorizer, { group: check.group, resource: notBlank(text, "resource") }),
  ]);
  withAbout("subresource", "resourcecheck_subresource", "subresource");
  withAbout("namespace", "resourcecheck_namespace", "namespace");
  withAbout("name", "resourcecheck_name", "name");
  for (const name of ["fieldSelector", "labelSelector"]) {
    define(functions, name, [
      `authorizer_${name.toLowerCase()}`,
      `${resource}.(string) -> ${resource}`,
      (check: ResourceCheck) => check,
    ]);
  }
  define(
    functions,
    "check",
    ["pathcheck_check", `${path}.(string) -> ${decision}`, decide],
    ["resourcecheck_check", `${resource}.(string) -> ${decision}`, decide],
  );
  define(functions, "allowed", ["decision_allowed", `${decision}.() -> bool`, ({ allowed }: DecisionValue) => allowed]);
  define(functions, "reason", ["decision_reason", `${decision}.() -> string`, ({ reason }: DecisionValue) => reason]);
  define(functions, "errored", ["decision_errored", `${decision}.() -> bool`, () => false]);
  define(functions, "error", ["decision_error", `${decision}.() -> string`, () => ""]);
}
