import { relative } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { generate } from "../generate.ts";
import { project } from "../test-support/project.ts";
import { requestOf } from "../test-support/request.ts";

/** A kind with markers above it. */
const kind = (markers: string, fields = "") => `// +groupName=example.com
import type { Int32, IntOrString, KubernetesObject, Time } from "@kubewright/runtime/api";

// +kubebuilder:object:root=true
${markers}
export interface Game extends KubernetesObject {
  spec: {
    replicas: Int32;
    port?: IntOrString;
    until?: Time;
    tags?: Record<string, { weight: Int32 }>;
    list?: { name: string }[];
    "a-b"?: string;
    namespace?: string;
    maybe?: string | null;
${fields}
  };
  status?: { phase?: string };
}
`;

async function run(source: string, options = "policy paths=./...") {
  const cwd = project({ "api/v1/game.ts": source });
  const { diagnostics, plan } = await generate(requestOf(cwd, options.split(" ")));
  const files = new Map(plan.writes.map(({ path, after }) => [relative(cwd, path).replaceAll("\\", "/"), after ?? ""]));
  const documents = loadAll(files.get("config/policy/policies.yaml") ?? "") as Record<string, unknown>[];
  const places = diagnostics.map(({ id, line, column, message }) => `${line}:${column} ${id} ${message}`);
  return { diagnostics, places, files, documents, cwd };
}

