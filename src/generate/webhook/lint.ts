import { definitions } from "../../diagnostics/definitions/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { FAILURE_POLICIES, OPERATIONS, REINVOCATION_POLICIES, spelled } from "../markers/definitions/webhook.ts";
import type { Marker } from "../markers/index.ts";
import type { JsonObject } from "./decode.ts";
import { choose, type Finding, toDiagnostic } from "./finding.ts";
import type { GeneratedWebhook } from "./generated-webhook.ts";
import { webhookArguments } from "./marker.ts";

type Lint = (webhook: JsonObject, marker: Marker) => Finding | undefined;

/** Returns values as markers conventionally write them. */
const lowercase = (values: readonly string[]): string[] => values.map((value) => value.toLowerCase());

/** Webhooks that controller-gen writes, but that the API server rejects or that can't work, by diagnostic id. */
const lints = {
  "webhook-name": ({ name }) => {
    const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    if (new RegExp(`^${label}(\\.${label}){2,}$`).test(String(name))) return undefined;
    const message = `invalid webhook name ${JSON.stringify(name)}`;
    return { argument: "name", message, hint: "use a domain name with at least two dots, such as vgame.kb.io" };
  },
  "webhook-failure-policy": ({ failurePolicy }) => {
    if (failurePolicy === undefined || spelled(String(failurePolicy), FAILURE_POLICIES) !== undefined) return undefined;
    const message = `unknown failurePolicy ${JSON.stringify(failurePolicy)}`;
    return { argument: "failurePolicy", message, hint: choose(failurePolicy, lowercase(FAILURE_POLICIES)) };
  },
  "webhook-verb": ({ rules }) => {
    const verbs = objectsOf(rules).flatMap((rule) => stringsOf(rule.operations));
    if (verbs.includes("*") && verbs.length > 1) {
      const message = "* can't be combined with other verbs";
      return { argument: "verbs", message, hint: "use `verbs=*` alone" };
    }
    const unknown = verbs.find((verb) => !(OPERATIONS as readonly string[]).includes(verb));
    if (unknown === undefined) return undefined;
    const message = `unknown verb ${JSON.stringify(unknown)}`;
    return { argument: "verbs", message, hint: choose(unknown.toLowerCase(), lowercase(OPERATIONS)) };
  },
  "webhook-without-rule": ({ rules }) => {
    const empty = (["operations", "apiGroups", "apiVersions", "resources"] as const).find((key) =>
      objectsOf(rules).some((rule) => rule[key] === undefined),
    );
    if (empty === undefined) return undefined;
    const argument = { operations: "verbs", apiGroups: "groups", apiVersions: "versions", resources: "resources" }[
      empty
    ];
    const hint = argument === "groups" ? 'use `groups=""` for the core group' : "set at least one, or `*` for all";
    return { argument, message: `a rule without ${argument} matches nothing, and the API server rejects it`, hint };
  },
  "webhook-reinvocation-policy": (_, marker) => {
    const { reinvocationPolicy, mutating } = webhookArguments(marker);
    if (reinvocationPolicy === "") return undefined;
    if (!mutating) {
      const message = "reinvocationPolicy has no effect: only mutating webhooks are reinvoked";
      return { argument: "reinvocationPolicy", message, hint: "remove it, or set `mutating=true`" };
    }
    if (spelled(reinvocationPolicy, REINVOCATION_POLICIES) !== undefined) return undefined;
    const message = `unknown reinvocationPolicy ${JSON.stringify(reinvocationPolicy)}, which has no effect`;
    return { argument: "reinvocationPolicy", message, hint: choose(reinvocationPolicy, REINVOCATION_POLICIES) };
  },
  "webhook-side-effects": ({ sideEffects }) => {
    // check.ts reports missing and unknown values of markers, and the known values that the API server rejects.
    if (sideEffects === undefined || ["None", "NoneOnDryRun", "Some", "Unknown"].includes(String(sideEffects)))
      return undefined;
    const message = `unknown sideEffects ${JSON.stringify(sideEffects)}`;
    return { argument: "patch", message, hint: choose(sideEffects, ["None", "NoneOnDryRun"]) };
  },
  "webhook-match-condition": ({ matchConditions }) => {
    const conditions = objectsOf(matchConditions);
    const hint = "set a unique name and an expression for each condition";
    if (conditions.some(({ name, expression }) => name === "" || expression === "")) {
      return { argument: "patch", message: "a match condition needs a name and an expression", hint };
    }
    const names = conditions.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice === undefined) return undefined;
    return { argument: "patch", message: `two match conditions have the name ${JSON.stringify(twice)}`, hint };
  },
  "webhook-address": ({ clientConfig }) => wrongAddress((clientConfig ?? {}) as ClientConfig),
} satisfies Partial<Record<Diagnostic["id"], Lint>>;

interface ClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly name: string;
    readonly namespace: string;
    readonly path?: string;
    readonly port?: number;
  };
}

function wrongAddress({ url, service }: ClientConfig): Finding | undefined {
  if ((url === undefined) === (service === undefined)) {
    const message = "a webhook needs either a url or a service";
    return { argument: "patch", message, hint: "remove the other one by setting it to null" };
  }
  if (url !== undefined && !/^https:\/\//.test(url)) {
    return { argument: "url", message: "the URL of a webhook must use https", hint: "use `url=https://…`" };
  }
  if (service === undefined) return undefined;
  const { name, namespace, path, port } = service;
  if (name === "" || namespace === "") {
    return { argument: "patch", message: "the service needs a name and a namespace", hint: "keep both in the patch" };
  }
  if (port !== undefined && (port < 1 || port > 65_535)) {
    return {
      argument: "servicePort",
      message: `invalid port ${port}: must be between 1 and 65535`,
      hint: "use a number from 1 to 65535, or omit the port",
    };
  }
  if (path === undefined || path.startsWith("/")) return undefined;
  return { argument: "path", message: "the path must begin with /", hint: "use `path=/…`" };
}

/** Reports webhooks that the API server rejects, or that don't work as their markers are written. */
export function lintWebhooks(made: readonly GeneratedWebhook[]): Diagnostic[] {
  const ofEach = made.flatMap(({ marker, webhook }) =>
    (Object.entries(lints) as [Diagnostic["id"], Lint][]).flatMap(([id, lint]) => {
      const findings = lint(webhook, marker);
      return findings ? [toDiagnostic(id, definitions[id].severity, marker, findings)] : [];
    }),
  );
  return [...ofEach, ...sameNames(made)];
}

function sameNames(made: readonly GeneratedWebhook[]): Diagnostic[] {
  const names = new Set<string>();
  return made.flatMap(({ marker, webhook }) => {
    const key = `${webhookArguments(marker).mutating} ${String(webhook.name)}`;
    const message = `duplicate webhook name ${JSON.stringify(webhook.name)}`;
    const hint = "use a unique name for each webhook of a configuration";
    if (names.has(key)) {
      return [toDiagnostic("webhook-duplicate-name", "error", marker, { argument: "name", message, hint })];
    }
    names.add(key);
    return [];
  });
}

function objectsOf(rules: unknown): readonly JsonObject[] {
  return Array.isArray(rules) ? (rules as JsonObject[]) : [];
}

function stringsOf(values: unknown): readonly string[] {
  return Array.isArray(values) ? (values as string[]) : [];
}
