// Tests an operator that manages its own webhook certificates: its webhooks are called by the Service's name, and it has
// only its own permissions.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Kubectl } from "../../scripts/test-support/kubectl.ts";
import { eventually } from "../lib/eventually.ts";
import type { Operator, OperatorUnderTest } from "./permissions.ts";

const game = (name: string) => `apiVersion: crew.example.com/v1
kind: Game
metadata: { name: ${name}, namespace: default }
spec: {}
`;
const maxWait = 60_000;

/** An operator with all types of webhooks, and self-managed certificates. */
export const selfManaged: OperatorUnderTest = {
  project: "self",
  controllers: 1,
  keepsWebhooks: true,
  prepare(root) {
    const path = join(root, "src/webhook/v1/game-webhook.ts");
    const place = "    // Your code goes here.\n";
    const written = [
      '    obj.spec.foo ??= "by default";\n',
      '    if (obj.metadata?.name === "refused") throw new Error("no");\n',
    ];
    writeFileSync(
      path,
      written.reduce((text, line) => text.replace(place, line), readFileSync(path, "utf8")),
    );
  },
  tests: (operator) => {
    const { kubectl, process, namespace } = operator;

    it("fills its Secret, and writes its CA into each webhook client", async () => {
      const names = await namesOf(operator);
      await eventually(async () => {
        const { data = {} } = await namespaced(kubectl(), namespace, "secret", names.secret);
        expect(Object.keys(data).sort()).toEqual(["ca.crt", "ca.key", "tls.crt", "tls.key"]);
        expect(new Set(await bundles(kubectl(), names))).toEqual(new Set([data["ca.crt"]]));
      }, maxWait);
    });

    it("serves defaulting, validation and conversion under the name of its Service", async () => {
      const port = await eventually(() => {
        const [, port] = /"Serving webhook server"[^\n]*"port":(\d+)/.exec(process().output) ?? [];
        expect(port, process().output).toBeDefined();
        return Number(port);
      }, maxWait);
      await leadHere(operator, port);
      await eventually(() => kubectl().apply(game("sample")), maxWait);
      const place = ["sample", "--namespace", "default", "-o", "json"];
      const stored = JSON.parse(await kubectl().run("get", "games.v1.crew.example.com", ...place));
      expect(stored.spec).toEqual({ foo: "by default" });
      const { code, stderr } = await kubectl().attemptApply(game("refused"));
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/denied the request: no\b/) });
      const converted = JSON.parse(await kubectl().run("get", "games.v2.crew.example.com", ...place));
      expect(converted).toMatchObject({ apiVersion: "crew.example.com/v2", spec: { foo: "by default" } });
      await eventually(() => expect(process().output).toMatch(/"Reconciling".*"name":"sample"/), maxWait);
    });

    it("can read and change only its own Secret, configurations and CRD", async () => {
      const names = await namesOf(operator);
      const may = async (verb: string, resource: string, ...where: string[]) => {
        const as = `--as=system:serviceaccount:${namespace}:${names.account}`;
        return (await kubectl().attempt("auth", "can-i", verb, resource, as, ...where)).stdout.trim() === "yes";
      };
      const secrets = ["--namespace", namespace];
      const objects = [
        ["update", `secrets/${names.secret}`, "secrets/another", secrets],
        ["patch", `mutatingwebhookconfigurations/${names.mutating}`, "mutatingwebhookconfigurations/another", []],
        ["patch", `validatingwebhookconfigurations/${names.validating}`, "validatingwebhookconfigurations/another", []],
        ["patch", `customresourcedefinitions/${names.definition}`, "customresourcedefinitions/another.example.com", []],
      ] as const;
      for (const [verb, own, other, where] of objects) {
        for (const allowed of ["get", verb]) {
          expect([allowed, own, await may(allowed, own, ...where)]).toEqual([allowed, own, true]);
          expect([allowed, other, await may(allowed, other, ...where)]).toEqual([allowed, other, false]);
        }
        for (const refused of ["create", "delete", "list", "watch"]) {
          const [kind = ""] = own.split("/");
          expect([refused, kind, await may(refused, kind, ...where)]).toEqual([refused, kind, false]);
        }
      }
      expect(await may("get", `secrets/${names.secret}`, "--namespace", "default")).toBe(false);
    });
  },
};

/** Names in the deployed configuration, from its Deployment. */
export interface Names {
  readonly account: string;
  readonly secret: string;
  readonly service: string;
  readonly mutating: string;
  readonly validating: string;
  readonly definition: string;
}

export async function namesOf({ kubectl, namespace }: Operator): Promise<Names> {
  const { items } = JSON.parse(await kubectl().run("get", "deployments", "--namespace", namespace, "-o", "json"));
  const [{ spec }] = items;
  const [container] = spec.template.spec.containers;
  const variable = (name: string): string =>
    container.env.find((each: { name: string }) => each.name === name)?.value ?? `no ${name}`;
  return {
    account: spec.template.spec.serviceAccountName,
    secret: variable("WEBHOOK_CERT_SECRET"),
    service: variable("WEBHOOK_SERVICE"),
    mutating: variable("MUTATING_WEBHOOK_CONFIGURATION"),
    validating: variable("VALIDATING_WEBHOOK_CONFIGURATION"),
    definition: "games.crew.example.com",
  };
}

// biome-ignore lint/suspicious/noExplicitAny: any kind of object.
async function namespaced(kubectl: Kubectl, namespace: string, resource: string, name: string): Promise<any> {
  return JSON.parse(await kubectl.run("get", resource, name, "--namespace", namespace, "-o", "json"));
}

/** Returns the webhook clients of the API server: resource, name, and JSON pointer of each. */
async function clients(kubectl: Kubectl, { mutating, validating, definition }: Names) {
  const configurations = [
    ["mutatingwebhookconfiguration", mutating],
    ["validatingwebhookconfiguration", validating],
  ] as const;
  const logins = [];
  for (const [resource, name] of configurations) {
    const { webhooks } = await kubectl.get(resource, name);
    for (const [at, { clientConfig }] of webhooks.entries()) {
      logins.push({ resource, name, pointer: `/webhooks/${at}/clientConfig`, clientConfig });
    }
  }
  const { clientConfig } = (await kubectl.get("crd", definition)).spec.conversion.webhook;
  const pointer = "/spec/conversion/webhook/clientConfig";
  return [...logins, { resource: "crd", name: definition, pointer, clientConfig }];
}

/** Returns the CA bundle of each client. */
export async function bundles(kubectl: Kubectl, names: Names): Promise<(string | undefined)[]> {
  return (await clients(kubectl, names)).map(({ clientConfig }) => clientConfig.caBundle);
}

/**
 * Redirects the operator's webhooks to this machine, because the API server's network has no Services. A Service of type
 * ExternalName points to localhost; the certificate must still be valid for the Service's name.
 */
async function leadHere(operator: Operator, port: number): Promise<void> {
  const [kubectl, names] = [operator.kubectl(), await namesOf(operator)];
  const spec = { type: "ExternalName", externalName: "localhost" };
  const place = ["service", names.service, "--namespace", operator.namespace];
  await kubectl.run("patch", ...place, "--type=merge", "-p", JSON.stringify({ spec }));
  for (const { resource, name, pointer } of await clients(kubectl, names)) {
    const patch = [{ op: "replace", path: `${pointer}/service/port`, value: port }];
    await kubectl.run("patch", resource, name, "--type=json", "-p", JSON.stringify(patch));
  }
}
