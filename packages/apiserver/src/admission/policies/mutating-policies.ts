import { cloneJson, equalJson, goQuote, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  conditionsMatch,
  Evaluation,
  type Expression,
  expressionInput,
  matchConditionsBudget,
  policyBudget,
} from "../../expressions/expressions.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import {
  convertTo,
  kindOf,
  refused,
  type Target,
  type VersionedObjects,
  versionedObjects,
} from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";
import { internalError, StatusError } from "../../model/status.ts";
import { isIgnoredByPolicies } from "../plugin/match.ts";
import type { AdmissionPlugin, Operation, Rounds } from "../plugin/plugin.ts";
import type { DecodeObject, JsonPatches } from "../webhooks/mutating-webhooks.ts";
import {
  type Binding,
  BoundPolicies,
  collectParams,
  namespaceObject,
  type Policy,
  type PolicyParts,
  paramTarget,
} from "./policies.ts";

interface Mutation extends Expression {
  patchType: "JSONPatch" | "ApplyConfiguration";
}

/** The parts that mutating policies use. */
export interface MutatingPolicyParts extends PolicyParts {
  patches: JsonPatches;
  decode: DecodeObject;
  /**
   * Merges an apply configuration into an object, without owners of fields.
   *
   * @throws Error with kube-apiserver's message if the configuration doesn't fit the schema
   */
  applyConfiguration: (target: Target, object: ApiObject, configuration: ApiObject) => ApiObject;
}

interface Invocation {
  policy: Policy & { compiled: () => readonly Mutation[] };
  binding: Binding;
  target: Target;
  param: ApiObject | null;
}

interface Problem {
  policy: Policy;
  binding: Binding | undefined;
  message: string;
  reason: string;
}

interface Memory {
  eligible: Set<string>;
  again: Set<string>;
  output: ApiObject | undefined;
}

/** Evaluates MutatingAdmissionPolicies. */
export class MutatingPolicies implements AdmissionPlugin {
  readonly name = "MutatingAdmissionPolicy";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE", "CONNECT"]);
  readonly #parts: MutatingPolicyParts;
  readonly #policies: BoundPolicies<readonly Mutation[]>;

