import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { defaulterHandler } from "../webhook/admission/defaulting.ts";
import { requestLogger } from "../webhook/admission/request-logger.ts";
import type { Defaulter, Validator } from "../webhook/admission/types.ts";
import { validatorHandler } from "../webhook/admission/validating.ts";
import type { Converter } from "../webhook/conversion/converter.ts";
import { checkCustomPath, mutatePath, validatePath } from "../webhook/http/paths.ts";
import type { AdmissionOptions } from "../webhook/options/server.ts";
import type { WebhookHost } from "./webhook-host.ts";

/** Builds the webhooks of one kind, whether it is the project's own, a built-in or an external kind. */
export class WebhookBuilder<T extends KubernetesObject> {
  readonly #host: WebhookHost;
  readonly #kind: Kind<T>;
  #defaulter: Defaulter<T> | undefined;
  #validator: Validator<T> | undefined;
  #converter: Converter | undefined;
  #defaulterPath: string | undefined;
  #validatorPath: string | undefined;
  #options: AdmissionOptions = {};

  /**
   * Creates a builder. Use {@link newWebhookManagedBy} instead.
   *
   * @param host - the manager that serves the webhooks
   * @param kind - the kind
   * @throws Error if the kind is `undefined`
   */
  constructor(host: WebhookHost, kind: Kind<T>) {
    if (!kind?.kind) throw new Error("newWebhookManagedBy(…) must be called with a kind");
    this.#host = host;
    this.#kind = kind;
  }

  /**
   * Serves a defaulting webhook at `/mutate-<group>-<version>-<kind>`.
   *
   * @param defaulter - sets the defaults
   * @returns this builder
   */
  withDefaulter(defaulter: Defaulter<T>): this {
    this.#defaulter = defaulter;
    return this;
  }

  /**
   * Serves a validating webhook at `/validate-<group>-<version>-<kind>`.
   *
   * @param validator - validates the objects
   * @returns this builder
   */
  withValidator(validator: Validator<T>): this {
    this.#validator = validator;
    return this;
  }

  /**
   * Serves a conversion webhook at `/convert`, which converts objects of the kind between its versions.
   *
   * @param converter - converts the objects
   * @returns this builder
   */
  withConverter<H extends KubernetesObject, S extends readonly KubernetesObject[]>(converter: Converter<H, S>): this {
    // Each spoke only receives objects of its own kind.
    this.#converter = converter as unknown as Converter;
    return this;
  }

  /**
   * Sets another path for the defaulting webhook.
   *
   * @param path - the path, such as `/my/defaults`
   * @returns this builder
   */
  withDefaulterCustomPath(path: string): this {
    this.#defaulterPath = path;
    return this;
  }

  /**
   * Sets another path for the validating webhook.
   *
   * @param path - the path, such as `/my/validation`
   * @returns this builder
   */
  withValidatorCustomPath(path: string): this {
    this.#validatorPath = path;
    return this;
  }

  /**
   * Sets a function that returns the context of the defaulter and the validator.
   *
   * @param contextFunc - receives the context that the server created for the request
   * @returns this builder
   */
  withContextFunc(contextFunc: NonNullable<AdmissionOptions["contextFunc"]>): this {
    this.#options = { ...this.#options, contextFunc };
    return this;
  }

  /**
   * Sets a function that returns the logger of a request.
   *
   * @param logConstructor - receives the base logger and the request
   * @returns this builder
   */
  withLogConstructor(logConstructor: NonNullable<AdmissionOptions["logConstructor"]>): this {
    this.#options = { ...this.#options, logConstructor };
    return this;
  }

  /**
   * Sets whether a bug in the defaulter or validator, such as a `ReferenceError`, only denies the request (`true`, the
   * default) or stops the manager (`false`).
   *
   * @param recoverPanic - whether to continue
   * @returns this builder
   */
  recoverPanic(recoverPanic: boolean): this {
    this.#options = { ...this.#options, recoverPanic };
    return this;
  }

  /**
   * Registers the webhooks with the manager's server.
   *
   * @throws Error if a path isn't valid, or if the kind already has a converter
   */
  async complete(): Promise<void> {
    const kind = this.#kind;
    const server = this.#host.webhookServer;
    const options = { logConstructor: requestLogger(kind), ...this.#options };
    if (this.#defaulter) {
      const path = this.#defaulterPath === undefined ? mutatePath(kind) : checkCustomPath(this.#defaulterPath);
      server.registerOnce(path, defaulterHandler(kind, this.#defaulter), options);
    }
    if (this.#validator) {
      const path = this.#validatorPath === undefined ? validatePath(kind) : checkCustomPath(this.#validatorPath);
      server.registerOnce(path, validatorHandler(kind, this.#validator), options);
    }
    if (this.#converter) server.registerConverter(kind, this.#converter);
  }
}

/**
 * Starts to build the webhooks of a kind.
 *
 * @param manager - the manager that serves them
 * @param kind - the kind
 * @returns a builder; {@link WebhookBuilder.complete} registers the webhooks
 * @throws Error if the kind is `undefined`
 *
 * @example
 * await newWebhookManagedBy(mgr, Game).withDefaulter(new GameDefaulter()).withValidator(new GameValidator()).complete();
 */
export function newWebhookManagedBy<T extends KubernetesObject>(
  manager: WebhookHost,
  kind: Kind<T>,
): WebhookBuilder<T> {
  return new WebhookBuilder(manager, kind);
}
