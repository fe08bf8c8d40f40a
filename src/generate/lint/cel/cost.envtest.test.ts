// The generator and the API server reject the same rules for their cost.
import { expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { seededNumbers } from "../../../../scripts/test-support/random.ts";
import type { JSONSchema } from "../../schema/model/json-schema.ts";
import { startApiServer } from "../../test-support/api-server.ts";
import { type KindVersion, pathOf } from "../model/site.ts";
import { celBudget } from "./budget.ts";
import { randomRule, randomSchema } from "./test-support/random-rules.ts";

const { refusal } = startApiServer();

interface Verdict {
  /** Fields with a rule that costs too much. */
  readonly over: ReadonlySet<string>;
  /** Fields with a rule that the API server rejects for another reason, and the reason. */
  readonly wrong: ReadonlyMap<string, string>;
  /** Whether the rules of the version together cost too much. */
  readonly total: boolean;
}

/** Returns the API server's verdict on a CRD with some fields. */
async function serverVerdict(properties: Readonly<Record<string, JSONSchema>>): Promise<Verdict> {
  const names = { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } };
  const version = { name: "v1", served: true, storage: true, schema };
  const refused = await refusal({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", names, scope: "Namespaced", versions: [version] },
  });
  const over = new Set<string>();
  const wrong = new Map<string, string>();
  if (!refused) return { over, wrong, total: false };
  const causes = refused.status.details?.causes;
  if (!causes) throw new Error(`the API server says no more than ${refused.message}`);
  for (const { field = "", message: why = "" } of causes) {
    const name = /properties\[spec\]\.properties\[(\w+)\]/.exec(field)?.[1];
    if (/^Forbidden: estimated (rule|messageExpression) cost exceeds/.test(why)) over.add(name!);
    else if (name !== undefined && !why.includes("contributed to")) wrong.set(name, why);
  }
  return { over, wrong, total: causes.some(({ message: why }) => why?.includes("cost total for entire")) };
}

/** Returns the generator's verdict on the same fields. */
function generatorVerdict(properties: Readonly<Record<string, JSONSchema>>): { over: Set<string>; total: boolean } {
  const openAPIV3Schema: JSONSchema = { type: "object", properties: { spec: { type: "object", properties } } };
  const kind = { version: { name: "v1", schema: { openAPIV3Schema } } } as unknown as KindVersion;
  const over = new Set<string>();
  let total = false;
  celBudget(kind, ({ message }, site) => {
    const step = pathOf(site)[1];
    if (message.includes("together")) total = true;
    else if (typeof step === "object") over.add(step.property);
  });
  return { over, total };
}

const withRule = (schema: JSONSchema, rule: string): JSONSchema => ({
  ...schema,
  "x-kubernetes-validations": [{ rule }],
});

const text = (maxLength?: number): JSONSchema => ({ type: "string", ...(maxLength ? { maxLength } : {}) });
const list = (items: JSONSchema, maxItems?: number): JSONSchema => ({
  type: "array",
  items,
  ...(maxItems ? { maxItems } : {}),
});

const table: readonly (readonly [schema: JSONSchema, rule: string, isOver: boolean])[] = [
  [text(), "self == 'abc'", false],
  [text(), "self.matches('^[a-z]+$')", false],
  [text(), "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')", false],
  [text(), "self.contains(self)", true],
  [text(1000), "self.contains(self)", false],
  [list(text()), "self.all(x, x.size() > 1)", false],
  [list(text()), "self.all(x, x.contains('abc'))", true],
  [list(text(), 10), "self.all(x, x.contains('abc'))", false],
  [list(text(50)), "self.all(x, x.contains('abc'))", true],
  [list(text(50), 1000), "self.all(x, self.exists_one(y, y == x))", true],
  [list(text(50), 100), "self.all(x, self.exists_one(y, y == x))", false],
  [list(withRule(text(), "self == 'a'")), "true", false],
  [list(withRule(text(), "self == oldSelf")), "true", true],
  [list(withRule(text(10), "self == oldSelf"), 10), "true", false],
];

it.each(table)("agrees with the API server: %j: %s", async (schema, rule, isOver) => {
  const properties = { a: withRule(schema, rule) };
  expect([generatorVerdict(properties).over.size > 0, (await serverVerdict(properties)).over.size > 0]).toEqual([
    isOver,
    isOver,
  ]);
});

it("adds the costs of all rules of a version", async () => {
  const costly = withRule(list(text(), 10), "self.all(x, x.matches('^[a-z]+$'))");
  for (const [count, isOver] of [
    [5, false],
    [20, true],
  ] as const) {
    const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { ...costly }]));
    const verdict = await serverVerdict(properties);
    expect([verdict.over.size, verdict.total, generatorVerdict(properties).total]).toEqual([0, isOver, isOver]);
  }
});

fullTest("agrees with the API server about random rules", async () => {
  const seed = Number(process.env.KUBEWRIGHT_SEED ?? Date.now() % 2 ** 31);
  const random = seededNumbers(seed);
  const problems: string[] = [];
  const missed: string[] = [];
  const strange: string[] = [];
  let judged = 0;
  for (let round = 0; round < 40; round++) {
    const properties: Record<string, JSONSchema> = {};
    for (let index = 0; index < 25; index++) {
      const schema = randomSchema(random);
      const rule = randomRule(random, schema);
      const nested = random(4) === 0;
      properties[`f${index}`] = nested
        ? list(withRule(schema, rule), random(2) ? 20 : undefined)
        : withRule(schema, rule);
    }
    const [verdict, mine] = [await serverVerdict(properties), generatorVerdict(properties)];
    for (const [name, schema] of Object.entries(properties)) {
      const why = verdict.wrong.get(name);
      const shown = JSON.stringify(schema);
      if (why !== undefined) {
        strange.push(`${why} ${shown}`);
        continue;
      }
      judged++;
      if (mine.over.has(name)) problems.push(verdict.over.has(name) ? "" : shown);
      else if (verdict.over.has(name)) missed.push(shown);
    }
  }
  const wronged = problems.filter((problem) => problem !== "");
  const numbers = { seed, judged, found: problems.length, missed: missed.length, strange: strange.length };
  expect(wronged, JSON.stringify(numbers)).toEqual([]);
  expect(missed, JSON.stringify(numbers)).toEqual([]);
  expect(judged, strange.slice(0, 3).join("\n")).toBeGreaterThan(500);
});
