import { crdMarkers } from "./catalogue/crd.ts";
import { fieldMarkers } from "./catalogue/field.ts";
import { goOnlyMarkers } from "./catalogue/go-only.ts";
import { identityMarkers } from "./catalogue/identity.ts";
import { limitMarkers } from "./catalogue/limits.ts";
import { optionMarkers } from "./catalogue/options.ts";
import { processingMarkers } from "./catalogue/processing.ts";
import { rbacMarkers } from "./catalogue/rbac.ts";
import { ruleMarkers } from "./catalogue/validation-rules.ts";
import { valueMarkers } from "./catalogue/validation-values.ts";
import { webhookMarkers } from "./catalogue/webhook.ts";
import { createRegistry, type Registry } from "./registry.ts";

/** All markers and options. To add a marker, add an entry in one of the files of `catalogue/`. */
export const markerRegistry: Registry = createRegistry([
  ...identityMarkers,
  ...crdMarkers,
  ...limitMarkers,
  ...valueMarkers,
  ...ruleMarkers,
  ...fieldMarkers,
  ...processingMarkers,
  ...rbacMarkers,
  ...webhookMarkers,
  ...goOnlyMarkers,
  ...optionMarkers,
]);
