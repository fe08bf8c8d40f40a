import type { ApiObject } from "../../model/resource.ts";

/** Sets the defaults of an object. */
export type Defaulter = (object: ApiObject) => void;
