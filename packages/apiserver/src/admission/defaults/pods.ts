import { equalJson, goQuote, isObject, type JsonObject } from "@kubewright/cel/json";
import { isPathSegment } from "@kubewright/cel/validation";
import type { AdmissionAttributes } from "../../model/admission.ts";
import { refused } from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";
import { StatusError } from "../../model/status.ts";
import { ParsedCollection } from "../../storage/parsed-collection.ts";
import type { Store } from "../../storage/store.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import { isResource, specOf } from "./objects.ts";

const tolerationSeconds = 300;

/** Lets Pods stay for some minutes on nodes that aren't ready or can't be reached. */
export class DefaultTolerationSeconds implements AdmissionPlugin {
  readonly name = "DefaultTolerationSeconds";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE"]);

  admit(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (object === undefined || !isResource(attributes, "", "pods")) return;
    const spec = specOf(object);
    const present = (Array.isArray(spec.tolerations) ? spec.tolerations : []).filter(isObject);
    const tolerates = (key: string): boolean =>
      present.some((one) => (one.key === key || !one.key) && (one.effect === "NoExecute" || !one.effect));
    const missing = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].filter((key) => !tolerates(key));
    if (missing.length === 0) return;
    const added = missing.map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds }));
    spec.tolerations = [...present, ...added];
  }
}

interface PriorityClassInfo {
  name: string;
  value: number;
  preemptionPolicy: string | undefined;
  isDefault: boolean;
}

/** Sets the priority of Pods by their PriorityClass, and allows one default class. */
export class Priority implements AdmissionPlugin {
  readonly name = "Priority";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE"]);
  readonly #classes: ParsedCollection<PriorityClassInfo>;

  /** @param store - where the PriorityClasses are */
  constructor(store: Store) {
    this.#classes = new ParsedCollection(store.collection("priorityclasses.scheduling.k8s.io"), (object, name) => ({
      name,
      value: Number(object.value ?? 0),
      preemptionPolicy: typeof object.preemptionPolicy === "string" ? object.preemptionPolicy : undefined,
      isDefault: object.globalDefault === true,
    }));
  }

  admit(attributes: AdmissionAttributes): void {
    const { object, oldObject, operation } = attributes;
    if (object === undefined || !isResource(attributes, "", "pods")) return;
    const spec = specOf(object);
    if (operation === "UPDATE") {
      const old = oldObject === undefined ? {} : specOf(oldObject);
      for (const key of ["priority", "preemptionPolicy"])
        if (spec[key] === undefined && old[key] !== undefined) spec[key] = old[key];
      return;
    }
    const { name, value, preemptionPolicy } = this.#classOf(attributes, spec);
    if (name !== "") spec.priorityClassName = name;
    const suffix = "from the given PriorityClass name";
    if (spec.priority !== undefined && spec.priority !== value) {
      const problem = `the integer value of priority (${String(spec.priority)}) must not be provided in pod spec`;
      throw refused(attributes, `${problem}; priority admission controller computed ${value} ${suffix}`);
    }
    spec.priority = value;
    if (preemptionPolicy === undefined) return;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
      const given = String(spec.preemptionPolicy);
      const problem = `the string value of PreemptionPolicy (${given}) must not be provided in pod spec`;
      throw refused(attributes, `${problem}; priority admission controller computed ${preemptionPolicy} ${suffix}`);
    }
    spec.preemptionPolicy = preemptionPolicy;
  }

  validate(attributes: AdmissionAttributes): void {
    const { object, operation } = attributes;
    if (object === undefined || !isResource(attributes, "scheduling.k8s.io", "priorityclasses")) return;
    if (object.globalDefault !== true) return;
    const present = this.#default();
    if (present === undefined || (operation === "UPDATE" && present.name === object.metadata.name)) return;
    throw refused(attributes, `PriorityClass ${present.name} is already marked as default. Only one default can exist`);
  }

  #default(): PriorityClassInfo | undefined {
    return this.#classes
      .list()
      .filter(({ isDefault }) => isDefault)
      .sort((a, b) => a.value - b.value)[0];
  }

  #classOf(attributes: AdmissionAttributes, spec: JsonObject): PriorityClassInfo {
    const name = typeof spec.priorityClassName === "string" ? spec.priorityClassName : "";
    if (name === "") {
      return this.#default() ?? { name: "", value: 0, preemptionPolicy: "PreemptLowerPriority", isDefault: false };
    }
    const priorityClass = this.#classes.get(name);
    if (priorityClass === undefined) throw refused(attributes, `no PriorityClass with name ${name} was found`);
    return priorityClass;
  }
}

