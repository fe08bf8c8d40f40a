import type { ApiObject, StrategyContext } from "../../../registry/resource.ts";
import { type FieldError, goQuote } from "../../../request/field-error.ts";
import { invalidValue } from "../../../request/paths.ts";
import { internalError, invalid } from "../../../request/status.ts";
import { isIPv6 } from "../../../validation/ip.ts";
import { fieldsOf, textOf } from "../fields.ts";
import type { ServiceAddresses } from "./service-addresses.ts";
import { addressesOf, headless, isHeadless, nodePorts, portsOf, specOf } from "./service-fields.ts";

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
    } else spec.clusterIPs = [headless];
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
