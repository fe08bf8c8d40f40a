import type { Converter } from "@kubewright/runtime";
import { spoke as v2 } from "../v2/order-conversion.ts";
import { Order } from "./order-types.ts";

/** v1 is the hub: it is what is stored, and the other versions of Order are converted to it and back. */
export const converter: Converter<Order> = {
  hub: Order,
  spokes: [v2],
};
