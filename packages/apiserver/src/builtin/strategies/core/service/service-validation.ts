import type { JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidPortName,
  isValidPortNumber,
  notSupported,
  required,
  validateLabels,
} from "@kubewright/cel/validation";
import type { ApiObject } from "../../../../model/resource.ts";
import { fieldsOf, invalidFor, isSet, numberOf, optionalOneOf, textOf, textsOf } from "../../fields/fields.ts";
import { rangeErrors } from "../addresses.ts";
import { externalAddressErrors } from "./service-address-rules.ts";
import { headless, isHeadless, isReachableFromOutside, portsOf, specOf } from "./service-fields.ts";
import { oldHints, topologyMode } from "./service-warnings.ts";

const longestSession = 86_400;
const sourceRanges = "service.beta.kubernetes.io/load-balancer-source-ranges";

function portErrors(service: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const ports = portsOf(service);
  const names = new Set<string>();
  const numbers = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const path = `spec.ports[${index}]`;
    const { name = "", protocol = "", targetPort = 0 } = port;
    if (ports.length > 1 && name === "") errors.push(required(`${path}.name`, ""));
    if (name !== "") {
      errors.push(...isDNS1123Label(name).map((problem) => invalidValue(`${path}.name`, name, problem)));
      if (names.has(name)) errors.push(duplicateValue(`${path}.name`, name));
      names.add(name);
    }
    const number = port.port ?? 0;
    errors.push(...isValidPortNumber(number).map((problem) => invalidValue(`${path}.port`, number, problem)));
    if (protocol === "") errors.push(required(`${path}.protocol`, ""));
    else if (!["SCTP", "TCP", "UDP"].includes(protocol)) {
      errors.push(notSupported(`${path}.protocol`, protocol, ["SCTP", "TCP", "UDP"]));
    }
    const problems = typeof targetPort === "number" ? isValidPortNumber(targetPort) : isValidPortName(targetPort);
    errors.push(...problems.map((problem) => invalidValue(`${path}.targetPort`, targetPort, problem)));
    if (typeof port.appProtocol === "string") {
      const value = port.appProtocol;
      errors.push(...isQualifiedName(value).map((problem) => invalidValue(`${path}.appProtocol`, value, problem)));
    }
    if (port.nodePort && specOf(service).type === "ClusterIP") {
      errors.push(forbiddenValue(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    }
    const key = `${protocol}/${number}`;
    if (numbers.has(key)) {
      const shown = { Name: "", Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
      errors.push(duplicateValue(path, shown));
    }
    numbers.add(key);
  }
  return errors;
}

function topologyErrors({ metadata }: ApiObject): FieldError[] {
  const [mode, hints] = [metadata.annotations?.[topologyMode], metadata.annotations?.[oldHints]];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  const detail = `must match annotations[${oldHints}] when both are specified`;
  return [invalidValue(`metadata.annotations[${topologyMode}]`, mode, detail)];
}

function externalNameErrors(service: ApiObject): FieldError[] {
  const { clusterIPs, ipFamilies, ipFamilyPolicy, externalName } = specOf(service);
  const errors: FieldError[] = [];
  const detail = "may not be set for ExternalName services";
  if (((clusterIPs ?? []) as string[]).length > 0) errors.push(forbiddenValue("spec.clusterIPs", detail));
  if (((ipFamilies ?? []) as string[]).length > 0) errors.push(forbiddenValue("spec.ipFamilies", detail));
  if (ipFamilyPolicy !== undefined) errors.push(forbiddenValue("spec.ipFamilyPolicy", detail));
  const name = ((externalName as string | undefined) ?? "").replace(/\.$/, "");
  if (name === "") errors.push(required("spec.externalName", ""));
  else errors.push(...isDNS1123Subdomain(name).map((problem) => invalidValue("spec.externalName", name, problem)));
  return errors;
}

/**
 * Checks a Service.
 *
 * @param service - the Service with its defaults
 * @param old - the Service before an update, whose values stay valid
 * @returns the errors
 */
export function serviceErrors(service: ApiObject, old?: ApiObject): FieldError[] {
  const spec = specOf(service);
  const errors = topologyErrors(service);
  const type = spec.type as string;
  if (portsOf(service).length === 0 && !isHeadless(service) && type !== "ExternalName")
    errors.push(required("spec.ports", ""));
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(service)) {
    errors.push(invalidValue("spec.clusterIPs[0]", headless, `may not be set to 'None' for ${type} services`));
  }
  if (type === "ExternalName") errors.push(...externalNameErrors(service));
  errors.push(...portErrors(service), ...validateLabels(spec.selector, "spec.selector"));
  const affinities = ["ClientIP", "None"];
  if (!affinities.includes(spec.sessionAffinity as string)) {
    errors.push(notSupported("spec.sessionAffinity", spec.sessionAffinity as string, affinities));
  }
  errors.push(...sessionErrors(spec), ...externalAddressErrors(spec, old === undefined ? {} : specOf(old)));
  const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
  if (!types.includes(type)) errors.push(notSupported("spec.type", type, types));
  errors.push(...sourceRangeErrors(service, old), ...loadBalancerClassErrors(spec));
  const policy = spec.externalTrafficPolicy as string | undefined;
  if (policy !== undefined && !isReachableFromOutside(spec)) {
    const detail = "may only be set for externally-accessible services";
    errors.push(invalidValue("spec.externalTrafficPolicy", policy, detail));
  } else if (policy !== undefined && policy !== "Cluster" && policy !== "Local") {
    errors.push(notSupported("spec.externalTrafficPolicy", policy, ["Cluster", "Local"]));
  }
  const check = numberOf(spec.healthCheckNodePort);
  if (check !== 0) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    const problems = type === "LoadBalancer" && policy === "Local" ? isValidPortNumber(check) : [detail];
    errors.push(...invalidFor("spec.healthCheckNodePort", check, problems));
  }
  const internal = spec.internalTrafficPolicy as string | undefined;
  if (internal !== undefined && internal !== "Cluster" && internal !== "Local") {
    errors.push(notSupported("spec.internalTrafficPolicy", internal, ["Cluster", "Local"]));
  }
  const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];
  return [...errors, ...optionalOneOf(spec.trafficDistribution, "spec.trafficDistribution", distributions)];
}

