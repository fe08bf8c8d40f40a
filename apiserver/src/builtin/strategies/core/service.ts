import type { Json, JsonObject } from "../../../json/json.ts";
import { cloneJson, equalJson } from "../../../json/values.ts";
import { validateLabels } from "../../../metadata/validate.ts";
import type { ApiObject, Strategy, StrategyContext } from "../../../registry/resource.ts";
import { type FieldError, goQuote } from "../../../request/field-error.ts";
import { duplicateValue, forbiddenValue, invalidValue, notSupported, required } from "../../../request/paths.ts";
import { internalError, invalid } from "../../../request/status.ts";
import { isIPv6 } from "../../../validation/ip.ts";
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidPortName,
  isValidPortNumber,
} from "../../../validation/name-rules.ts";
import { fieldsOf, invalidFor, isSet, numberOf, optionalOneOf, textOf, textsOf } from "../fields.ts";
import { rangeErrors } from "./addresses.ts";
import { loadBalancerErrors, loadBalancerWarnings } from "./load-balancer-status.ts";
import { clusterAddressErrors, externalAddressErrors } from "./service-address-rules.ts";
import { ServiceAddresses } from "./service-addresses.ts";
import { serviceWarnings } from "./service-warnings.ts";

const none = "None";
const longestSession = 86_400;

interface Port extends JsonObject {
  name?: string;
  port?: number;
  protocol?: string;
  nodePort?: number;
  targetPort?: number | string;
}

function specOf(service: ApiObject): JsonObject {
  return (service.spec ?? {}) as JsonObject;
}

function portsOf(service: ApiObject): Port[] {
  return (specOf(service).ports ?? []) as Port[];
}

function addressesOf(service: ApiObject): string[] {
  return ((specOf(service).clusterIPs ?? []) as string[]).filter((address) => address !== none && address !== "");
}

function isHeadless(service: ApiObject): boolean {
  return specOf(service).clusterIP === none;
}

function isExternal(service: ApiObject): boolean {
  const { type, externalIPs } = specOf(service);
  return (
    type === "LoadBalancer" ||
    type === "NodePort" ||
    (type === "ClusterIP" && ((externalIPs ?? []) as string[]).length > 0)
  );
}

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