  /** @param parts - the store, the matcher, the compiler, and functions that apply patches */
  constructor(parts: MutatingPolicyParts) {
    this.#parts = parts;
    this.#policies = new BoundPolicies(
      parts,
      "mutatingadmissionpolicies",
      "mutatingadmissionpolicybindings",
      (policy) => compileMutations(parts, policy),
    );
  }

  admit(attributes: AdmissionAttributes, rounds: Rounds): Promise<void> | undefined {
    if (this.#policies.isEmpty || isIgnoredByPolicies(attributes)) return undefined;
    return this.#admit(attributes, rounds);
  }

  async #admit(attributes: AdmissionAttributes, rounds: Rounds): Promise<void> {
    const problems: Problem[] = [];
    const invocations = await this.#invocations(attributes, problems);
    if (invocations.length > 0) await this.#run(attributes, rounds, invocations, problems);
    const counted = problems.filter(({ policy }) => !policy.ignoreFailures);
    if (counted.length > 0) throw denied(attributes, counted);
  }

  async #invocations(attributes: AdmissionAttributes, problems: Problem[]): Promise<Invocation[]> {
    const invocations: Invocation[] = [];
    for (const { policy, bindings } of this.#policies.list()) {
      const fail = (error: unknown, binding?: Binding): void => {
        const what = binding === undefined ? "policy" : "binding";
        const message = `failed to configure ${what}: ${(error as Error).message}`;
        problems.push({ policy, binding, message, reason: "" });
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
      for (const binding of bindings) {
        try {
          if (binding.criteria !== undefined && this.#parts.matcher.match(binding.criteria, attributes) === undefined)
            continue;
          for (const param of await collectParams(this.#parts, policy, binding, attributes)) {
            invocations.push({ policy, binding, target, param });
          }
        } catch (error) {
          fail(error, binding);
        }
      }
    }
    return invocations;
  }

  async #run(
    attributes: AdmissionAttributes,
    rounds: Rounds,
    invocations: readonly Invocation[],
    problems: Problem[],
  ): Promise<void> {
    const memory = rounds.memory<Memory>(this, () => ({ eligible: new Set(), again: new Set(), output: undefined }));
    const repeat = (): void => {
      for (const key of memory.eligible) memory.again.add(key);
      memory.eligible.clear();
    };
    if (rounds.again && !equalJson(memory.output, attributes.object)) repeat();
    const namespace = namespaceObject(this.#parts.matcher, attributes);
    let patched = false;
    for (const invocation of invocations) {
      const { policy, binding, target, param } = invocation;
      const objects = await versionedObjects(attributes, target);
      const fail = (message: string): number => problems.push({ policy, binding, message, reason: "Invalid" });
      if (!this.#matches(attributes, invocation, objects, fail)) continue;
      const key = JSON.stringify([policy.name, binding.name, param?.metadata.namespace, param?.metadata.name]);
      if (rounds.again && !memory.again.has(key)) continue;
      const before = objects.object;
      for (const mutation of before === undefined ? [] : policy.compiled()) {
        try {
          objects.object = this.#mutate(attributes, invocation, mutation, objects, namespace);
          patched = true;
        } catch (error) {
          if (error instanceof StatusError) throw error;
          fail((error as Error).message);
        }
      }
      if (objects.object !== undefined && !equalJson(objects.object, before)) {
        attributes.object = await convertTo(objects.object, target, attributes, attributes.subresource);
        repeat();
      }
      if (policy.spec.reinvocationPolicy === "IfNeeded") memory.eligible.add(key);
    }
    // All policies that want it run again, even the last one after its own change.
    if (patched) {
      repeat();
      rounds.requestAnother();
    }
    memory.output = cloneJson(attributes.object);
  }

  #matches(
    attributes: AdmissionAttributes,
    { policy, target, param }: Invocation,
    objects: VersionedObjects,
    fail: (message: string) => void,
  ): boolean {
    const conditions = policy.conditions();
    const kind = kindOf(target, attributes.subresource);
    if (kind === undefined || conditions.length === 0) return kind !== undefined;
    const input = expressionInput(attributes, target, kind, objects, param, null);
    try {
      const evaluation = new Evaluation(input, matchConditionsBudget, policy.variables());
      return conditionsMatch(conditions, evaluation, policy.ignoreFailures);
    } catch (error) {
      fail((error as Error).message);
      return false;
    }
  }

  #mutate(
    attributes: AdmissionAttributes,
    { policy, target, param }: Invocation,
    mutation: Mutation,
    objects: VersionedObjects,
    namespace: JsonObject | null,
  ): ApiObject {
    const object = objects.object as ApiObject;
    const kind = kindOf(target, attributes.subresource);
    if (kind === undefined) return object;
    const { problem } = mutation.program;
    if (problem !== undefined) throw new Error(problem);
    const input = expressionInput(attributes, target, kind, objects, param, namespace);
    const result = new Evaluation(input, policyBudget, policy.variables()).run(mutation);
    if ("error" in result) throw new Error(result.error);
    const patch = mutation.program.toJson(result.value);
    return mutation.patchType === "JSONPatch"
      ? this.#applyJsonPatch(target, attributes.subresource, object, Array.isArray(patch) ? patch : [])
      : this.#applyConfiguration(target, attributes.subresource, object, isObject(patch) ? patch : {});
  }

  #applyJsonPatch(target: Target, subresource: string, object: ApiObject, patch: readonly Json[]): ApiObject {
    let patched: Json;
    try {
      patched = this.#parts.patches.apply(object, patch);
    } catch (error) {
      // A failed test means that the patch isn't for this object.
      if (this.#parts.patches.isFailedTest(error)) return object;
      throw new Error(`JSON Patch: ${(error as Error).message}`);
    }
    try {
      return this.#parts.decode(target, subresource, patched);
    } catch (error) {
      throw internalError((error as Error).message);
    }
  }

  #applyConfiguration(target: Target, subresource: string, object: ApiObject, configuration: JsonObject): ApiObject {
    const { apiVersion, kind } = object;
    const typed = { ...configuration, apiVersion, kind } as ApiObject;
    let merged: ApiObject;
    try {
      merged = this.#parts.applyConfiguration(target, object, typed);
    } catch (error) {
      throw new Error(`error applying patch: ${(error as Error).message}`);
    }
    return this.#parts.decode(target, subresource, merged);
  }
}

function compileMutations({ compile }: PolicyParts, { spec, environment }: Policy): readonly Mutation[] {
  const list = Array.isArray(spec.mutations) ? spec.mutations.filter(isObject) : [];
  return list.flatMap((mutation): Mutation[] => {
    const patchType = mutation.patchType === "JSONPatch" ? "JSONPatch" : "ApplyConfiguration";
    const content = mutation[patchType === "JSONPatch" ? "jsonPatch" : "applyConfiguration"];
    if (!isObject(content)) return [];
    const text = String(content.expression ?? "");
    const result = patchType === "JSONPatch" ? "list(JSONPatch)" : "Object";
    return [{ patchType, text, program: compile(text, environment({ patchTypes: true }), [result]) }];
  });
}

function denied(attributes: AdmissionAttributes, problems: readonly Problem[]): StatusError {
  const messages = problems.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy ${goQuote(policy.name)} denied request: ${message}`
      : `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`,
  );
  const error = refused(attributes, "");
  const reason = problems[0]?.reason || error.reason;
  const causes = messages.map((message) => ({ message }));
  return new StatusError(error.code, reason, messages[0] as string, { ...error.details, causes });
}
