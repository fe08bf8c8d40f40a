import { goFixed, isObject, type JsonObject } from "@kubewright/cel/json";
import { type Amounts, ofContainers } from "../../builtin/defaults/pod-resources.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import { refused } from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";
import { ParsedCollection } from "../../storage/parsed-collection.ts";
import type { Store } from "../../storage/store.ts";
import { amountToNumber, compareAmounts } from "../../validation/amounts.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import { isResource, specOf } from "./objects.ts";

interface Limit {
  type: string;
  min: Amounts;
  max: Amounts;
  default: Amounts;
  defaultRequest: Amounts;
  maxLimitRequestRatio: Amounts;
}

const annotation = "kubernetes.io/limit-ranger";

/** Sets the resources of containers to the defaults of the LimitRanges of the namespace, and refuses what they forbid. */
export class LimitRanger implements AdmissionPlugin {
  readonly name = "LimitRanger";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE"]);
  readonly #ranges: ParsedCollection<Limit[]>;

  /** @param store - where the LimitRanges are */
  constructor(store: Store) {
    this.#ranges = new ParsedCollection(store.collection("limitranges"), limitsOf);
  }

  admit(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (object === undefined || !isNewPod(attributes)) return;
    for (const limits of this.#ranges.list(`${attributes.namespace}/`)) setDefaults(object, limits);
  }

  validate(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (object === undefined) return;
    const isClaim = isResource(attributes, "", "persistentvolumeclaims");
    if (!isClaim && !isNewPod(attributes)) return;
    for (const limits of this.#ranges.list(`${attributes.namespace}/`)) {
      const problems = [...new Set(isClaim ? claimProblems(object, limits) : podProblems(object, limits))];
      if (problems.length === 0) continue;
      throw refused(attributes, problems.length === 1 ? (problems[0] as string) : `[${problems.join(", ")}]`);
    }
  }
}

/** The containers of stored Pods don't change. */
function isNewPod(attributes: AdmissionAttributes): boolean {
  return attributes.operation === "CREATE" && isResource(attributes, "", "pods");
}

function limitsOf(object: JsonObject): Limit[] {
  const { limits } = isObject(object.spec) ? object.spec : {};
  return (Array.isArray(limits) ? limits.filter(isObject) : []).map((limit) => ({
    type: String(limit.type),
    min: amountsOf(limit.min),
    max: amountsOf(limit.max),
    default: amountsOf(limit.default),
    defaultRequest: amountsOf(limit.defaultRequest),
    maxLimitRequestRatio: amountsOf(limit.maxLimitRequestRatio),
  }));
}

function amountsOf(value: JsonObject[string] | undefined): Amounts {
  return isObject(value) ? (value as Amounts) : {};
}

function containersOf(pod: ApiObject, field: "containers" | "initContainers"): JsonObject[] {
  const containers = specOf(pod)[field];
  return Array.isArray(containers) ? containers.filter(isObject) : [];
}

function resourcesOf({ resources }: JsonObject): { requests: Amounts; limits: Amounts } {
  const { requests, limits } = isObject(resources) ? resources : {};
  return { requests: amountsOf(requests), limits: amountsOf(limits) };
}

function setDefaults(pod: ApiObject, limits: readonly Limit[]): void {
  const own = limits.filter(({ type }) => type === "Container");
  const requests: Amounts = Object.assign({}, ...own.map(({ defaultRequest }) => defaultRequest));
  const maxima: Amounts = Object.assign({}, ...own.map((limit) => limit.default));
  const changes: string[] = [];
  const merge = (container: JsonObject, kind: string): void => {
    const before = resourcesOf(container);
    const missing = (defaults: Amounts, present: Amounts) =>
      Object.keys(defaults)
        .filter((name) => present[name] === undefined)
        .sort();
    const [missingRequests, missingLimits] = [missing(requests, before.requests), missing(maxima, before.limits)];
    const note = (names: readonly string[], what: string): void => {
      if (names.length > 0) changes.push(`${names.join(", ")} ${what} for ${kind} ${String(container.name)}`);
    };
    note(missingRequests, "request");
    note(missingLimits, "limit");
    if (missingRequests.length + missingLimits.length === 0) return;
    const resources: JsonObject = isObject(container.resources) ? { ...container.resources } : {};
    if (missingLimits.length > 0) resources.limits = { ...maxima, ...before.limits };
    if (missingRequests.length > 0) resources.requests = { ...requests, ...before.requests };
    container.resources = resources;
  };
  for (const container of containersOf(pod, "containers")) merge(container, "container");
  for (const container of containersOf(pod, "initContainers")) merge(container, "init container");
  if (changes.length === 0) return;
  const text = `LimitRanger plugin set: ${changes.join("; ")}`;
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: text };
}