function validate(service: ApiObject, old?: ApiObject): FieldError[] {
  const spec = specOf(service);
  // The server assigns addresses before it checks anything else.
  const addresses = clusterAddressErrors(spec, old === undefined ? {} : specOf(old));
  if (addresses.length > 0) return addresses;
  const errors: FieldError[] = [];
  const type = spec.type as string;
  if (portsOf(service).length === 0 && !isHeadless(service) && type !== "ExternalName")
    errors.push(required("spec.ports", ""));
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(service)) {
    errors.push(invalidValue("spec.clusterIPs[0]", none, `may not be set to 'None' for ${type} services`));
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
  if (policy !== undefined && !isExternal(service)) {
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

const sourceRanges = "service.beta.kubernetes.io/load-balancer-source-ranges";

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
    const known = textsOf(specOf(old ?? service).loadBalancerSourceRanges).map((range) => range.trim());
    if (!isBalanced) errors.push(forbiddenValue(path, onlyBalanced));
    for (const [index, range] of ranges.entries()) {
      errors.push(...rangeErrors(range.trim(), `${path}[${index}]`, old === undefined ? [] : known));
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

/** Reports whether a Service of this type has node ports by default. */
function hasNodePorts({ type }: JsonObject): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

function isReachableFromOutside(spec: JsonObject): boolean {
  return hasNodePorts(spec) || (spec.type === "ClusterIP" && ((spec.externalIPs ?? []) as string[]).length > 0);
}

/** Drops fields that the new type doesn't have, unless the client changed them too, which validation refuses. */
function dropFieldsOfOldType(service: ApiObject, old: ApiObject): void {
  const spec = specOf(service);
  const before = specOf(old);
  const drop = (...keys: string[]): void => {
    if (keys.every((key) => equalJson((spec[key] ?? null) as Json, (before[key] ?? null) as Json)))
      for (const key of keys) delete spec[key];
  };
  if (before.type !== "ExternalName" && spec.type === "ExternalName") {
    drop("clusterIP", "clusterIPs");
    drop("ipFamilies");
    drop("ipFamilyPolicy");
    drop("internalTrafficPolicy");
  }
  if (hasNodePorts(before) && !hasNodePorts(spec)) {
    const values = (of: ApiObject): Json => portsOf(of).map(({ nodePort = 0 }) => nodePort);
    if (equalJson(values(service), values(old))) for (const port of portsOf(service)) delete port.nodePort;
  }
  if (before.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    drop("allocateLoadBalancerNodePorts");
    drop("loadBalancerClass");
    drop("healthCheckNodePort");
  }
  if (isReachableFromOutside(before) && !isReachableFromOutside(spec)) drop("externalTrafficPolicy");
  if (spec.type !== "LoadBalancer") service.status = { ...(service.status as JsonObject), loadBalancer: {} };
}

/** Takes over what the client left out of an update. */
function keepAllocated(service: ApiObject, old: ApiObject): void {
  const spec = specOf(service);
  const before = specOf(old);
  if (spec.type === "ExternalName") return;
  if (before.type !== "ExternalName") {
    spec.clusterIP ||= before.clusterIP ?? "";
    const kept = spec.clusterIP === before.clusterIP;
    if (((spec.clusterIPs ?? []) as string[]).length === 0) {
      spec.clusterIPs = kept ? cloneJson(before.clusterIPs ?? []) : [spec.clusterIP as string];
    } else if (!kept && equalJson(spec.clusterIPs as Json, before.clusterIPs as Json)) {
      // A client that changes only the first field means both.
      const [, ...others] = spec.clusterIPs as string[];
      spec.clusterIPs = [spec.clusterIP as string, ...others];
    }
    for (const key of ["ipFamilies", "ipFamilyPolicy"])
      if (spec[key] === undefined && before[key] !== undefined) spec[key] = cloneJson(before[key]);
  }
  if (spec.type === "NodePort" || spec.type === "LoadBalancer") {
    const known = new Map(portsOf(old).map((port) => [`${port.protocol}/${port.port}`, port.nodePort]));
    for (const port of portsOf(service))
      if (!port.nodePort) port.nodePort = known.get(`${port.protocol}/${port.port}`) ?? 0;
  }
}

/** Checks what can't change unless a Service gets or had no addresses of its own. */
function fixedErrors(service: ApiObject, old: ApiObject): FieldError[] {
  const [spec, before] = [specOf(service), specOf(old)];
  const errors: FieldError[] = [];
  const once = "may not change once set";
  if (before.type !== "ExternalName" && spec.type !== "ExternalName") {
    if (textOf(before.clusterIP) !== "" && spec.clusterIP !== before.clusterIP) {
      errors.push(invalidValue("spec.clusterIPs[0]", spec.clusterIPs ?? null, once));
    }
    const [families, known] = [textsOf(spec.ipFamilies), textsOf(before.ipFamilies)];
    if (!isHeadless(service) && !isHeadless(old) && known.length > 0 && families[0] !== known[0]) {
      const shown = families.length === known.length ? spec.ipFamilies : spec.clusterIPs;
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

/**
 * Creates the rules of Services.
 *
 * @returns the rules, with addresses of their own
 */
export function serviceStrategy(): Strategy {
  const addresses = new ServiceAddresses();
  return {
    prepareForCreate(service) {
      const spec = specOf(service);
      service.status = { loadBalancer: {} };
      if (spec.clusterIP && !spec.clusterIPs) spec.clusterIPs = [spec.clusterIP];
    },
    prepareForUpdate(service, old, { subresource }) {
      if (subresource === "status") return;
      keepAllocated(service, old);
      dropFieldsOfOldType(service, old);
    },
    validate: (service) => validate(service),
    validateUpdate(service, old, { subresource }) {
      if (subresource === "status") return loadBalancerErrors(service, old);
      const addresses = clusterAddressErrors(specOf(service), specOf(old));
      return addresses.length > 0 ? addresses : [...fixedErrors(service, old), ...validate(service, old)];
    },
    warningsOnCreate: serviceWarnings,
    warningsOnUpdate: (service, _old, { subresource }) =>
      subresource === "status" ? loadBalancerWarnings(service) : serviceWarnings(service),
    allocate: (service, old, context) => allocate(addresses, service, old, context),
    reclaim: (service) => addresses.keep(addressesOf(service), nodePorts(service)),
    release: (service) => addresses.release(addressesOf(service), nodePorts(service)),
    replaced(service, old) {
      const [kept, ports] = [addressesOf(service), nodePorts(service)];
      addresses.release(
        addressesOf(old).filter((address) => !kept.includes(address)),
        nodePorts(old).filter((port) => !ports.includes(port)),
      );
    },
  };
}

function nodePorts(service: ApiObject): number[] {
  return portsOf(service).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
}

/** Assigns the versions of the Internet Protocol. Services whose endpoints others maintain may have versions that the cluster lacks. */
function assignFamilies(
  service: ApiObject,
  refuse: (field: string, value: FieldError["value"], detail: string) => never,
): void {
  const spec = specOf(service);
  const families = [...((spec.ipFamilies ?? []) as string[])];
  const isUnmanaged = isHeadless(service) && Object.keys(fieldsOf(spec.selector)).length === 0;
  const policy = textOf(spec.ipFamilyPolicy) || (isUnmanaged ? "RequireDualStack" : "SingleStack");
  if (families.length > 1 && policy === "SingleStack") {
    const detail = "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified";
    refuse("spec.ipFamilyPolicy", policy, detail);
  }
  if (isUnmanaged) {
    if (families.length === 0) families.push("IPv4");
    if (families.length === 1 && policy !== "SingleStack") families.push(families[0] === "IPv4" ? "IPv6" : "IPv4");
  } else {
    if (policy === "RequireDualStack") {
      refuse("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services");
    }
    const foreign = addressesOf(service).findIndex(isIPv6);
    if (foreign >= 0) {
      refuse(`spec.clusterIPs[${foreign}]`, addressesOf(service), "IPv6 is not configured on this cluster");
    }
    const other = families.indexOf("IPv6");
    if (other >= 0) refuse(`spec.ipFamilies[${other}]`, "IPv6", "not configured on this cluster");
    if (families.length === 0) families.push("IPv4");
  }
  spec.ipFamilies = families;
  spec.ipFamilyPolicy = policy;
}

/** Assigns addresses and node ports. Returns what gives them back. */
function allocate(
  addresses: ServiceAddresses,
  service: ApiObject,
  old: ApiObject | undefined,
  { dryRun }: StrategyContext,
): () => void {
  const spec = specOf(service);
  const taken: { addresses: string[]; ports: number[] } = { addresses: [], ports: [] };
  const undo = (): void => addresses.release(taken.addresses, taken.ports);
  const refuse = (field: string, value: FieldError["value"], detail: string): never => {
    undo();
    throw invalid({ group: "", kind: "Service" }, service.metadata.name ?? "", [invalidValue(field, value, detail)]);
  };
  if (spec.type !== "ExternalName") {
    assignFamilies(service, refuse);
    const known = old === undefined ? [] : addressesOf(old);
    if (!isHeadless(service)) {
      const wanted = addressesOf(service);
      for (const address of wanted.filter((one) => !known.includes(one))) {
        const problem = dryRun ? addresses.rangeProblem(address) : addresses.reserveAddress(address);
        if (problem !== undefined) refuse("spec.clusterIPs", wanted, problem);
        if (!dryRun) taken.addresses.push(address);
      }
      if (wanted.length === 0) {
        const address = dryRun ? addresses.firstAddress : addresses.nextAddress();
        if (address === undefined)
          throw internalError(
            `failed to allocate a serviceIP for Service ${goQuote(String(service.metadata.name))}: range is full`,
          );
        if (!dryRun) taken.addresses.push(address);
        spec.clusterIPs = [address];
      }
      spec.clusterIP = (spec.clusterIPs as string[])[0] as string;
    } else spec.clusterIPs = [none];
  }
  allocatePorts(addresses, service, old, taken, refuse);
  return undo;
}

function allocatePorts(
  addresses: ServiceAddresses,
  service: ApiObject,
  old: ApiObject | undefined,
  taken: { ports: number[] },
  refuse: (field: string, value: number, detail: string) => never,
): void {
  const { type, allocateLoadBalancerNodePorts } = specOf(service);
  if (type !== "NodePort" && !(type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false)) return;
  const known = old === undefined ? [] : nodePorts(old);
  for (const [index, port] of portsOf(service).entries()) {
    if (port.nodePort && known.includes(port.nodePort)) continue;
    if (port.nodePort) {
      const problem = addresses.reservePort(port.nodePort);
      if (problem !== undefined) refuse(`spec.ports[${index}].nodePort`, port.nodePort, problem);
      taken.ports.push(port.nodePort);
    } else {
      const free = addresses.nextPort();
      if (free === undefined) throw internalError("failed to allocate a nodePort: range is full");
      taken.ports.push(free as number);
      port.nodePort = free as number;
    }
  }
}
