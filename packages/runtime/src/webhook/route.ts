import type { RequestListener } from "node:http";
import type { AdmissionHandler } from "./admission/types.ts";
import type { ConverterRegistry } from "./conversion/registry.ts";
import type { AdmissionOptions } from "./options/server.ts";

/** The handler of a path. */
export type WebhookRoute =
  | { type: "admission"; handler: AdmissionHandler; options: AdmissionOptions }
  | { type: "conversion"; converters: ConverterRegistry }
  | { type: "listener"; listener: RequestListener };
