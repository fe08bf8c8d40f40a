import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../kind.ts";
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  Stored,
  SubResourceClient,
  SubResourceWriter,
  WriteOptions,
} from "../client.ts";
import type { ApplyConfiguration } from "../object-types.ts";
import type { Patch } from "../patch.ts";
import { DelegatingClient } from "./delegate.ts";

/** What becomes of the options of each kind of write. */
interface OptionRules {
  write: (options: WriteOptions) => WriteOptions;
  apply: (options: Partial<ApplyOptions>) => ApplyOptions;
  delete: (options: DeleteOptions) => DeleteOptions;
}

/** {@link SubResourceWriter} that knows its field owner. */
export interface FieldOwnerSubResourceWriter extends SubResourceWriter {
  apply<T extends KubernetesObject = never>(
    object: ApplyConfiguration<T>,
    options?: Partial<ApplyOptions>,
  ): Promise<Stored<T>>;
  apply<T extends KubernetesObject>(object: T, options?: Partial<ApplyOptions>): Promise<Stored<T>>;
}

/** {@link Client} that knows its field owner: apply needs no options. */
export interface FieldOwnerClient extends Client {
  readonly status: FieldOwnerSubResourceWriter;
  apply<T extends KubernetesObject = never>(
    object: ApplyConfiguration<T>,
    options?: Partial<ApplyOptions>,
  ): Promise<Stored<T>>;
  apply<T extends KubernetesObject>(object: T, options?: Partial<ApplyOptions>): Promise<Stored<T>>;
}

/**
 * A client whose writes change nothing: the server checks and answers as if it had stored them. No call can switch that off.
 *
 * @example
 * const wouldBe = await newDryRunClient(client).update(game);
 */
export function newDryRunClient(client: Client): Client {
  return new OptionsClient(client, {
    write: (options) => ({ ...options, dryRun: true }),
    apply: (options) => ({ ...options, dryRun: true }) as ApplyOptions,
    delete: (options) => ({ ...options, dryRun: true }),
  });
}

/**
 * A client that writes as one field owner; a call that names another one wins.
 *
 * @example
 * await withFieldOwner(client, "game-controller").apply(deployment);
 */
export function withFieldOwner(client: Client, fieldOwner: string): FieldOwnerClient {
  return new OptionsClient(client, {
    write: (options) => ({ ...options, fieldOwner: options.fieldOwner ?? fieldOwner }),
    apply: (options) => ({ ...options, fieldOwner: options.fieldOwner ?? fieldOwner }),
    delete: (options) => options,
  });
}

/**
 * A client that says what the server does about unknown and duplicate fields; a call that says otherwise wins. Applies are
 * always checked strictly by the server, and stay as they are.
 */
export function withFieldValidation(
  client: Client,
  fieldValidation: NonNullable<WriteOptions["fieldValidation"]>,
): Client {
  return new OptionsClient(client, {
    write: (options) => ({ ...options, fieldValidation: options.fieldValidation ?? fieldValidation }),
    apply: (options) => options as ApplyOptions,
    delete: (options) => options,
  });
}

class OptionsClient extends DelegatingClient implements FieldOwnerClient {
  readonly #rules: OptionRules;

  constructor(inner: Client, rules: OptionRules) {
    super(inner);
    this.#rules = rules;
  }

  override get status(): FieldOwnerSubResourceWriter {
    const { status } = this.inner;
    const rules = this.#rules;
    return {
      update: (object, options = {}) => status.update(object, rules.write(options)),
      patch: (object, patch, options = {}) => status.patch(object, patch, rules.write(options)),
      apply: (object: KubernetesObject, options: Partial<ApplyOptions> = {}) =>
        status.apply(object, rules.apply(options)) as Promise<Stored<never>>,
    };
  }

  protected override createObject<T extends KubernetesObject>(
    object: T,
    options: WriteOptions = {},
  ): Promise<Stored<T>> {
    return this.inner.create(object, this.#rules.write(options));
  }

  override update<T extends KubernetesObject>(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    return this.inner.update(object, this.#rules.write(options));
  }

  override patch<T extends KubernetesObject>(object: T, patch: Patch, options: WriteOptions = {}): Promise<Stored<T>> {
    return this.inner.patch(object, patch, this.#rules.write(options));
  }

  override apply<T extends KubernetesObject = never>(
    object: ApplyConfiguration<T>,
    options?: Partial<ApplyOptions>,
  ): Promise<Stored<T>>;
  override apply<T extends KubernetesObject>(object: T, options?: Partial<ApplyOptions>): Promise<Stored<T>>;
  override apply<T extends KubernetesObject>(object: T, options: Partial<ApplyOptions> = {}): Promise<Stored<T>> {
    return this.inner.apply(object, this.#rules.apply(options));
  }

  override deleteAllOf<T extends KubernetesObject>(
    kind: Kind<T>,
    options: ListOptions & DeleteOptions = {},
  ): Promise<void> {
    return this.inner.deleteAllOf(kind, { ...options, ...this.#rules.delete(options) });
  }

  override subResource(name: string): SubResourceClient {
    const inner = this.inner.subResource(name);
    const { write, apply } = this.#rules;
    return {
      get: (object) => inner.get(object),
      create: (object, body, options = {}) => inner.create(object, body, write(options)),
      update: (object, body, options = {}) => inner.update(object, body, write(options)),
      patch: (object, patch, options = {}) => inner.patch(object, patch, write(options)),
      apply: (object, body, options) => inner.apply(object, body, apply(options)),
      lines: (object, options) => inner.lines(object, options),
    };
  }

  protected override deleteObject(object: KubernetesObject, options: DeleteOptions = {}): Promise<void> {
    return this.inner.delete(object, this.#rules.delete(options));
  }

  protected override deleteByKey(kind: Kind, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    return this.inner.delete(kind, key, this.#rules.delete(options));
  }
}
