import { cloneJson, equalJson, goQuote, isObject, type Json, sortKeys } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "../../model/admission.ts";
import {
  convertTo,
  type GroupVersionKind,
  kindOf,
  type Target,
  type VersionedObjects,
  versionedObjects,
} from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";
import { internalError, StatusError } from "../../model/status.ts";
import { kindOf as kindOfBody } from "../../request/body.ts";
import { RequestTimeout } from "../../request/deadline.ts";
import { isIgnoredByWebhooks } from "../plugin/match.ts";
import type { AdmissionPlugin, Operation, Rounds } from "../plugin/plugin.ts";
import type { Review } from "./review.ts";
import {
  callWebhook,
  type Invocation,
  invocationOf,
  isOverdue,
  type WebhookCalls,
  WebhookFailure,
} from "./webhook-call.ts";
import type { WebhookConfigurations } from "./webhook-configurations.ts";

/** Applies JSON patches. Both functions throw an Error with the message of Go's library. */
export interface JsonPatches {
  /** Parses the text of a patch. */
  decode(text: string): Json[];
  /** Applies a patch to a copy of a document. */
  apply(document: Json, patch: readonly Json[]): Json;
  /** Reports whether an error of `apply` is a failed operation `test`. */
  isFailedTest(error: unknown): boolean;
}

/** Decodes the object of a patched request to a resource or subresource: drops unknown fields and sets defaults. */
export type DecodeObject = (target: Target, subresource: string, value: Json) => ApiObject;

interface Memory {
  /** The webhooks of the first round that want to be called again after a change. */
  eligible: Set<string>;
  /** The webhooks to call in the second round. */
  again: Set<string>;
  /** The object after the first round. */
  output: ApiObject | undefined;
}

/** Calls the mutating webhooks of a request, one after another, and applies their patches. */
export class MutatingWebhooks implements AdmissionPlugin {
  readonly name = "MutatingAdmissionWebhook";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE", "DELETE", "CONNECT"]);
  readonly #configurations: WebhookConfigurations;
  readonly #calls: WebhookCalls;
  readonly #patches: JsonPatches;
  readonly #decode: DecodeObject;

  /**
   * @param configurations - the webhooks
   * @param calls - how they are called
   * @param patches - applies their patches
   * @param decode - decodes patched objects
   */
  constructor(configurations: WebhookConfigurations, calls: WebhookCalls, patches: JsonPatches, decode: DecodeObject) {
    this.#configurations = configurations;
    this.#calls = calls;
    this.#patches = patches;
    this.#decode = decode;
  }

  admit(attributes: AdmissionAttributes, rounds: Rounds): Promise<void> | undefined {
    if (this.#configurations.list().length === 0 || isIgnoredByWebhooks(attributes)) return undefined;
    return this.#admit(attributes, rounds);
  }

  async #admit(attributes: AdmissionAttributes, rounds: Rounds): Promise<void> {
    const memory = rounds.memory<Memory>(this, () => ({ eligible: new Set(), again: new Set(), output: undefined }));
    if (rounds.again && !equalJson(memory.output, attributes.object)) repeatEligible(memory);
    const session = new Session(attributes);
    for (const webhook of this.#configurations.list()) {
      const invocation = await invocationOf(this.#calls, webhook, session.current(), (target) =>
        session.versioned(target),
      );
      if (invocation === undefined || (rounds.again && !memory.again.has(webhook.id))) continue;
      const changed = await this.#call(invocation, session);
      if (changed) {
        repeatEligible(memory);
        rounds.requestAnother();
      }
      if (webhook.reinvoke) memory.eligible.add(webhook.id);
    }
    await session.finish();
    memory.output = cloneJson(attributes.object);
  }

  /** Calls a webhook. Returns true if it changes the object. */
  async #call(invocation: Invocation, session: Session): Promise<boolean> {
    const { webhook, target } = invocation;
    try {
      const objects = await session.versioned(target);
      const review = await callWebhook(this.#calls, invocation, session.current(), objects, true);
      return this.#patch(invocation, review, objects, session);
    } catch (error) {
      if (!(error instanceof WebhookFailure)) throw error;
      if (webhook.ignoreFailures) {
        if (isOverdue(session.current())) throw new RequestTimeout();
        return false;
      }
      throw internalError(error.message);
    }
  }

