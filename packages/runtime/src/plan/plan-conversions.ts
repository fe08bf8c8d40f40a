import type { KubernetesObject } from "../api/index.ts";
import { groupOf } from "../api/kind.ts";
import { convertObject } from "../webhook/conversion/convert.ts";
import type { ConverterRegistry } from "../webhook/conversion/registry.ts";

/** Converts planned objects between the versions of their kind. The webhooks of their definitions can't be called. */
export class PlanConversions {
  /** The converters of the operator, which are set when its manager starts. */
  converters: ConverterRegistry | undefined;
  readonly #notes: Set<string>;

  /** @param notes - receives the objects that only a webhook of the cluster converts */
  constructor(notes: Set<string>) {
    this.#notes = notes;
  }

  /**
   * Converts an object with the converter that the operator has for its kind. Without one, only the version is changed.
   *
   * @param object - the object
   * @param apiVersion - the version to convert it to
   * @param hasWebhook - whether its definition is known to have a conversion webhook
   */
  async convert(object: KubernetesObject, apiVersion: string, hasWebhook: boolean): Promise<KubernetesObject> {
    const { kind, metadata: { namespace, name } = {} } = object;
    const given = object.apiVersion ?? "";
    if (this.converters?.find({ group: groupOf(given), kind: kind ?? "" })) {
      return convertObject(this.converters, object, apiVersion);
    }
    if (hasWebhook) {
      const ref = `${kind} ${[namespace, name].filter(Boolean).join("/")}`;
      this.#notes.add(`not converted: ${ref} from ${given} to ${apiVersion}, because the operator has no converter`);
    }
    return { ...object, apiVersion };
  }
}
