import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  age,
  formatLabels,
  nameOf,
  numberAt,
  objectAt,
  objectsAt,
  shortList,
  textAt,
  textsAt,
  valueAt,
} from "./fields.ts";
import { formatLabelSelector } from "./label-selector.ts";

export function serviceCells(service: JsonObject, now: number): Json[] {
  const spec = objectAt(service, "spec");
  const ports = objectsAt(spec, "ports").map((port) => {
    const nodePort = numberAt(port, "nodePort");
    return `${numberAt(port, "port")}${nodePort > 0 ? `:${nodePort}` : ""}/${textAt(port, "protocol")}`;
  });
  return [
    nameOf(service),
    textAt(spec, "type"),
    textsAt(spec, "clusterIPs")[0] || "<none>",
    externalAddress(service),
    ports.join(",") || "<none>",
    age(service, now),
    formatLabels(objectAt(spec, "selector")),
  ];
}

function externalAddress(service: JsonObject): string {
  const external = textsAt(service, "spec", "externalIPs");
  switch (textAt(service, "spec", "type")) {
    case "ClusterIP":
    case "NodePort":
      return external.length > 0 ? external.join(",") : "<none>";
    case "LoadBalancer": {
      const balancer = balancerAddresses(service);
      if (external.length > 0) return [...(balancer === "" ? [] : [balancer]), ...external].join(",");
      return balancer || "<pending>";
    }
    case "ExternalName":
      return textAt(service, "spec", "externalName");
    default:
      return "<unknown>";
  }
}

function balancerAddresses(object: JsonObject): string {
  const addresses = objectsAt(object, "status", "loadBalancer", "ingress")
    .map((one) => textAt(one, "ip") || textAt(one, "hostname"))
    .filter((address) => address !== "");
  return [...new Set(addresses)].sort().join(",");
}

export function ingressCells(ingress: JsonObject, now: number): Json[] {
  const spec = objectAt(ingress, "spec");
  return [
    nameOf(ingress),
    valueAt(spec, "ingressClassName") ?? "<none>",
    hosts(objectsAt(spec, "rules")),
    balancerAddresses(ingress),
    objectsAt(spec, "tls").length > 0 ? "80, 443" : "80",
    age(ingress, now),
  ];
}

function hosts(rules: readonly JsonObject[]): string {
  const most = 3;
  const list: string[] = [];
  let more = false;
  for (const rule of rules) {
    const host = textAt(rule, "host");
    if (list.length === most) more = true;
    if (!more && host !== "") list.push(host);
  }
  if (list.length === 0) return "*";
  // The real server counts rules without hosts as well.
  return more ? `${list.join(",")} + ${rules.length - most} more...` : list.join(",");
}

export function ingressClassCells(ingressClass: JsonObject, now: number): Json[] {
  const isDefault =
    textAt(ingressClass, "metadata", "annotations", "ingressclass.kubernetes.io/is-default-class") === "true";
  const parameters = objectAt(ingressClass, "spec", "parameters");
  const group = valueAt(parameters, "apiGroup");
  const kind = `${textAt(parameters, "kind")}${group === undefined ? "" : `.${group}`}`;
  return [
    `${nameOf(ingressClass)}${isDefault ? " (default)" : ""}`,
    textAt(ingressClass, "spec", "controller"),
    parameters === undefined ? "<none>" : `${kind}/${textAt(parameters, "name")}`,
    age(ingressClass, now),
  ];
}

export function networkPolicyCells(policy: JsonObject, now: number): Json[] {
  return [nameOf(policy), formatLabelSelector(objectAt(policy, "spec", "podSelector")), age(policy, now)];
}

export function endpointsCells(endpoints: JsonObject, now: number): Json[] {
  const subsets = objectsAt(endpoints, "subsets");
  const addresses = subsets.flatMap((subset) => {
    const ips = objectsAt(subset, "addresses").map((address) => textAt(address, "ip"));
    const ports = objectsAt(subset, "ports");
    if (ports.length === 0) return ips;
    return ports.flatMap((port) => ips.map((ip) => joinHostPort(ip, numberAt(port, "port"))));
  });
  return [nameOf(endpoints), subsets.length === 0 ? "<none>" : shortList(addresses, 3, ""), age(endpoints, now)];
}

function joinHostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

export function endpointSliceCells(slice: JsonObject, now: number): Json[] {
  const ports = objectsAt(slice, "ports").map((port) => String(valueAt(port, "port") ?? valueAt(port, "name") ?? "*"));
  const addresses = objectsAt(slice, "endpoints").flatMap((endpoint) => textsAt(endpoint, "addresses"));
  return [
    nameOf(slice),
    textAt(slice, "addressType"),
    shortList(ports, 3, "<unset>"),
    shortList(addresses, 3, "<unset>"),
    age(slice, now),
  ];
}

export function serviceCidrCells(cidr: JsonObject, now: number): Json[] {
  return [nameOf(cidr), textsAt(cidr, "spec", "cidrs").join(","), age(cidr, now)];
}

export function ipAddressCells(address: JsonObject, now: number): Json[] {
  const parent = objectAt(address, "spec", "parentRef");
  if (parent === undefined) return [nameOf(address), "<none>", age(address, now)];
  const group = textAt(parent, "group");
  const resource = textAt(parent, "resource");
  const parts = [
    (group === "" ? resource : `${resource}.${group}`).toLowerCase(),
    ...(textAt(parent, "namespace") === "" ? [] : [textAt(parent, "namespace")]),
    textAt(parent, "name"),
  ];
  return [nameOf(address), parts.join("/"), age(address, now)];
}
