import { describe, expect, it } from "vitest";
import { compileExpression } from "./expression.ts";
import { ExpressionError } from "./expression-error.ts";

const value = (source: string, values = {}, variables = {}) =>
  compileExpression(source, { variables }).evaluate(values).value;

describe("compileExpression", () => {
  it("evaluates with variables", () => {
    const expression = compileExpression("object.spec.replicas <= limit", {
      variables: { object: "dyn", limit: "int" },
    });
    expect([expression.type, expression.references]).toEqual(["bool", ["object", "limit"]]);
    expect(expression.evaluate({ object: { spec: { replicas: 3 } }, limit: 5 })).toEqual({ value: true, cost: 5 });
    expect(expression.evaluate({ object: { spec: { replicas: 9 } }, limit: 5 }).value).toBe(false);
  });

  it.each<[string, unknown]>([
    ["quantity('1.5Gi').isGreaterThan(quantity('1G'))", true],
    ["[1, 2, 3].map(x, x * 2)", [2, 4, 6]],
    ["{'a': 1u, 'b': 2u}", { a: 1, b: 2 }],
    ["9007199254740993", 9007199254740993n],
    ["b'ab'", Uint8Array.of(97, 98)],
    ["duration('90s')", "90s"],
    ["timestamp('2026-01-01T00:00:00Z')", "2026-01-01T00:00:00Z"],
    ["optional.none()", undefined],
    ["optional.of('a')", "a"],
    ["'%d of %s'.format([1, 'x'])", "1 of x"],
  ])("%s", (source, expected) => expect(value(source)).toEqual(expected));

  it("estimates the cost", () => {
    const { estimatedCost } = compileExpression("int(size) + 1", { variables: { size: "dyn" } });
    expect(estimatedCost).toEqual({ min: 3, max: 3 });
  });

  it("rejects expressions with the texts of kube-apiserver", () => {
    expect(() => compileExpression("a +")).toThrow(ExpressionError);
    expect(() => compileExpression("size(b) == 1", { variables: { a: "dyn" } })).toThrow(
      "ERROR: <input>:1:6: undeclared reference to 'b' (in container '')\n | size(b) == 1\n | .....^",
    );
  });

  it("reports failed evaluations, and those that cost too much", () => {
    expect(() => value("a.b", { a: {} }, { a: "dyn" })).toThrow(new ExpressionError("no such key: b"));
    const expensive = compileExpression("list.all(x, x == x)", { variables: { list: "list(int)" }, costLimit: 100 });
    expect(() => expensive.evaluate({ list: Array.from({ length: 1000 }, (_, index) => index) })).toThrow(
      "operation cancelled: actual cost limit exceeded",
    );
  });
});
