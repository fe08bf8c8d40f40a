import type { JsonObject } from "../json/json.ts";
import { equalJson } from "../json/values.ts";
import type { ApiObject } from "../registry/resource.ts";
import type { Admission, AdmissionAttributes } from "./admission.ts";
import type { AdmissionPlugin, Rounds } from "./plugin.ts";

/** Describes why the owners of fields can't be read. Undefined if they can. */
export type ManagedFieldsCheck = (managedFields: readonly JsonObject[]) => string | undefined;

class RequestRounds implements Rounds {
  again = false;
  requested = false;
  readonly #memories = new Map<object, unknown>();

  requestAnother(): void {
    this.requested = true;
  }

  memory<T>(plugin: object, create: () => T): T {
    if (!this.#memories.has(plugin)) this.#memories.set(plugin, create());
    return this.#memories.get(plugin) as T;
  }
}

/** Runs the plugins of admission in their order. */
export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #managedFieldsProblem: ManagedFieldsCheck;

  /**
   * @param plugins - all plugins, in their order
   * @param disabled - the names of those that don't run
   * @param managedFieldsProblem - describes why the owners of fields can't be read
   */
  constructor(
    plugins: readonly AdmissionPlugin[],
    disabled: Iterable<string>,
    managedFieldsProblem: ManagedFieldsCheck,
  ) {
    const off = new Set(disabled);
    this.#plugins = plugins.filter((plugin) => !off.has(plugin.name));
    this.#managedFieldsProblem = managedFieldsProblem;
  }

  async mutate(given: AdmissionAttributes): Promise<ApiObject | undefined> {
    // Plugins replace the object of these attributes; those of the caller stay as they are.
    const attributes = { ...given };
    const rounds = new RequestRounds();
    const owners = attributes.object?.metadata.managedFields;
    await this.#admit(attributes, rounds);
    if (rounds.requested) {
      rounds.again = true;
      await this.#admit(attributes, rounds);
    }
    if (attributes.object !== undefined) this.#keepManagedFields(attributes, attributes.object, owners);
    return attributes.object;
  }

  /** Undoes a change of the owners of fields that leaves them in a form that can't be read. */
  #keepManagedFields(attributes: AdmissionAttributes, { metadata }: ApiObject, before: JsonObject[] | undefined): void {
    const after = metadata.managedFields;
    if (after === undefined || after === before || equalJson(after, before)) return;
    const problem = this.#managedFieldsProblem(after);
    if (problem === undefined) return;
    if (before === undefined) delete metadata.managedFields;
    else metadata.managedFields = before;
    attributes.warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
    );
  }

  async #admit(attributes: AdmissionAttributes, rounds: Rounds): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.admit === undefined || !plugin.operations.has(attributes.operation)) continue;
      const pending = plugin.admit(attributes, rounds);
      if (pending !== undefined) await pending;
    }
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.validate === undefined || !plugin.operations.has(attributes.operation)) continue;
      const pending = plugin.validate(attributes);
      if (pending !== undefined) await pending;
    }
  }
}
