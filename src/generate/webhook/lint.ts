import { catalogue } from "../../diagnostics/catalogue/index.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Marker } from "../markers/index.ts";
import type { JsonObject } from "./decode.ts";
import { type Finding, toDiagnostic } from "./finding.ts";
import type { Made } from "./made.ts";
import { webhookArguments } from "./marker.ts";
import { FAILURE_POLICIES, OPERATIONS, REINVOCATION_POLICIES, spelled } from "./to-webhook.ts";

type Lint = (webhook: JsonObject, marker: Marker) => Finding | undefined;

/** What the reference writes and the API server refuses, or nobody can have meant: each has an id of its own. */
const lints = {
  "webhook-name": ({ name }) => {
    const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    if (new RegExp(`^${label}(\\.${label}){2,}$`).test(String(name))) return undefined;
    const message = `the API server refuses the webhook name ${JSON.stringify(name)}`;
    return { argument: "name", message, hint: "write a domain name with at least two dots, such as vgame.kb.io" };
  },
  "webhook-failure-policy": ({ failurePolicy }) => {
    if (failurePolicy === undefined || spelled(String(failurePolicy), FAILURE_POLICIES) !== undefined) return undefined;
    const message = `the API server doesn't know the failurePolicy ${JSON.stringify(failurePolicy)}`;
    return { argument: "failurePolicy", message, hint: "write fail or ignore" };
  },
  "webhook-verb": ({ rules }) => {
    const verbs = objectsOf(rules).flatMap((rule) => stringsOf(rule.operations));
    if (verbs.includes("*") && verbs.length > 1) {
      const message = "the API server refuses other verbs beside *";
      return { argument: "verbs", message, hint: "write `verbs=*` alone" };
    }
    const unknown = verbs.find((verb) => !(OPERATIONS as readonly string[]).includes(verb));
    if (unknown === undefined) return undefined;
    const message = `the API server doesn't know the verb ${JSON.stringify(unknown)}`;
    return { argument: "verbs", message, hint: "write create, update, delete, connect or *" };
  },
  "webhook-without-rule": ({ rules }) => {
    const empty = (["operations", "apiGroups", "apiVersions", "resources"] as const).find((key) =>
      objectsOf(rules).some((rule) => rule[key] === undefined),
    );
    if (empty === undefined) return undefined;
    const argument = { operations: "verbs", apiGroups: "groups", apiVersions: "versions", resources: "resources" }[
      empty
    ];
    const hint = argument === "groups" ? 'write `groups=""` for the core group' : "name at least one, or `*` for all";
    return { argument, message: `a rule without ${argument} matches nothing, and is refused`, hint };
  },
  "webhook-reinvocation-policy": (_, marker) => {
    const { reinvocationPolicy, mutating } = webhookArguments(marker);
    if (reinvocationPolicy === "") return undefined;
    if (!mutating) {
      const message = "only mutating webhooks are called again: reinvocationPolicy has no effect here";
      return { argument: "reinvocationPolicy", message, hint: "take it away, or write `mutating=true`" };
    }
    if (spelled(reinvocationPolicy, REINVOCATION_POLICIES) !== undefined) return undefined;
    const message = `${JSON.stringify(reinvocationPolicy)} is no reinvocationPolicy, and has no effect`;
    return { argument: "reinvocationPolicy", message, hint: "write Never or IfNeeded" };
  },
  "webhook-side-effects": ({ sideEffects }) => {
    // Those that it knows and refuses are errors, see check.ts.
    if (["None", "NoneOnDryRun", "Some", "Unknown"].includes(String(sideEffects))) return undefined;
    const message = `the API server doesn't know the sideEffects ${JSON.stringify(sideEffects)}`;
    return { argument: "patch", message, hint: "write None or NoneOnDryRun" };
  },
  "webhook-match-condition": ({ matchConditions }) => {
    const conditions = objectsOf(matchConditions);
    const hint = "give each condition a name of its own and an expression";
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
    const message = "the API server takes either a url or a service, and exactly one of them";
    return { argument: "patch", message, hint: "take the other one away with null" };
  }
  if (url !== undefined && !/^https:\/\//.test(url)) {
    return { argument: "url", message: "the API server calls webhooks by https only", hint: "write `url=https://…`" };
  }
  if (service === undefined) return undefined;
  const { name, namespace, path, port } = service;
  if (name === "" || namespace === "") {
    return { argument: "patch", message: "the service needs a name and a namespace", hint: "leave both in the patch" };
  }
  if (port !== undefined && (port < 1 || port > 65_535)) {
    return {
      argument: "servicePort",
      message: `${port} is no port`,
      hint: "write a number from 1 to 65535, or nothing",
    };
  }
  if (path === undefined || path.startsWith("/")) return undefined;
  return { argument: "path", message: "the API server refuses a path that doesn't begin with /", hint: "write /…" };
}

/** Reports webhooks that the API server will refuse, or that don't do what their markers say. */
export function lintWebhooks(made: readonly Made[]): Diagnostic[] {
  const each = made.flatMap(({ marker, webhook }) =>
    (Object.entries(lints) as [Diagnostic["id"], Lint][]).flatMap(([id, lint]) => {
      const found = lint(webhook, marker);
      return found ? [toDiagnostic(id, catalogue[id].severity, marker, found)] : [];
    }),
  );
  return [...each, ...sameNames(made)];
}

function sameNames(made: readonly Made[]): Diagnostic[] {
  const known = new Set<string>();
  return made.flatMap(({ marker, webhook }) => {
    const key = `${webhookArguments(marker).mutating} ${String(webhook.name)}`;
    const message = `another webhook of this kind has the name ${JSON.stringify(webhook.name)} already`;
    const hint = "give each webhook of a configuration a name of its own, the API server asks for it";
    if (known.has(key)) {
      return [toDiagnostic("webhook-duplicate-name", "error", marker, { argument: "name", message, hint })];
    }
    known.add(key);
    return [];
  });
}

function objectsOf(rules: unknown): readonly JsonObject[] {
  return Array.isArray(rules) ? (rules as JsonObject[]) : [];
}

function stringsOf(values: unknown): readonly string[] {
  return Array.isArray(values) ? (values as string[]) : [];
}