function sessionErrors(spec: JsonObject): FieldError[] {
  const path = "spec.sessionAffinityConfig";
  if (spec.sessionAffinity === "None" && isSet(spec.sessionAffinityConfig)) {
    return [forbiddenValue(path, "must not be set when session affinity is None")];
  }
  if (spec.sessionAffinity !== "ClientIP") return [];
  const seconds = numberOf(fieldsOf(fieldsOf(spec.sessionAffinityConfig).clientIP).timeoutSeconds);
  if (seconds > 0 && seconds <= longestSession) return [];
  const detail = `must be greater than 0 and less than ${longestSession}`;
  return [invalidValue(`${path}.clientIP.timeoutSeconds`, seconds, detail)];
}

function loadBalancerClassErrors(spec: JsonObject): FieldError[] {
  const name = spec.loadBalancerClass;
  const path = "spec.loadBalancerClass";
  if (!isSet(name)) return [];
  if (spec.type !== "LoadBalancer") return [forbiddenValue(path, "may only be used when `type` is 'LoadBalancer'")];
  return invalidFor(path, name, isQualifiedName(textOf(name)));
}

function sourceRangeErrors(service: ApiObject, old?: ApiObject): FieldError[] {
  const spec = specOf(service);
  const ranges = textsOf(spec.loadBalancerSourceRanges);
  const annotation = service.metadata.annotations?.[sourceRanges];
  const errors: FieldError[] = [];
  const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
  const isBalanced = spec.type === "LoadBalancer";
  if (ranges.length > 0) {
    const path = "spec.LoadBalancerSourceRanges";
    const stored = textsOf(specOf(old ?? service).loadBalancerSourceRanges).map((range) => range.trim());
    if (!isBalanced) errors.push(forbiddenValue(path, onlyBalanced));
    for (const [index, range] of ranges.entries()) {
      errors.push(...rangeErrors(range.trim(), `${path}[${index}]`, old === undefined ? [] : stored));
    }
  } else if (annotation !== undefined) {
    const path = `metadata.annotations[${sourceRanges}]`;
    if (!isBalanced) errors.push(forbiddenValue(path, onlyBalanced));
    const isNew = old?.metadata.annotations?.[sourceRanges] !== annotation && annotation.trim() !== "";
    for (const range of isNew ? annotation.split(",") : []) errors.push(...rangeErrors(range.trim(), path));
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined && spec.type !== "LoadBalancer") {
    errors.push(forbiddenValue("spec.allocateLoadBalancerNodePorts", onlyBalanced));
  }
  return errors;
}

/**
 * Checks an update for changes of fields that are fixed as long as a Service has addresses of its own.
 *
 * @param service - the new Service
 * @param old - the Service before the update
 * @returns the errors
 */
export function fixedServiceErrors(service: ApiObject, old: ApiObject): FieldError[] {
  const [spec, before] = [specOf(service), specOf(old)];
  const errors: FieldError[] = [];
  const once = "may not change once set";
  if (before.type !== "ExternalName" && spec.type !== "ExternalName") {
    if (textOf(before.clusterIP) !== "" && spec.clusterIP !== before.clusterIP) {
      errors.push(invalidValue("spec.clusterIPs[0]", spec.clusterIPs ?? null, once));
    }
    const [families, storedFamilies] = [textsOf(spec.ipFamilies), textsOf(before.ipFamilies)];
    if (!isHeadless(service) && !isHeadless(old) && storedFamilies.length > 0 && families[0] !== storedFamilies[0]) {
      const shown = families.length === storedFamilies.length ? spec.ipFamilies : spec.clusterIPs;
      errors.push(invalidValue("spec.ipFamilies[0]", shown ?? null, once));
    }
  }
  const isBalanced = spec.type === "LoadBalancer" && before.type === "LoadBalancer";
  if (isBalanced && (spec.loadBalancerClass ?? null) !== (before.loadBalancerClass ?? null)) {
    errors.push(invalidValue("spec.loadBalancerClass", spec.loadBalancerClass ?? null, once));
  }
  if (isBalanced) errors.push(...loadBalancerClassErrors(spec).filter(({ type }) => type === "FieldValueInvalid"));
  else errors.push(...loadBalancerClassErrors(spec));
  const checked = [spec, before].every(({ externalTrafficPolicy }) => externalTrafficPolicy === "Local") && isBalanced;
  if (checked && numberOf(spec.healthCheckNodePort) !== numberOf(before.healthCheckNodePort)) {
    errors.push(forbiddenValue("spec.healthCheckNodePort", "field is immutable"));
  }
  return errors;
}
