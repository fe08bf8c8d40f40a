import type { Condition } from "../model/conditions.ts";
import type { ResourceType } from "../model/resource.ts";
import { type Engine, objectKey, stateOf } from "../registry/scope.ts";

/** The spec of an APIService that refers to another server. */
export interface RemoteService {
  group: string;
  version: string;
  service: { namespace: string; name: string; port?: number };
}

/** A Service, as far as it matters here. */
interface ServiceSpec {
  type?: string;
  clusterIP?: string;
  externalName?: string;
  ports?: { name?: string; port: number }[];
}

interface Slice {
  metadata: { labels?: Record<string, string> };
  endpoints?: { conditions?: { ready?: boolean } }[];
  ports?: { name?: string }[];
}

/**
 * Finds out whether another server can be reached. This server forwards no requests, so that it never can.
 *
 * @param engine - this server
 * @param remote - the spec of the APIService
 * @returns the condition, without its type and time
 */
export function availability(engine: Engine, remote: RemoteService): Omit<Condition, "type"> {
  const { namespace, name, port = 443 } = remote.service;
  const where = `service/${name} in "${namespace}"`;
  const fails = (reason: string, message: string): Omit<Condition, "type"> => ({ status: "False", reason, message });
  const spec = serviceSpec(engine, namespace, name);
  if (spec === undefined) return fails("ServiceNotFound", `${where} is not present`);
  if (spec.type === "ClusterIP") {
    const servicePort = spec.ports?.find((one) => one.port === port);
    if (servicePort === undefined) return fails("ServicePortError", `${where} is not listening on port ${port}`);
    const slices = slicesOf(engine, namespace, name);
    if (slices.length === 0) return fails("EndpointsNotFound", `cannot find endpointslices for ${where}`);
    const { name: portName = "" } = servicePort;
    const isActive = ({ endpoints = [], ports = [] }: Slice): boolean =>
      endpoints.some(({ conditions }) => conditions?.ready !== false) &&
      ports.some((port) => (port.name ?? "") === portName);
    if (!slices.some(isActive)) {
      return fails("MissingEndpoints", `endpointslices for ${where} have no addresses with port name "${portName}"`);
    }
  }
  const host = spec.type === "ExternalName" ? spec.externalName : spec.clusterIP;
  const url = `https://${host}:${port}/apis/${remote.group}/${remote.version}`;
  const problem = `failing or missing response from ${url}: this server doesn't forward requests to other API servers`;
  return fails("FailedDiscoveryCheck", problem);
}

function serviceSpec(engine: Engine, namespace: string, name: string): ServiceSpec | undefined {
  const type = engine.resource("", "services") as ResourceType;
  const entry = engine.store.collection(type.collection).get(objectKey(type, namespace, name));
  return entry && ((stateOf(type, entry).spec ?? {}) as unknown as ServiceSpec);
}

function slicesOf(engine: Engine, namespace: string, service: string): Slice[] {
  const type = engine.resource("discovery.k8s.io", "endpointslices") as ResourceType;
  return engine.store
    .collection(type.collection)
    .list(`${namespace}/`)
    .map((entry) => stateOf(type, entry) as unknown as Slice)
    .filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === service);
}
