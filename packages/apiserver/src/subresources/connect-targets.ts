import { goQuote, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { parseIP } from "@kubewright/cel/validation";
import type { ApiObject } from "../model/resource.ts";
import { badRequest, notFound, StatusError } from "../model/status.ts";
import type { Scope } from "../registry/scope.ts";

const schemes = new Set(["", "http", "https"]);
const nodeAddressTypes = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];

/**
 * Finds the container, Pod, Service or node that a request would be connected to.
 *
 * @param scope - the request
 * @param container - the container that it asks for; empty for the only one
 * @throws StatusError as the real server answers if there is nothing to connect to
 */
export function checkTarget(scope: Scope, container: string): void {
  const { name, subresource } = scope.info;
  if (subresource === "proxy") {
    checkProxyTarget(scope);
    return;
  }
  const pod = read(scope, "pods", name);
  if (subresource !== "portforward") checkContainer(pod, container);
  const node = textOf(pod, "spec", "nodeName");
  if (node === "") throw badRequest(`pod ${name} does not have a host assigned`);
  checkNode(scope, node);
}

/**
 * Finds a container of a Pod.
 *
 * @param pod - the Pod
 * @param container - the name of the container; empty for the only one
 * @throws StatusError (400) if the container doesn't exist
 */
export function checkContainer(pod: ApiObject, container: string): void {
  const { name = "" } = pod.metadata;
  const spec = fieldsOf(pod.spec);
  const containers = objectsOf(spec.containers);
  const all = [...objectsOf(spec.initContainers), ...containers, ...objectsOf(spec.ephemeralContainers)];
  const names = all.map((one) => one.name);
  if (container !== "") {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
  } else if (containers.length !== 1) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(" ")}]`);
  }
}

/**
 * Finds the address of a node.
 *
 * @param scope - the request, whose kind messages name
 * @param name - the node
 * @throws StatusError (404) without the node, (500) if it has no address
 */
export function checkNode(scope: Scope, name: string): void {
  const addresses = objectsOf(fieldsOf(read(scope, "nodes", name).status).addresses);
  if (addresses.some(({ type }) => nodeAddressTypes.includes(String(type)))) return;
  const listed = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
  throw new StatusError(500, "", `no preferred addresses found; known addresses: [${listed}]`);
}

function checkProxyTarget(scope: Scope): void {
  const { type, info } = scope;
  const parts = info.name.split(":");
  const [name = "", port = ""] = parts.length === 3 ? parts.slice(1) : parts;
  const scheme = parts.length === 3 ? (parts[0] ?? "") : "";
  if (parts.length > 3 || name === "" || !schemes.has(scheme)) {
    throw badRequest(`invalid ${type.singular} request ${goQuote(info.name)}`);
  }
  if (type.resource === "nodes") checkNode(scope, name);
  else if (type.resource === "services") checkService(scope, name, port);
  else checkPodAddress(read(scope, "pods", name));
}

function checkPodAddress(pod: ApiObject): void {
  const [first] = objectsOf(fieldsOf(pod.status).podIPs);
  const bytes = parseIP(String(first?.ip ?? ""), true);
  if (bytes === undefined || !isGlobalUnicast(bytes)) throw badRequest("address not allowed");
}

function isGlobalUnicast(bytes: readonly number[]): boolean {
  const [first = 0, second = 0] = bytes;
  if (bytes.every((byte) => byte === 0) || bytes.every((byte) => byte === 255)) return false;
  if (bytes.length === 4) return first !== 127 && first < 224 && !(first === 169 && second === 254);
  const isLoopback = bytes.slice(0, -1).every((byte) => byte === 0) && bytes.at(-1) === 1;
  return !isLoopback && first !== 0xff && !(first === 0xfe && (second & 0xc0) === 0x80);
}

function checkService(scope: Scope, name: string, port: string): void {
  let portName = port;
  if (/^\d+$/.test(port)) {
    const ports = objectsOf(fieldsOf(read(scope, "services", name).spec).ports);
    const servicePort = ports.find((one) => one.port === Number(port));
    if (servicePort === undefined)
      throw unavailable(`no service port ${Number(port)} found for service ${goQuote(name)}`);
    portName = String(servicePort.name ?? "");
  }
  const isReachable = slicesOf(scope, name).some(
    ({ endpoints, ports }) =>
      objectsOf(ports).some((one) => String(one.name ?? "") === portName && typeof one.port === "number") &&
      objectsOf(endpoints).some((endpoint) => isReadyPod(scope, endpoint)),
  );
  if (!isReachable) throw unavailable(`no endpoints available for service ${goQuote(name)}`);
}

/** Reads the slices with the endpoints of a Service. */
function slicesOf(scope: Scope, service: string): JsonObject[] {
  const slices = scope.engine.store.collection("endpointslices.discovery.k8s.io");
  return slices
    .list(`${scope.info.namespace}/`)
    .map(({ text }) => JSON.parse(text) as JsonObject)
    .filter(({ metadata }) => fieldsOf(fieldsOf(metadata).labels)["kubernetes.io/service-name"] === service);
}

/** Reports if an endpoint is a Pod that is ready, with its address; others aren't proxied to. */
function isReadyPod(scope: Scope, { addresses, conditions, targetRef }: JsonObject): boolean {
  const { namespace, name } = fieldsOf(targetRef);
  if (fieldsOf(conditions).ready === false || namespace !== scope.info.namespace) return false;
  const [address] = Array.isArray(addresses) ? addresses : [];
  const pod = scope.context(false).get("", "pods", scope.info.namespace, String(name ?? ""));
  return objectsOf(fieldsOf(pod?.status).podIPs).some((one) => one.ip === address);
}

function unavailable(message: string): StatusError {
  return new StatusError(503, "ServiceUnavailable", message);
}

/** Reads an object. Its absence is reported with the resource of the request, as on the real server. */
function read(scope: Scope, resource: string, name: string): ApiObject {
  const namespace = resource === "nodes" ? "" : scope.info.namespace;
  const object = scope.context(false).get("", resource, namespace, name);
  if (object === undefined) throw notFound(scope.groupResource, name);
  return object;
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textOf(object: ApiObject, part: string, field: string): string {
  const value = fieldsOf(object[part])[field];
  return typeof value === "string" ? value : "";
}