function podProblems(pod: ApiObject, limits: readonly Limit[]): string[] {
  const containers = [...containersOf(pod, "containers"), ...containersOf(pod, "initContainers")];
  return limits.flatMap((limit) => {
    const subjects =
      limit.type === "Container"
        ? containers.map(resourcesOf)
        : limit.type === "Pod"
          ? [{ requests: ofContainers(specOf(pod), "requests"), limits: ofContainers(specOf(pod), "limits") }]
          : [];
    return subjects.flatMap((resources) => [
      ...problemsOf(limit, limit.min, resources, minimumProblem),
      ...problemsOf(limit, limit.max, resources, maximumProblem),
      ...problemsOf(limit, limit.maxLimitRequestRatio, resources, ratioProblem),
    ]);
  });
}

function claimProblems(claim: ApiObject, limits: readonly Limit[]): string[] {
  const { requests } = resourcesOf(specOf(claim));
  return limits
    .filter(({ type }) => type === "PersistentVolumeClaim")
    .flatMap((limit) => [
      ...problemsOf(limit, limit.min, { requests, limits: {} }, minimumProblem),
      ...problemsOf(limit, limit.max, { requests, limits: {} }, maximumRequestProblem),
    ]);
}

/** Returns the problem of the amounts of a resource, given the text before it; undefined if there is none. */
type Problem = (bound: string, request: string | undefined, limit: string | undefined) => string | undefined;

function problemsOf(
  { type }: Limit,
  bounds: Amounts,
  { requests, limits }: { requests: Amounts; limits: Amounts },
  problemOf: (what: string) => Problem,
): string[] {
  return Object.keys(bounds)
    .sort()
    .flatMap((name) => {
      const bound = bounds[name] as string;
      return problemOf(`${name} %s per ${type} is ${bound}`)(bound, requests[name], limits[name]) ?? [];
    });
}

/** Thousandths are exact in floating-point numbers, up to a size. */
const milli = -3;
const isLess = (a: string, b: string): boolean => compareAmounts(a, b) < 0;
const shown = (what: string, kind: string): string => what.replace("%s", kind);

function minimumProblem(what: string): Problem {
  const start = `minimum ${shown(what, "usage")}`;
  return (bound, request, limit) => {
    if (request === undefined) return `${start}.  No request is specified`;
    if (isLess(request, bound)) return `${start}, but request is ${request}`;
    return limit !== undefined && isLess(limit, bound) ? `${start}, but limit is ${limit}` : undefined;
  };
}

function maximumProblem(what: string): Problem {
  const start = `maximum ${shown(what, "usage")}`;
  return (bound, request, limit) => {
    if (limit === undefined) return `${start}.  No limit is specified`;
    if (isLess(bound, limit)) return `${start}, but limit is ${limit}`;
    return request !== undefined && isLess(bound, request) ? `${start}, but request is ${request}` : undefined;
  };
}

function maximumRequestProblem(what: string): Problem {
  const start = `maximum ${shown(what, "usage")}`;
  return (bound, request) => {
    if (request === undefined) return `${start}.  No request is specified`;
    return isLess(bound, request) ? `${start}, but request is ${request}` : undefined;
  };
}

function ratioProblem(what: string): Problem {
  const start = shown(what, "max limit to request ratio");
  return (bound, request, limit) => {
    const [requested, limited] = [amountToNumber(request ?? "0", milli), amountToNumber(limit ?? "0", milli)];
    if (requested === 0) return `${start}, but no request is specified or request is 0`;
    if (limited === 0) return `${start}, but no limit is specified or limit is 0`;
    const ratio = limited / requested;
    return ratio * 1000 > amountToNumber(bound, milli)
      ? `${start}, but provided ratio is ${goFixed(ratio, 6)}`
      : undefined;
  };
}
