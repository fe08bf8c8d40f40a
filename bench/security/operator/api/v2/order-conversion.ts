import type { SpokeConverter } from "@kubewright/runtime";
import type { Order as Hub } from "../v1/order-types.ts";
import { Order } from "./order-types.ts";

/** Converts an Order of v2 to v1, which is stored, and back: the item has another name. */
export const spoke: SpokeConverter<Hub, Order> = {
  kind: Order,

  toHub(obj) {
    const { product: item, ...spec } = { ...obj.spec };
    return { ...obj, spec: { ...spec, item } };
  },

  fromHub(hub) {
    const { item: product, ...spec } = { ...hub.spec };
    return { ...hub, spec: { ...spec, product } };
  },
};
