import type { Marker } from "../markers/index.ts";
import type { JsonObject } from "./decode.ts";

/** A webhook with the marker that declares it. */
export interface GeneratedWebhook {
  readonly marker: Marker;
  readonly webhook: JsonObject;
}
