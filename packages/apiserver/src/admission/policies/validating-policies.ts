import { isObject, type JsonObject } from "@kubewright/cel/json";
import {
  conditionsMatch,
  Evaluation,
  type Expression,
  expressionInput,
  matchConditionsBudget,
  OutOfBudget,
  policyBudget,
} from "../../expressions/expressions.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import {
  kindOf,
  refused,
  type Target,
  type VersionedObjects,
  versionedObjects,
} from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";
import { StatusError } from "../../model/status.ts";
import { isIgnoredByPolicies } from "../plugin/match.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import {
  type Binding,
  BoundPolicies,
  collectParams,
  namespaceObject,
  type Policy,
  type PolicyParts,
  paramTarget,
} from "./policies.ts";

interface Validation extends Expression {
  message: string;
  messageExpression: Expression | undefined;
  reason: string;
}

interface Compiled {
  validations: readonly Validation[];
  annotations: readonly Expression[];
}

/** Why a policy doesn't allow a request. */
interface Denial {
  policy: Policy;
  binding: Binding | undefined;
  message: string;
  reason: string;
}

type Decision = Pick<Denial, "message" | "reason">;

const maximumMessageBytes = 5 * 1024;
const codes: Record<string, number> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

/** Evaluates ValidatingAdmissionPolicies. */
export class ValidatingPolicies implements AdmissionPlugin {
  readonly name = "ValidatingAdmissionPolicy";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE", "DELETE", "CONNECT"]);
  readonly #parts: PolicyParts;
  readonly #policies: BoundPolicies<Compiled>;

  /** @param parts - the store, the matcher and the compiler */
  constructor(parts: PolicyParts) {
    this.#parts = parts;
    this.#policies = new BoundPolicies(
      parts,
      "validatingadmissionpolicies",
      "validatingadmissionpolicybindings",
      (policy) => compileRest(parts, policy),
    );
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    if (this.#policies.isEmpty || isIgnoredByPolicies(attributes)) return undefined;
    return this.#validate(attributes);
  }

  async #validate(attributes: AdmissionAttributes): Promise<void> {
    const denials: Denial[] = [];
    for (const { policy, bindings } of this.#policies.list()) {
      const fail = (error: unknown, binding?: Binding): void => {
        if (policy.ignoreFailures) return;
        const what = binding === undefined ? "policy" : "binding";
        denials.push({
          policy,
          binding,
          message: `failed to configure ${what}: ${(error as Error).message}`,
          reason: "",
        });
      };
      let target: Target | undefined;
      try {
        target = this.#parts.matcher.match(policy.criteria, attributes);
        if (target !== undefined && policy.paramKind !== undefined) paramTarget(this.#parts, policy.paramKind);
      } catch (error) {
        fail(error);
        continue;
      }
      if (target === undefined) continue;
      await this.#bindings(attributes, policy, bindings, target, denials, fail);
    }
    const [first] = denials;
    if (first !== undefined) throw denied(attributes, first);
  }

