import { equalJson, goQuote, type JsonObject, orderedBy } from "@kubewright/cel/json";
import { type FieldError, invalidValue, isIPv6 } from "@kubewright/cel/validation";
import type { ApiObject, StrategyContext } from "../../../../model/resource.ts";
import { internalError, invalid } from "../../../../model/status.ts";
import { type GoStruct, structOfKind } from "../../../codec/go-types.ts";
import { fieldsOf, textOf, textsOf } from "../../fields/fields.ts";
import { isTaken, removeAddresses, storeAddress } from "./service-address-objects.ts";
import { clusterAddressErrors } from "./service-address-rules.ts";
import type { ServiceAddresses } from "./service-addresses.ts";
import { addressesOf, headless, isHeadless, specOf } from "./service-fields.ts";
import { assignPorts, PortReservation, type Refuse } from "./service-ports.ts";

/**
 * Assigns addresses and node ports to a Service.
 *
 * @param addresses - the addresses and ports in use
 * @param service - the Service, which is changed
 * @param old - the Service before an update
 * @param context - the request
 * @returns a function that frees what was assigned
 * @throws StatusError if an address or port can't be used
 */
export function allocateService(
  addresses: ServiceAddresses,
  service: ApiObject,
  old: ApiObject | undefined,
  context: StrategyContext,
): () => void {
  const taken: string[] = [];
  const ports = new PortReservation(addresses, context);
  const undo = (): void => {
    addresses.release(taken, []);
    removeAddresses(taken, context);
    ports.undo();
  };
  const refuse: Refuse = (errors) => {
    throw invalid({ group: "", kind: "Service" }, service.metadata.name ?? "", errors);
  };
  try {
    if (specOf(service).type !== "ExternalName") {
      assignFamilies(service, old, refuse);
      // An address can't change later, so that only validation looks at it.
      const isNew = old === undefined || specOf(old).type === "ExternalName";
      if (isNew) taken.push(...assignAddress(addresses, service, context, refuse));
    }
    assignPorts(ports, service, old, refuse);
    service.spec = inOrder(specOf(service));
  } catch (error) {
    undo();
    throw error;
  }
  return undo;
}

/** Returns a specification with its keys in the order of Go's struct, in which clients see them. */
function inOrder(spec: JsonObject): JsonObject {
  const struct = structIn(structOfKind("", "v1", "Service"), "spec");
  const ordered = order(spec, struct);
  const port = structIn(struct, "ports");
  if (Array.isArray(spec.ports)) ordered.ports = spec.ports.map((one) => order(one as JsonObject, port));
  return ordered;
}

function structIn(struct: GoStruct | undefined, name: string): GoStruct | undefined {
  const type = struct?.byName.get(name)?.type;
  const item = type?.form === "list" ? type.item : type;
  return item?.form === "struct" ? item.struct() : undefined;
}

function order(object: JsonObject, struct: GoStruct | undefined): JsonObject {
  return orderedBy(object, struct?.fields.map(({ json }) => json) ?? []);
}

/** Assigns an address. Returns what it has reserved. */
function assignAddress(
  addresses: ServiceAddresses,
  service: ApiObject,
  context: StrategyContext,
  refuse: Refuse,
): readonly string[] {
  const spec = specOf(service);
  const { dryRun, random } = context;
  if (isHeadless(service)) {
    spec.clusterIPs = [headless];
    return [];
  }
  const isFree = (address: string): boolean => !isTaken(address, context);
  const [wanted] = addressesOf(service);
  if (wanted !== undefined) {
    const problem = dryRun ? addresses.rangeProblem(wanted) : addresses.reserveAddress(wanted, isFree);
    if (problem !== undefined) refuse([invalidValue("spec.clusterIPs", addressesOf(service), problem)]);
    spec.clusterIP = wanted;
    if (dryRun) return [];
    storeAddress(wanted, service, context);
    return [wanted];
  }
  const address = dryRun ? addresses.firstAddress : addresses.nextAddress(random, isFree);
  if (address === undefined) {
    const name = goQuote(String(service.metadata.name));
    throw internalError(`failed to allocate a serviceIP for Service ${name}: range is full`);
  }
  spec.clusterIPs = [address];
  spec.clusterIP = address;
  if (dryRun) return [];
  storeAddress(address, service, context);
  return [address];
}

