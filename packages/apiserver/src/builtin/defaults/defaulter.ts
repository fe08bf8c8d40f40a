import type { ApiObject } from "../../registry/resource.ts";

/** Sets the defaults of an object. */
export type Defaulter = (object: ApiObject) => void;
