import { goQuote, isObject, type JsonObject } from "@kubewright/cel/json";
import { notFound } from "../model/status.ts";
import type { Store } from "../storage/store.ts";
import type { WebhookClientOptions } from "./client.ts";

/**
 * Finds services as kube-apiserver does: by their cluster IPs, which a machine reaches only if it is part of the cluster.
 *
 * @param store - where the Services are
 * @returns the function for {@link WebhookClientOptions}
 */
export function serviceResolver(store: Store): WebhookClientOptions["resolveService"] {
  const collection = store.collection("services");
  return (namespace, name, port) => {
    const entry = collection.get(`${namespace}/${name}`);
    if (entry === undefined) throw notFound({ group: "", resource: "service" }, name);
    const { spec } = JSON.parse(entry.text) as { spec?: JsonObject };
    const { type = "ClusterIP", clusterIP, externalName, ports } = isObject(spec) ? spec : {};
    if (type === "ExternalName") return { host: String(externalName ?? ""), port };
    if (type !== "ClusterIP" && type !== "LoadBalancer" && type !== "NodePort") {
      throw new Error(`unsupported service type ${goQuote(String(type))}`);
    }
    if (type === "ClusterIP" && clusterIP === "None") throw new Error('cannot route to service with ClusterIP "None"');
    const hasPort = Array.isArray(ports) && ports.some((one) => isObject(one) && one.port === port);
    if (!hasPort) throw new Error(`no service port ${port} found for service ${goQuote(name)}`);
    return { host: String(clusterIP ?? ""), port };
  };
}