describe("policy", () => {
  it("each marker becomes a policy and a binding of the same name", async () => {
    const marker =
      "// +kubewright:policy:name=owner,rule=\"request.userInfo.username == object.metadata.labels['owner']\",operations=CREATE;UPDATE;DELETE,message=\"be the owner\",reason=Forbidden,action=Warn,condition=\"!authorizer.group('').resource('pods').check('get').allowed()\"";
    const { documents, files, diagnostics } = await run(kind(marker));
    expect(diagnostics).toEqual([]);
    expect(documents).toEqual([
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingAdmissionPolicy",
        metadata: { name: "owner.games.example.com" },
        spec: {
          failurePolicy: "Fail",
          matchConditions: [
            { name: "condition", expression: "!authorizer.group('').resource('pods').check('get').allowed()" },
          ],
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ["example.com"],
                apiVersions: ["v1"],
                operations: ["CREATE", "UPDATE", "DELETE"],
                resources: ["games"],
              },
            ],
          },
          validations: [
            {
              expression: "request.userInfo.username == object.metadata.labels['owner']",
              message: "be the owner",
              reason: "Forbidden",
            },
          ],
        },
      },
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingAdmissionPolicyBinding",
        metadata: { name: "owner.games.example.com" },
        spec: { policyName: "owner.games.example.com", validationActions: ["Warn"] },
      },
    ]);
    expect(load(files.get("config/policy/kustomization.yaml") ?? "")).toMatchObject({ resources: ["policies.yaml"] });
  });

  it("a marker of the package applies to kinds of others, whose fields aren't checked", async () => {
    const markers = [
      '// +kubewright:policy:name=small,resource=apps/v1/deployments,rule="object.spec.whatever < 10"',
      "// +kubewright:policy:name=named,resource=v1/pods,rule=\"object.metadata.name != 'x'\",messageExpression=\"'no ' + object.metadata.name\"",
    ];
    const { documents, diagnostics } = await run(`${markers.join("\n")}\n\n${kind("")}`);
    expect(diagnostics).toEqual([]);
    expect(documents.map(({ metadata }) => (metadata as unknown as { name: string }).name)).toEqual([
      "named.pods",
      "named.pods",
      "small.deployments.apps",
      "small.deployments.apps",
    ]);
    expect(JSON.stringify(documents)).toContain('"apiGroups":[""],"apiVersions":["v1"]');
  });

  it("without markers, there is a kustomization that kustomize accepts, and no policy", async () => {
    const { files } = await run(kind(""));
    expect([...files.keys()]).toEqual(["config/policy/kustomization.yaml"]);
    expect(load(files.get("config/policy/kustomization.yaml") ?? "")).toMatchObject({
      resources: [],
    });
  });

  it.each([
    "object.spec.replicas < 10",
    "has(object.spec.port) && object.spec.port == 'http'",
    "object.spec.until < '2030'",
    "object.spec.tags.all(t, object.spec.tags[t].weight > 1)",
    "object.spec.list.exists(l, l.name == 'a')",
    "object.spec.namespace == object.metadata.namespace",
    "object.spec.maybe == null",
    "oldObject == null || object.spec == oldObject.spec",
    "namespaceObject.metadata.labels['env'] == 'prod'",
    "request.operation == 'UPDATE' && request.dryRun == false",
    "authorizer.group('apps').resource('deployments').namespace('a').check('create').allowed()",
    "object.metadata.?labels['a'].orValue('') == ''",
    "object.status.phase == 'Ready'",
  ])("the rule %s is valid", async (rule) => {
    const { places, documents } = await run(kind(`// +kubewright:policy:name=a,rule="${rule}"`));
    expect(places).toEqual([]);
    expect(documents).toHaveLength(2);
  });

  const start = '// +kubewright:policy:name=a,rule="'.length + 1;
  it.each([
    ["object.spec.replica > 1", `5:${start + 11} bad-policy-rule the rule uses the unknown field "replica"`],
    ["object.spec.replicas > 'a'", `5:${start + 21} bad-policy-rule the rule has a type error: `],
    ["objec.spec", `5:${start} bad-policy-rule the rule uses the unknown variable "objec"`],
    ["request.user == ''", `5:${start + 7} bad-policy-rule the rule uses the unknown field "user"`],
    ["object.spec.replicas", `5:${start} bad-policy-rule the rule must return a Boolean, but the type`],
    ["1", `5:${start} bad-policy-rule the rule must return a Boolean`],
    ["1 +", `5:${start + 3} bad-policy-rule the rule isn't a valid CEL expression: `],
    ["self.spec.replicas > 1", `5:${start} bad-policy-rule the rule uses the unknown variable "self"`],
    ["object.spec.list.all(l, l.nam == '')", `5:${start + 25} bad-policy-rule the rule uses the unknown field "nam"`],
  ])("the rule %s is a diagnostic at its position", async (rule, expected) => {
    const { places, files } = await run(kind(`// +kubewright:policy:name=a,rule="${rule}"`));
    expect(places).toEqual([expect.stringContaining(expected)]);
    expect(files.size).toBe(0);
  });

  it.each([
    ["name=A,rule=true", "name must have lowercase letters"],
    ["name=a,rule=true,action=Refuse", "action must be Deny, Warn, Audit"],
    ["name=a,rule=true,operations=PATCH", "operations must be CREATE, UPDATE, DELETE"],
    ["name=a,rule=true,operations=*;CREATE", "operations must be * or a list without it"],
    ["name=a,rule=true,reason=No", "reason must be Unauthorized, Forbidden"],
    ['name=a,rule=true,message=" "', "the message must be one line"],
    ['name=a,rule=""', "the rule is empty"],
    ['name=a,rule=true,messageExpression="1"', "the message expression must return a string"],
    ['name=a,rule=true,condition="1"', "the condition must return a Boolean"],
    ["name=a,rule=true,resource=v1/pods", "resource isn't used on a kind"],
  ])("the arguments %s are one diagnostic", async (text, message) => {
    const { diagnostics, files } = await run(kind(`// +kubewright:policy:${text}`));
    expect(diagnostics.map((diagnostic) => diagnostic.message)).toEqual([expect.stringContaining(message)]);
    expect(files.size).toBe(0);
  });

  it("reports a marker on a type that isn't a kind, on a package without a resource, and a name that is used twice", async () => {
    const twice = "// +kubewright:policy:name=a,rule=true\n// +kubewright:policy:name=a,rule=true";
    expect((await run(kind(twice))).places).toEqual([
      expect.stringContaining("6:28 bad-policy the policy a.games.example.com is declared twice"),
    ]);
    const other = `${kind("")}\n// +kubewright:policy:name=a,rule=true\nexport interface Other { a?: string }\n`;
    expect((await run(other)).places).toEqual([expect.stringContaining("is on Other, which isn't a kind")]);
    const bare = `// +kubewright:policy:name=a,rule=true\n\n${kind("")}`;
    expect((await run(bare)).places).toEqual([expect.stringContaining("needs resource=GROUP/VERSION/PLURAL")]);
  });
});
