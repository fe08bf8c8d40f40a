import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../kind.ts";
import { defaulterHandler } from "../webhook/admission/defaulting.ts";
import type { CustomDefaulter, CustomValidator } from "../webhook/admission/types.ts";
import { validatorHandler } from "../webhook/admission/validating.ts";
import type { Converter } from "../webhook/conversion/converter.ts";
import type { AdmissionOptions } from "../webhook/options.ts";
import { checkCustomPath, mutatePath, validatePath } from "../webhook/paths.ts";
import { requestLogger } from "../webhook/request-logger.ts";
import type { WebhookHost } from "./webhook-host.ts";

/** Puts the webhooks of one kind together: its own, one of Kubernetes or of anybody else. */
export class WebhookBuilder<T extends KubernetesObject> {
  readonly #host: WebhookHost;
  readonly #kind: Kind<T>;
  #defaulter: CustomDefaulter<T> | undefined;
  #validator: CustomValidator<T> | undefined;
  #converter: Converter | undefined;
  #defaulterPath: string | undefined;
  #validatorPath: string | undefined;
  #options: AdmissionOptions = {};

  constructor(host: WebhookHost, kind: Kind<T>) {
    if (!kind?.kind) throw new Error("newWebhookManagedBy(…) must be called with a kind");
    this.#host = host;
    this.#kind = kind;
  }

  /** Serves a defaulting webhook, at `/mutate-<group>-<version>-<kind>`. */
  withDefaulter(defaulter: CustomDefaulter<T>): this {
    this.#defaulter = defaulter;
    return this;
  }

  /** Serves a validating webhook, at `/validate-<group>-<version>-<kind>`. */
  withValidator(validator: CustomValidator<T>): this {
    this.#validator = validator;
    return this;
  }

  /** Converts objects of the kind between its versions, at `/convert`. */
  withConverter<H extends KubernetesObject, S extends readonly KubernetesObject[]>(converter: Converter<H, S>): this {
    // Each spoke only ever sees objects of its own kind.
    this.#converter = converter as unknown as Converter;
    return this;
  }

  /** Another path for the defaulter, such as `/my/defaults`. */
  withDefaulterCustomPath(path: string): this {
    this.#defaulterPath = path;
    return this;
  }

  /** Another path for the validator. */
  withValidatorCustomPath(path: string): this {
    this.#validatorPath = path;
    return this;
  }

  /** What defaulter and validator get as context: the one made for the request, or more. */
  withContextFunc(contextFunc: NonNullable<AdmissionOptions["contextFunc"]>): this {
    this.#options = { ...this.#options, contextFunc };
    return this;
  }

  /** The logger of a request. */
  withLogConstructor(logConstructor: NonNullable<AdmissionOptions["logConstructor"]>): this {
    this.#options = { ...this.#options, logConstructor };
    return this;
  }

  /** With `false` a bug in a defaulter or validator ends the manager, instead of denying the request. */
  recoverPanic(recoverPanic: boolean): this {
    this.#options = { ...this.#options, recoverPanic };
    return this;
  }

  /** Registers the webhooks with the manager's server. Rejects for a path that can't be one and for a second converter of the kind. */
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
 * Begins the webhooks of a kind.
 *
 * @example
 * await newWebhookManagedBy(mgr, Game).withDefaulter(new GameCustomDefaulter()).withValidator(new GameCustomValidator()).complete();
 */
export function newWebhookManagedBy<T extends KubernetesObject>(
  manager: WebhookHost,
  kind: Kind<T>,
): WebhookBuilder<T> {
  return new WebhookBuilder(manager, kind);
}
