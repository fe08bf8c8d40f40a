import { timestamp, uuid } from "../../../../model/metadata.ts";
import type { ApiObject, StrategyContext } from "../../../../model/resource.ts";

const group = "networking.k8s.io";
const resource = "ipaddresses";
/** The address of the Service `kubernetes`. */
const firstAddress = "10.0.0.1";

/** The labels of the IPAddresses of Services. */
export const addressLabels = {
  "ipaddress.kubernetes.io/ip-family": "IPv4",
  "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
};

/** The fields of the IPAddresses of Services, which the server owns. */
const addressFields = {
  "f:metadata": {
    "f:labels": {
      ".": {},
      "f:ipaddress.kubernetes.io/ip-family": {},
      "f:ipaddress.kubernetes.io/managed-by": {},
    },
  },
  "f:spec": { "f:parentRef": { ".": {}, "f:name": {}, "f:namespace": {}, "f:resource": {} } },
};

/** Reports whether an address belongs to anything. */
export function isTaken(address: string, context: StrategyContext): boolean {
  return context.get(group, resource, "", address) !== undefined;
}

/** Stores an IPAddress for the address of a Service. Only servers on a socket, which have the first one, store them. */
export function storeAddress(address: string, { metadata }: ApiObject, context: StrategyContext): void {
  if (!isTaken(firstAddress, context)) return;
  const { name = "", namespace = "" } = metadata;
  const time = timestamp(context.now);
  const owner = { manager: "kube-apiserver", operation: "Update", apiVersion: `${group}/v1`, time };
  context.put(group, resource, {
    metadata: {
      name: address,
      uid: uuid(context.random),
      creationTimestamp: time,
      labels: { ...addressLabels },
      managedFields: [{ ...owner, fieldsType: "FieldsV1", fieldsV1: addressFields }],
    },
    spec: { parentRef: { resource: "services", namespace, name } },
  });
}

/** Removes the IPAddresses of a Service. */
export function removeAddresses(addresses: readonly string[], context: StrategyContext): void {
  for (const address of addresses) context.remove(group, resource, address);
}