  #patch({ webhook, target }: Invocation, review: Review, objects: VersionedObjects, session: Session): boolean {
    if (review.patch === "") return false;
    const operations = this.#operations(webhook.name, review.patch);
    if (operations.length === 0) return false;
    const before = objects.object;
    if (before === undefined) {
      const problem = "attempted to modify the object, which is not supported for this operation";
      throw internalError(`admission webhook ${goQuote(webhook.name)} ${problem}`);
    }
    if (review.patchType !== "JSONPatch") {
      throw new WebhookFailure(webhook.name, `unsupported patch type ${goQuote(review.patchType)}`);
    }
    let after: ApiObject;
    try {
      after = this.#decode(target, session.subresource, this.#patches.apply(before, operations));
    } catch (error) {
      throw error instanceof StatusError ? error : internalError((error as Error).message);
    }
    session.replace(after);
    return !equalJson(before, after);
  }

  #operations(webhook: string, text: string): Json[] {
    try {
      return this.#patches.decode(text);
    } catch (error) {
      const reason = `received undecodable patch in webhook response: ${(error as Error).message}`;
      throw new WebhookFailure(webhook, reason);
    }
  }
}

function repeatEligible(memory: Memory): void {
  for (const id of memory.eligible) memory.again.add(id);
  memory.eligible.clear();
}

/** The object of a request on its way from one webhook to the next, each of which may want another version. */
class Session {
  readonly #attributes: AdmissionAttributes;
  #target: Target | undefined;
  #objects: VersionedObjects | undefined;
  #changed = false;

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  get subresource(): string {
    return this.#attributes.subresource;
  }

  /** The request with the present object, for selectors. */
  current(): AdmissionAttributes {
    const { object } = this.#objects ?? this.#attributes;
    return object === this.#attributes.object ? this.#attributes : { ...this.#attributes, object };
  }

  async versioned(target: Target): Promise<VersionedObjects> {
    if (this.#objects === undefined || this.#target === undefined) {
      this.#objects = await versionedObjects(this.#attributes, target);
    } else if (!sameTarget(this.#target, target)) {
      const { object } = this.#objects;
      const { oldObject } = await versionedObjects({ ...this.#attributes, object: undefined }, target);
      this.#objects = {
        object: object && (await convertTo(object, this.#target, target, this.subresource)),
        oldObject,
      };
    }
    this.#target = target;
    return this.#objects;
  }

  replace(object: ApiObject): void {
    this.#objects = { object, oldObject: this.#objects?.oldObject };
    this.#changed = true;
  }

  /** Gives the object back to the request, in its version. */
  async finish(): Promise<void> {
    const object = this.#objects?.object;
    if (!this.#changed || object === undefined || this.#target === undefined) return;
    const converted = this.subresource === "" ? await inVersionOf(this.#target, object) : object;
    this.#attributes.object = await convertTo(converted, this.#target, this.#attributes, this.subresource);
  }
}

/** Converts a custom resource to a version, because patches may have changed its version. */
async function inVersionOf({ type, version }: Target, object: ApiObject): Promise<ApiObject> {
  const { apiVersion = "" } = object;
  const wanted = `${type.group}/${version.version}`;
  if (!type.custom || apiVersion === wanted) return object;
  try {
    if (apiVersion.startsWith(`${type.group}/`)) return await type.convert(cloneJson(object), version.version);
  } catch (error) {
    throw new StatusError(500, "", (error as Error).message);
  }
  const shown = `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${object.kind}`;
  throw new StatusError(500, "", `${shown} is unstructured and is not suitable for converting to ${goQuote(wanted)}`);
}

function sameTarget(a: Target, b: Target): boolean {
  return a.type === b.type && a.version.version === b.version.version;
}

/**
 * Decodes patched objects by the codecs of their resources.
 *
 * @param otherKind - decodes an object of another kind than the request's, which a patch may have made of it; it throws
 *   the error of kube-apiserver if the kind doesn't exist
 * @returns the function for {@link MutatingWebhooks}
 */
export function objectDecoder(
  otherKind: (apiVersion: string, kind: string, value: Json, expected: GroupVersionKind) => ApiObject,
): DecodeObject {
  return (target, subresource, value) => {
    const { type, version } = target;
    const expected = kindOf(target, subresource);
    // Custom resources are maps, whose keys Go writes in order in messages.
    if (type.custom && expected !== undefined) kindOfBody({ ...expected, custom: true }, sortKeys(value));
    if (isObject(value) && !type.custom && expected !== undefined) {
      const { group } = expected;
      const own = group === "" ? expected.version : `${group}/${expected.version}`;
      const apiVersion = String(value.apiVersion ?? own);
      const kind = String(value.kind ?? expected.kind);
      if (apiVersion !== own || kind !== expected.kind) return otherKind(apiVersion, kind, value, expected);
    }
    const codec = version.subresources.get(subresource)?.codec ?? version.codec;
    return (codec.decodeAdmitted?.(value) ?? codec.decode(value)).object;
  };
}
