import { defineMarkers } from "./definitions/define.ts";
import { optionMarkers } from "./definitions/options.ts";
import { createRegistry, type Registry } from "./registry.ts";

/** The registry of the command-line options, which have the grammar of markers. A run without changes needs no other table. */
export const optionRegistry: Registry = createRegistry(defineMarkers(optionMarkers));
