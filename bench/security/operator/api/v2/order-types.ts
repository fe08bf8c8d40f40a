import type { Int32, Int64, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import { GroupVersion } from "./groupversion-info.ts";

/** Owner is who placed an Order. */
export interface Owner {
  name: string;
}

/** OrderSpec defines the desired state of Order. */
export interface OrderSpec {
  product: string;
  count?: Int32;
  owner?: Owner;
}

/** OrderStatus defines the observed state of Order. */
export interface OrderStatus {
  observedGeneration?: Int64;
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

/** Order is the Schema for the orders API. */
export interface Order extends KubernetesObject {
  spec: OrderSpec;
  status?: OrderStatus;
}

/** OrderList contains a list of Order. */
export type OrderList = KubernetesList<Order>;

export const Order = GroupVersion.kind<Order>("Order");
