import type { AdmissionAttributes } from "../../model/admission.ts";
import { type Target, type VersionedObjects, versionedObjects } from "../../model/admission-request.ts";
import type { ResourceType } from "../../model/resource.ts";
import { internalError } from "../../model/status.ts";
import { RequestTimeout } from "../../request/deadline.ts";
import { isIgnoredByWebhooks } from "../plugin/match.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import {
  callWebhook,
  type Invocation,
  invocationOf,
  isOverdue,
  type WebhookCalls,
  WebhookFailure,
} from "./webhook-call.ts";
import type { WebhookConfigurations } from "./webhook-configurations.ts";

/** Calls the validating webhooks of a request, all at the same time. */
export class ValidatingWebhooks implements AdmissionPlugin {
  readonly name = "ValidatingAdmissionWebhook";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE", "DELETE", "CONNECT"]);
  readonly #configurations: WebhookConfigurations;
  readonly #calls: WebhookCalls;

  /**
   * @param configurations - the webhooks
   * @param calls - how they are called
   */
  constructor(configurations: WebhookConfigurations, calls: WebhookCalls) {
    this.#configurations = configurations;
    this.#calls = calls;
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const webhooks = this.#configurations.list();
    if (webhooks.length === 0 || isIgnoredByWebhooks(attributes)) return undefined;
    return this.#validate(attributes);
  }

  async #validate(attributes: AdmissionAttributes): Promise<void> {
    const versioned = versionCache(attributes);
    const invocations: Invocation[] = [];
    for (const webhook of this.#configurations.list()) {
      const invocation = await invocationOf(this.#calls, webhook, attributes, versioned);
      if (invocation === undefined) continue;
      invocations.push(invocation);
      await versioned(invocation.target);
    }
    if (invocations.length > 0 && isOverdue(attributes)) throw new RequestTimeout();
    // The first refusal in time counts, as on the real server; all webhooks are called nevertheless.
    const problems: unknown[] = [];
    const call = async (invocation: Invocation): Promise<void> => {
      try {
        await callWebhook(this.#calls, invocation, attributes, await versioned(invocation.target), false);
      } catch (error) {
        if (error instanceof WebhookFailure && invocation.webhook.ignoreFailures) return;
        problems.push(error instanceof WebhookFailure ? internalError(error.message) : error);
      }
    };
    await Promise.all(invocations.map(call));
    if (problems.length > 0) throw problems[0];
  }
}

/** Converts the objects of a request at most once to each version. */
function versionCache(attributes: AdmissionAttributes): (target: Target) => Promise<VersionedObjects> {
  const byType = new Map<ResourceType, Map<string, Promise<VersionedObjects>>>();
  return ({ type, version }) => {
    let versions = byType.get(type);
    if (versions === undefined) {
      versions = new Map();
      byType.set(type, versions);
    }
    let objects = versions.get(version.version);
    if (objects === undefined) {
      objects = versionedObjects(attributes, { type, version });
      versions.set(version.version, objects);
    }
    return objects;
  };
}