  async #bindings(
    attributes: AdmissionAttributes,
    policy: Policy & { compiled: () => Compiled },
    bindings: readonly Binding[],
    target: Target,
    denials: Denial[],
    fail: (error: unknown, binding: Binding) => void,
  ): Promise<void> {
    let objects: VersionedObjects | undefined;
    for (const binding of bindings) {
      let params: (ApiObject | null)[];
      try {
        if (binding.criteria !== undefined && this.#parts.matcher.match(binding.criteria, attributes) === undefined)
          continue;
        params = await collectParams(this.#parts, policy, binding, attributes);
        if (params.length > 0) objects ??= await versionedObjects(attributes, target);
      } catch (error) {
        fail(error, binding);
        continue;
      }
      const namespace = namespaceObject(this.#parts.matcher, attributes);
      for (const param of params) {
        const decisions = evaluate(attributes, policy, target, objects as VersionedObjects, param, namespace);
        for (const decision of decisions) act(attributes, policy, binding, decision, denials);
      }
    }
  }
}

function act(
  attributes: AdmissionAttributes,
  policy: Policy,
  binding: Binding,
  decision: Decision,
  denials: Denial[],
): void {
  for (const action of binding.actions) {
    if (action === "Deny") denials.push({ policy, binding, ...decision });
    if (action !== "Warn") continue;
    const names = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
    attributes.warn(`Validation failed for ${names}: ${decision.message}`);
  }
}

function denied(attributes: AdmissionAttributes, { policy, binding, message: why, reason }: Denial): StatusError {
  const by = binding === undefined ? "" : ` with binding '${binding.name}'`;
  const message = `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${why}`;
  const error = refused(attributes, message);
  const shown = reason || "Invalid";
  return new StatusError(codes[shown] ?? 422, shown, error.message, { ...error.details, causes: [{ message }] });
}

function compileRest({ compile }: PolicyParts, { spec, environment }: Policy): Compiled {
  const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
  const expression = (text: string, authorizer: boolean, results: readonly string[]): Expression => ({
    text,
    program: compile(text, environment({ authorizer }), results),
  });
  return {
    validations: list(spec.validations).map((validation) => {
      const message = String(validation.messageExpression ?? "");
      return {
        ...expression(String(validation.expression ?? ""), true, ["bool"]),
        message: String(validation.message ?? ""),
        messageExpression: message === "" ? undefined : expression(message, false, ["string"]),
        reason: String(validation.reason ?? "Invalid"),
      };
    }),
    annotations: list(spec.auditAnnotations).map((annotation) =>
      expression(String(annotation.valueExpression ?? ""), true, ["string", "null_type"]),
    ),
  };
}

/** Evaluates a policy with one parameter. Returns why it doesn't allow the request. */
function evaluate(
  attributes: AdmissionAttributes,
  policy: Policy & { compiled: () => Compiled },
  target: Target,
  objects: VersionedObjects,
  param: ApiObject | null,
  namespace: JsonObject | null,
): Decision[] {
  const failed = (message: string): Decision[] => (policy.ignoreFailures ? [] : [{ message, reason: "" }]);
  const kind = kindOf(target, attributes.subresource);
  if (kind === undefined) return [];
  const input = expressionInput(attributes, target, kind, objects, param, namespace);
  const variables = policy.variables();
  const conditions = policy.conditions();
  if (conditions.length > 0) {
    const condition = new Evaluation({ ...input, namespaceObject: null }, matchConditionsBudget, variables);
    try {
      if (!conditionsMatch(conditions, condition, policy.ignoreFailures)) return [];
    } catch (error) {
      return failed((error as Error).message);
    }
  }
  const { validations, annotations } = policy.compiled();
  try {
    const evaluation = new Evaluation(input, policyBudget, variables);
    const results = validations.map((validation) => evaluation.run(validation));
    const messages = new Messages(validations, new Evaluation(input, evaluation.budget, variables));
    const decisions = results.flatMap((result, index): Decision[] => {
      const validation = validations[index] as Validation;
      if ("error" in result) return failed(result.error);
      if (messages.problem !== undefined) return failed(`failed messageExpression: ${messages.problem}`);
      return result.value === true ? [] : [{ message: messages.of(index), reason: validation.reason }];
    });
    return [...decisions, ...annotationProblems(annotations, new Evaluation(input, policyBudget, variables), failed)];
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return failed(error.message);
  }
}

/** There is no audit log, but an annotation that fails refuses the request. */
function annotationProblems(
  annotations: readonly Expression[],
  evaluation: Evaluation,
  failed: (message: string) => Decision[],
): Decision[] {
  return annotations.flatMap((annotation) => {
    const result = evaluation.run(annotation);
    return "error" in result ? failed(result.error) : [];
  });
}

/** The messages of validations that fail. */
class Messages {
  readonly #validations: readonly Validation[];
  readonly #results: (string | undefined)[] = [];
  /** Set if the expressions cost too much. */
  readonly problem: string | undefined;

  constructor(validations: readonly Validation[], evaluation: Evaluation) {
    this.#validations = validations;
    try {
      for (const { messageExpression } of validations) {
        const result = messageExpression && evaluation.run(messageExpression);
        this.#results.push(result === undefined || "error" in result ? undefined : usableMessage(result.value));
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      this.problem = error.message;
    }
  }

  of(index: number): string {
    const { message, text } = this.#validations[index] as Validation;
    return this.#results[index] || message.trim() || `failed expression: ${text.trim()}`;
  }
}

function usableMessage(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return Buffer.byteLength(text) > maximumMessageBytes || text.includes("\n") ? undefined : text;
}
