import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { argumentPlace, type Marker } from "../markers/index.ts";
import type { JsonObject } from "./decode.ts";
import type { Made } from "./made.ts";
import { webhookArguments } from "./marker.ts";
import { FAILURE_POLICIES, OPERATIONS, REINVOCATION_POLICIES, spelled } from "./to-webhook.ts";

type Lint = (webhook: JsonObject, marker: Marker) => Found | undefined;
interface Found {
  readonly argument: string;
  readonly message: string;
  readonly hint: string;
}

/** What the reference writes and the API server refuses, or nobody can have meant: warnings, each with an id of its own. */
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
    const verbs = rulesOf(rules).flatMap((rule) => stringsOf(rule.operations));
    const unknown = verbs.find((verb) => !(OPERATIONS as readonly string[]).includes(verb));
    if (unknown === undefined) return undefined;
    const message = `the API server doesn't know the verb ${JSON.stringify(unknown)}`;
    return { argument: "verbs", message, hint: "write create, update, delete, connect or *" };
  },
  "webhook-without-rule": ({ rules }) => {
    const empty = (["operations", "apiGroups", "apiVersions", "resources"] as const).find((key) =>
      rulesOf(rules).some((rule) => rule[key] === undefined),
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
  "webhook-address": ({ clientConfig }) => {
    const { url, service } = (clientConfig ?? {}) as { url?: string; service?: { path?: string } };
    if (url !== undefined && !/^https:\/\//.test(url)) {
      const message = "the API server calls webhooks by https only";
      return { argument: "url", message, hint: "write `url=https://…`" };
    }
    if (service?.path === undefined || service.path.startsWith("/")) return undefined;
    return { argument: "path", message: "the API server refuses a path that doesn't begin with /", hint: "write /…" };
  },
} satisfies Partial<Record<Diagnostic["id"], Lint>>;

/** Warns of webhooks that the API server will refuse. */
export function lintWebhooks(made: readonly Made[]): Diagnostic[] {
  const each = made.flatMap(({ marker, webhook }) =>
    (Object.entries(lints) as [Diagnostic["id"], Lint][]).flatMap(([id, lint]) => {
      const found = lint(webhook, marker);
      return found ? [warning(id, marker, found)] : [];
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
    if (known.has(key)) return [warning("webhook-duplicate-name", marker, { argument: "name", message, hint })];
    known.add(key);
    return [];
  });
}

function warning(id: Diagnostic["id"], marker: Marker, { argument, message, hint }: Found): Diagnostic {
  const text = `+${marker.name}: ${message}`;
  return { id, severity: "warning", message: text, ...argumentPlace(marker, argument), hint };
}

function rulesOf(rules: unknown): readonly JsonObject[] {
  return Array.isArray(rules) ? (rules as JsonObject[]) : [];
}

function stringsOf(values: unknown): readonly string[] {
  return Array.isArray(values) ? (values as string[]) : [];
}