/** Applies the overhead and the scheduling rules of RuntimeClasses to Pods. */
export class RuntimeClass implements AdmissionPlugin {
  readonly name = "RuntimeClass";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE"]);
  readonly #classes: ParsedCollection<ApiObject>;

  /** @param store - where the RuntimeClasses are */
  constructor(store: Store) {
    const collection = store.collection("runtimeclasses.node.k8s.io");
    this.#classes = new ParsedCollection(collection, (object) => object as ApiObject);
  }

  admit(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (object === undefined || !isResource(attributes, "", "pods")) return;
    const spec = specOf(object);
    const runtimeClass = this.#classOf(attributes, spec);
    if (runtimeClass === undefined) return;
    const overhead = overheadOf(runtimeClass);
    if (overhead !== undefined) {
      const given = isObject(spec.overhead) ? spec.overhead : {};
      if (Object.keys(given).length > 0 && !equalJson(given, overhead)) throw mismatch(attributes);
      spec.overhead = { ...overhead };
    }
    if (isObject(runtimeClass.scheduling)) schedule(attributes, spec, runtimeClass.scheduling);
  }

  validate(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (object === undefined || !isResource(attributes, "", "pods")) return;
    const spec = specOf(object);
    const runtimeClass = this.#classOf(attributes, spec);
    const overhead = runtimeClass && overheadOf(runtimeClass);
    if (overhead !== undefined && !equalJson(overhead, spec.overhead)) throw mismatch(attributes);
    if (overhead === undefined && isObject(spec.overhead)) {
      throw refused(attributes, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }

  #classOf(attributes: AdmissionAttributes, spec: JsonObject): ApiObject | undefined {
    const name = spec.runtimeClassName;
    if (typeof name !== "string") return undefined;
    const runtimeClass = this.#classes.get(name);
    // The plugin asks the server for classes that it doesn't know, and its client refuses names that can't be in a path.
    const problems = isPathSegment(name, false);
    if (name === "") throw new StatusError(500, "", "resource name may not be empty");
    if (problems.length > 0) {
      throw new StatusError(500, "", `invalid resource name ${goQuote(name)}: [${problems.join(" ")}]`);
    }
    if (runtimeClass === undefined) throw refused(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
    return runtimeClass;
  }
}

function mismatch(attributes: AdmissionAttributes): Error {
  return refused(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

function overheadOf(runtimeClass: ApiObject): JsonObject | undefined {
  const { overhead } = runtimeClass;
  if (!isObject(overhead)) return undefined;
  return isObject(overhead.podFixed) ? overhead.podFixed : {};
}

function schedule(attributes: AdmissionAttributes, spec: JsonObject, scheduling: JsonObject): void {
  const wanted = isObject(scheduling.nodeSelector) ? scheduling.nodeSelector : {};
  const given = isObject(spec.nodeSelector) ? spec.nodeSelector : {};
  for (const [key, value] of Object.entries(wanted)) {
    if (given[key] === undefined || given[key] === value) continue;
    const runtime = `runtimeClass.scheduling.nodeSelector[${key}] = ${String(value)}`;
    throw refused(attributes, `conflict: ${runtime}; pod.spec.nodeSelector[${key}] = ${String(given[key])}`);
  }
  const selector = { ...given, ...wanted };
  if (Object.keys(selector).length > 0) spec.nodeSelector = selector;
  const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
  const tolerations = mergeTolerations([...list(spec.tolerations), ...list(scheduling.tolerations)]);
  if (tolerations.length > 0) spec.tolerations = tolerations;
}

/** Drops tolerations that another one includes. */
function mergeTolerations(all: readonly JsonObject[]): JsonObject[] {
  const merged: JsonObject[] = [];
  for (const [index, toleration] of all.entries()) {
    const isIncluded = merged.some((other) => includesToleration(other, toleration));
    const later = all
      .slice(index + 1)
      .some((other) => !equalJson(toleration, other) && includesToleration(other, toleration));
    if (!isIncluded && !later) merged.push(toleration);
  }
  return merged;
}

function includesToleration(wide: JsonObject, narrow: JsonObject): boolean {
  if (equalJson(wide, narrow)) return true;
  const exists = wide.operator === "Exists";
  if ((narrow.key ?? "") !== (wide.key ?? "") && (wide.key || !exists)) return false;
  if (wide.effect && narrow.effect !== wide.effect) return false;
  if (wide.effect === "NoExecute" && typeof wide.tolerationSeconds === "number") {
    const seconds = narrow.tolerationSeconds;
    if (typeof seconds !== "number" || seconds > wide.tolerationSeconds) return false;
  }
  return exists || (narrow.operator === "Equal" && (narrow.value ?? "") === (wide.value ?? ""));
}
