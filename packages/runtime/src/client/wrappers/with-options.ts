import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import { defaultUserAgent } from "../../transport/user-agent.ts";
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

/** Changes the options of each kind of write. */
interface OptionRules {
  write: (options: WriteOptions) => WriteOptions;
  apply: (options: Partial<ApplyOptions>) => ApplyOptions;
  delete: (options: DeleteOptions) => DeleteOptions;
  /** The field manager that the rules set by default. */
  fieldOwner?: string;
}

/** A {@link SubResourceWriter} with a field owner. */
export interface FieldOwnerSubResourceWriter extends SubResourceWriter {
  /**
   * Applies the status.
   *
   * @param object - the fields to own
   * @param options - `fieldOwner` and other options; the default of `fieldOwner` is the client's
   * @returns the stored object
   */
  apply<T extends KubernetesObject = never>(
    object: ApplyConfiguration<T>,
    options?: Partial<ApplyOptions>,
  ): Promise<Stored<T>>;
  /**
   * Applies the status of an object whose type isn't an {@link ApplyConfiguration}.
   *
   * @param object - the fields to own
   * @param options - `fieldOwner` and other options; the default of `fieldOwner` is the client's
   * @returns the stored object
   */
  apply<T extends KubernetesObject>(object: T, options?: Partial<ApplyOptions>): Promise<Stored<T>>;
}

/** A {@link Client} with a field owner, so that `apply` needs no options. */
export interface FieldOwnerClient extends Client {
  /** Writes the status of objects with the field owner. */
  readonly status: FieldOwnerSubResourceWriter;
  /**
   * Applies an object.
   *
   * @param object - the fields to own
   * @param options - `fieldOwner` and other options; the default of `fieldOwner` is the client's
   * @returns the stored object
   */
  apply<T extends KubernetesObject = never>(
    object: ApplyConfiguration<T>,
    options?: Partial<ApplyOptions>,
  ): Promise<Stored<T>>;
  /**
   * Applies an object whose type isn't an {@link ApplyConfiguration}.
   *
   * @param object - the fields to own
   * @param options - `fieldOwner` and other options; the default of `fieldOwner` is the client's
   * @returns the stored object
   */
  apply<T extends KubernetesObject>(object: T, options?: Partial<ApplyOptions>): Promise<Stored<T>>;
}

/**
 * Creates a client whose writes change nothing: the server validates them and returns the result without storing it.
 * Calls can't turn that off.
 *
 * @param client - the client to wrap
 * @returns the client
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
 * Creates a client that writes with a field owner. The `fieldOwner` of a call takes precedence.
 *
 * @param client - the client to wrap
 * @param fieldOwner - the field owner
 * @returns the client
 *
 * @example
 * await withFieldOwner(client, "game-controller").apply(deployment);
 */
export function withFieldOwner(client: Client, fieldOwner: string): FieldOwnerClient {
  return new OptionsClient(client, {
    write: (options) => ({ ...options, fieldOwner: options.fieldOwner ?? fieldOwner }),
    apply: (options) => ({ ...options, fieldOwner: options.fieldOwner ?? fieldOwner }),
    delete: (options) => options,
    fieldOwner,
  });
}

/**
 * Creates a client that sets how the server treats unknown and duplicate fields. The `fieldValidation` of a call takes
 * precedence. It doesn't change applies, which the server always validates strictly.
 *
 * @param client - the client to wrap
 * @param fieldValidation - `Ignore`, `Warn` or `Strict`
 * @returns the client
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

/**
 * Returns the field manager of writes that set none: that of {@link withFieldOwner}, or the name in the user agent.
 *
 * @param client - the client
 * @returns the field manager
 */
export function defaultFieldManager(client: Client): string {
  for (const wrapper of DelegatingClient.chain(client)) {
    if (wrapper instanceof OptionsClient && wrapper.fieldOwner !== undefined) return wrapper.fieldOwner;
  }
  const [program = ""] = defaultUserAgent().split("/");
  return program;
}

class OptionsClient extends DelegatingClient implements FieldOwnerClient {
  readonly #rules: OptionRules;

  constructor(inner: Client, rules: OptionRules) {
    super(inner);
    this.#rules = rules;
  }

  get fieldOwner(): string | undefined {
    return this.#rules.fieldOwner;
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
