import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { CompileExpression, ExpressionEnvironment, MatchCondition } from "../../expressions/expressions.ts";
import { ParsedCollection } from "../../storage/parsed-collection.ts";
import type { Store } from "../../storage/store.ts";
import type { ClientConfig } from "../../webhook/client.ts";
import { type Criteria, lazySelector, parseRules, texts } from "../plugin/match.ts";

/** A webhook of a configuration. */
export interface Webhook {
  name: string;
  /** Identifies the webhook among all: names may repeat. */
  id: string;
  criteria: Criteria;
  clientConfig: ClientConfig;
  /** Compiled when a request first needs them. */
  conditions: () => readonly MatchCondition[];
  ignoreFailures: boolean;
  sideEffects: string;
  timeoutSeconds: number;
  reviewVersions: readonly string[];
  reinvoke: boolean;
}

const matchEnvironment: ExpressionEnvironment = {
  params: false,
  authorizer: true,
  patchTypes: false,
  variables: undefined,
};

/**
 * Parses match conditions.
 *
 * @param value - the field of a webhook or policy
 * @param compile - compiles expressions
 * @param environment - what the expressions may refer to
 * @returns a function that compiles them once
 */
export function parseMatchConditions(
  value: Json | undefined,
  compile: CompileExpression,
  environment: ExpressionEnvironment,
): () => readonly MatchCondition[] {
  let compiled: readonly MatchCondition[] | undefined;
  return () => {
    compiled ??= (Array.isArray(value) ? value : []).filter(isObject).map((condition) => {
      const text = String(condition.expression ?? "");
      return { name: String(condition.name ?? ""), text, program: compile(text, environment, ["bool"]) };
    });
    return compiled;
  };
}

/** The webhooks of all configurations of a kind. */
export class WebhookConfigurations {
  readonly #parsed: ParsedCollection<readonly Webhook[]>;

  /**
   * @param store - where the configurations are
   * @param resource - `mutatingwebhookconfigurations` or `validatingwebhookconfigurations`
   * @param compile - compiles match conditions
   */
  constructor(store: Store, resource: string, compile: CompileExpression) {
    const collection = store.collection(`${resource}.admissionregistration.k8s.io`);
    this.#parsed = new ParsedCollection(collection, (object, name) => parseWebhooks(object, name, compile));
  }

  /** Returns the webhooks, in the order of their configurations' names. */
  list(): readonly Webhook[] {
    return this.#parsed.size === 0 ? [] : this.#parsed.list().flat();
  }
}

function parseWebhooks(configuration: JsonObject, name: string, compile: CompileExpression): readonly Webhook[] {
  const list = Array.isArray(configuration.webhooks) ? configuration.webhooks : [];
  return list.filter(isObject).map((webhook, index) => {
    const webhookName = String(webhook.name ?? "");
    return {
      name: webhookName,
      id: `${name}/${webhookName}/${index}`,
      criteria: {
        rules: parseRules(webhook.rules),
        excluded: [],
        equivalent: webhook.matchPolicy === "Equivalent",
        namespaceSelector: lazySelector(webhook.namespaceSelector),
        objectSelector: lazySelector(webhook.objectSelector),
      },
      clientConfig: (isObject(webhook.clientConfig) ? webhook.clientConfig : {}) as ClientConfig,
      conditions: parseMatchConditions(webhook.matchConditions, compile, matchEnvironment),
      ignoreFailures: webhook.failurePolicy === "Ignore",
      sideEffects: String(webhook.sideEffects ?? ""),
      timeoutSeconds: typeof webhook.timeoutSeconds === "number" ? webhook.timeoutSeconds : 10,
      reviewVersions: texts(webhook.admissionReviewVersions),
      reinvoke: webhook.reinvocationPolicy === "IfNeeded",
    };
  });
}
