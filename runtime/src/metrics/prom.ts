import type * as prom from "prom-client";

/** The module `prom-client`, once it is loaded. */
export type Prom = typeof prom.default;
