import { describe, expect, it, test } from "vitest";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { webhookCases, webhooks } from "../test-support/webhooks.ts";

describe("the webhook configurations equal those of controller-gen", () => {
  test.each(webhookCases)("$name", ({ packages, yaml, refused }) => {
    const made = webhooks(packages);
    if (refused) expect(made.errors).not.toEqual([]);
    else expect(made).toMatchObject({ yaml, errors: [] });
  });
});

const base: Readonly<Record<string, string>> = {
  path: "/mutate-game",
  mutating: "true",
  failurePolicy: "fail",
  sideEffects: "None",
  groups: "example.com",
  resources: "games",
  verbs: "create;update",
  versions: "v1",
  name: "mgame.kb.io",
  admissionReviewVersions: "v1",
};

/** Returns the marker above with some arguments changed, or removed (`""`). */
function marker(changes: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries({ ...base, ...changes }).filter(([, value]) => value !== "");
  return `+kubebuilder:webhook:${all.map(([name, value]) => `${name}=${value}`).join(",")}`;
}

/** Returns the text from the position of a diagnostic to the end of the argument. */
function marked(text: string, { column }: Diagnostic): string {
  return text.slice(column - 4).replace(/,.*$/, "");
}

describe("the error of an invalid webhook marker", () => {
  it.each<readonly [changes: Readonly<Record<string, string>>, place: string, message: string]>([
    [{ path: "" }, "+kubebuilder:webhook:mutating=true", "either `path` or `url` must be given"],
    [{ url: '"https://x.y"' }, '"https://x.y"', "exclude each other"],
    [{ matchPolicy: "some" }, "some", 'unknown matchPolicy "some"'],
    [{ webhookVersions: "v1beta1" }, "v1beta1", 'unknown webhook configuration version "v1beta1"'],
    [{ sideEffects: "Some" }, "Some", 'rejects the sideEffects "Some"'],
    [{ sideEffects: "no" }, "no", 'unknown sideEffects "no"'],
    [{ sideEffects: "" }, "+kubebuilder:webhook:path=/mutate-game", "`sideEffects` is missing"],
    [{ timeoutSeconds: "31" }, "31", "invalid timeoutSeconds 31: must be between 1 and 30"],
    [{ admissionReviewVersions: "{}" }, "{}", "`admissionReviewVersions` is empty"],
    [{ patch: '`{"rule":[]}`' }, '`{"rule":[]}`', 'unknown field "rule": did you mean "rules"?'],
    [{ patch: '`{"timeoutSeconds":"5"}`' }, '`{"timeoutSeconds":"5"}`', "timeoutSeconds: expected a 32-bit integer"],
  ])("has the position of the argument: %j", (changes, place, message) => {
    const text = marker(changes);
    const { errors, yaml } = webhooks({ v1: [text] });
    expect(errors).toMatchObject([{ id: "invalid-webhook", message: expect.stringContaining(message), line: 1 }]);
    expect(marked(text, errors[0]!)).toBe(place);
    expect(yaml).toBe("");
  });

  it.each([{ sideEffects: "Non" }, { sideEffects: "" }])(
    "is reported once for an invalid sideEffects: %j",
    (changes) => {
      const { errors, findings } = webhooks({ v1: [marker(changes)] });
      expect(errors).toHaveLength(1);
      expect(findings).toEqual([]);
    },
  );

  it.each<readonly [Readonly<Record<string, string>>, string]>([
    [{ sideEffects: "Non" }, "None"],
    [{ matchPolicy: "Exat" }, "Exact"],
    [{ failurePolicy: "fial" }, "fail"],
    [{ verbs: "create;updat" }, "update"],
    [{ reinvocationPolicy: "IfNeded" }, "IfNeeded"],
  ])("has a hint with the most similar value: %j", (changes, near) => {
    const { errors, findings } = webhooks({ v1: [marker(changes)] });
    expect([...errors, ...findings].map(({ hint }) => hint)).toEqual([`did you mean \`${near}\`?`]);
  });

  it("is reported for each problem of a run", () => {
    const { errors } = webhooks({ v1: [marker({ path: "", matchPolicy: "x" }), marker({ timeoutSeconds: "99" })] });
    expect(errors.map(({ line }) => line)).toEqual([1, 1, 2]);
  });

  it("has a hint with the other name of the package's configuration", () => {
    const name = (text: string) => `+kubebuilder:webhookconfiguration:mutating=false,name=${text}`;
    const { errors } = webhooks({ v1: [name("foo"), name("bar"), marker()] });
    expect(errors).toMatchObject([{ line: 2, hint: expect.stringContaining('the other name is "foo"') }]);
    expect(marked(name("bar"), errors[0]!)).toBe("bar");
  });
});

describe("the diagnostic about a webhook that the API server would reject, or that has no effect", () => {
  it.each<readonly [id: string, changes: Readonly<Record<string, string>>, place: string]>([
    ["webhook-name", { name: "mgame" }, "mgame"],
    ["webhook-name", { name: "MGame.kb.io" }, "MGame.kb.io"],
    ["webhook-failure-policy", { failurePolicy: "warn" }, "warn"],
    ["webhook-verb", { verbs: "get" }, "get"],
    ["webhook-without-rule", { groups: "{}" }, "{}"],
    ["webhook-reinvocation-policy", { reinvocationPolicy: "maybe" }, "maybe"],
    ["webhook-reinvocation-policy", { mutating: "false", reinvocationPolicy: "Never" }, "Never"],
    ["webhook-address", { path: "mutate" }, "mutate"],
    ["webhook-address", { servicePort: "0" }, "0"],
    ["webhook-address", { patch: '`{"clientConfig":null}`' }, '`{"clientConfig":null}`'],
    ["webhook-side-effects", { patch: '`{"sideEffects":"none"}`' }, '`{"sideEffects":"none"}`'],
    ["webhook-match-condition", { patch: '`{"matchConditions":[{}]}`' }, '`{"matchConditions":[{}]}`'],
    ["webhook-verb", { verbs: "*;create" }, "*;create"],
    ["webhook-address", { path: "", url: '"http://x.y"' }, '"http://x.y"'],
  ])("has the ID %s for %j", (id, changes, place) => {
    const text = marker(changes);
    const { findings, yaml } = webhooks({ v1: [text] });
    expect(findings).toMatchObject([{ id, line: 1, hint: expect.any(String) }]);
    expect(marked(text, findings[0]!)).toBe(place);
    expect(yaml).not.toBe("");
  });

  it("has the ID webhook-duplicate-name for webhooks of one configuration kind", () => {
    const { findings } = webhooks({ v1: [marker(), marker({ mutating: "false" })], v2: [marker()] });
    expect(findings).toMatchObject([{ id: "webhook-duplicate-name", file: "/v2.ts" }]);
  });

  it("isn't reported for a valid webhook", () => {
    expect(webhooks({ v1: [marker({ reinvocationPolicy: "ifNeeded" })] }).findings).toEqual([]);
  });
});