/** Assigns the versions of the Internet Protocol. Services whose endpoints others maintain may have versions that the cluster lacks. */
function assignFamilies(service: ApiObject, old: ApiObject | undefined, refuse: Refuse): void {
  const spec = specOf(service);
  const before = old === undefined ? undefined : specOf(old);
  if (before !== undefined && keepsTwoFamilies(spec, before)) return;
  const isUnmanaged = isHeadless(service) && Object.keys(fieldsOf(spec.selector)).length === 0;
  spec.ipFamilyPolicy ??= before?.ipFamilyPolicy ?? (isUnmanaged ? "RequireDualStack" : "SingleStack");
  const policy = textOf(spec.ipFamilyPolicy);
  const addressErrors = clusterAddressErrors(spec, before);
  if (addressErrors.length > 0) refuse(addressErrors);

  const errors: FieldError[] = before === undefined ? [] : reduceFamilies(spec, before, policy);
  const addresses = textsOf(spec.clusterIPs);
  const families = [...textsOf(spec.ipFamilies)];
  const ofPolicy = (detail: string): FieldError => invalidValue("spec.ipFamilyPolicy", policy, detail);
  if (policy === "SingleStack") {
    const several = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
    if (addresses.length === 2) errors.push(ofPolicy(`${several} cluster IPs are specified`));
    if (families.length === 2) errors.push(ofPolicy(`${several} IP families are specified`));
  }
  for (const [index, address] of addresses.entries()) {
    if (address === headless) break;
    if (index < families.length) continue;
    if (!isIPv6(address)) families.push("IPv4");
    else errors.push(invalidValue(`spec.clusterIPs[${index}]`, addresses, "IPv6 is not configured on this cluster"));
  }
  if (errors.length > 0) refuse(errors);

  if (isUnmanaged) {
    if (families.length === 0) families.push("IPv4");
    if (families.length === 1 && policy !== "SingleStack") families.push(families[0] === "IPv4" ? "IPv6" : "IPv4");
  } else {
    if (policy === "RequireDualStack") errors.push(ofPolicy("this cluster is not configured for dual-stack services"));
    for (const [index, family] of families.entries()) {
      if (family === "IPv4") continue;
      errors.push(invalidValue(`spec.ipFamilies[${index}]`, family, "not configured on this cluster"));
    }
    if (errors.length > 0) refuse(errors);
    if (families.length === 0) families.push("IPv4");
  }
  spec.ipFamilies = families;
}

/** Reports whether an update leaves a Service that prefers two versions as it is. */
function keepsTwoFamilies(spec: JsonObject, before: JsonObject): boolean {
  return (
    spec.ipFamilyPolicy === "PreferDualStack" &&
    before.ipFamilyPolicy === "PreferDualStack" &&
    spec.type === before.type &&
    ["ClusterIP", "NodePort", "LoadBalancer"].includes(textOf(spec.type)) &&
    ["clusterIPs", "ipFamilies"].every((key) => equalJson(textsOf(spec[key]), textsOf(before[key])))
  );
}

/** Removes the second version if the policy is changed to one. Returns errors for versions that were removed otherwise. */
function reduceFamilies(spec: JsonObject, before: JsonObject, policy: string): FieldError[] {
  const errors: FieldError[] = [];
  const what = { clusterIPs: "cluster IP", ipFamilies: "IP family" };
  for (const [key, name] of Object.entries(what)) {
    const [now, then] = [textsOf(spec[key]), textsOf(before[key])];
    if (policy === "SingleStack") {
      if (now.length > 1 && equalJson(now, then)) spec[key] = now.slice(0, 1);
    } else if (now.length > 0 && now.length < then.length) {
      const detail = `must be 'SingleStack' to release the secondary ${name}`;
      errors.push(invalidValue("spec.ipFamilyPolicy", policy, detail));
    }
  }
  return errors;
}
