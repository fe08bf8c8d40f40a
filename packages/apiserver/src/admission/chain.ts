import { equalJson, type JsonObject } from "@kubewright/cel/json";
import type { Admission, AdmissionAttributes } from "../model/admission.ts";
import type { ApiObject } from "../model/resource.ts";
import type { AdmissionPlugin, Operation, Rounds } from "./plugin/plugin.ts";

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

type ByOperation = Readonly<Record<Operation, readonly AdmissionPlugin[]>>;

function byOperation(plugins: readonly AdmissionPlugin[]): ByOperation {
  const of = (operation: Operation): AdmissionPlugin[] => plugins.filter(({ operations }) => operations.has(operation));
  return { CREATE: of("CREATE"), UPDATE: of("UPDATE"), DELETE: of("DELETE"), CONNECT: of("CONNECT") };
}

/** Runs the plugins of admission in their order. */
export class AdmissionChain implements Admission {
  /** The plugins of each operation that change and that check requests. */
  readonly #admitting: ByOperation;
  readonly #validating: ByOperation;
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
    const enabled = plugins.filter(({ name }) => !off.has(name));
    this.#admitting = byOperation(enabled.filter(({ admit }) => admit !== undefined));
    this.#validating = byOperation(enabled.filter(({ validate }) => validate !== undefined));
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
    for (const plugin of this.#admitting[attributes.operation]) {
      const pending = plugin.admit?.(attributes, rounds);
      if (pending !== undefined) await pending;
    }
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#validating[attributes.operation]) {
      const pending = plugin.validate?.(attributes);
      if (pending !== undefined) await pending;
    }
  }
}
