import { containerEffects } from "./containers.ts";
import { example, kubebuilderDefault, kubernetesDefault } from "./defaults.ts";
import type { Effect } from "./effect.ts";
import {
  embeddedResource,
  externalDocs,
  generalValidationEffects,
  nullable,
  preserveUnknownFields,
  title,
} from "./general.ts";
import { k8sEnum, k8sRequired } from "./k8s.ts";
import { numericEffects } from "./numeric.ts";
import { atLeastOneOf, atMostOneOf, exactlyOneOf, immutable, xValidation } from "./rules.ts";
import { textualEffects } from "./textual.ts";
import { listMapKey, listType, mapType, structType } from "./topology.ts";

/** Valid on types and fields, and with `items:` in the name also for the items of a list. */
const validations = new Map<string, Effect>([
  ...numericEffects,
  ...textualEffects,
  ...containerEffects,
  ...generalValidationEffects,
  ["XPreserveUnknownFields", preserveUnknownFields],
  ["XEmbeddedResource", embeddedResource],
  ["XValidation", xValidation],
]);

/** The prefix of most markers. */
export const validationPrefix = "kubebuilder:validation:";
/** The prefix of markers for the items of a list. */
export const itemsPrefix = `${validationPrefix}items:`;

/** The effect of each marker on a schema, by the registry's name. */
export const schemaEffects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ...[...validations].map(([name, effect]) => [validationPrefix + name, effect] as const),
  ...[...validations].map(([name, effect]) => [itemsPrefix + name, effect] as const),
  [`${validationPrefix}ExactlyOneOf`, exactlyOneOf],
  [`${validationPrefix}AtMostOneOf`, atMostOneOf],
  [`${validationPrefix}AtLeastOneOf`, atLeastOneOf],
  [`${validationPrefix}EmbeddedResource`, embeddedResource],
  ["kubebuilder:pruning:PreserveUnknownFields", preserveUnknownFields],
  ["kubebuilder:default", kubebuilderDefault],
  ["kubebuilder:example", example],
  ["kubebuilder:title", title],
  ["kubebuilder:externalDocs", externalDocs],
  ["default", kubernetesDefault],
  ["nullable", nullable],
  ["listType", listType],
  ["listMapKey", listMapKey],
  ["mapType", mapType],
  ["structType", structType],
  ["k8s:listType", listType],
  ["k8s:listMapKey", listMapKey],
  ["k8s:maxItems", containerEffects.get("MaxItems") as Effect],
  ["k8s:minimum", numericEffects.get("Minimum") as Effect],
  ["k8s:maximum", numericEffects.get("Maximum") as Effect],
  ["k8s:required", k8sRequired],
  ["k8s:enum", k8sEnum],
  ["k8s:immutable", immutable],
]);
