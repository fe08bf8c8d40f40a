import { afterEach, describe, expect, it, vi } from "vitest";
import type { Row } from "../row.ts";
import { readRows } from "../rows.ts";
import { normalize } from "./normalize.ts";

const rows = readRows("1.37");
const context = {
  id: "x000000000",
  group: "x000000000.example.com",
  ca: "Q0E=",
  url: "https://127.0.0.1:6443",
  hooksUrl: "https://127.0.0.1:8443",
};
const normalizeRow = ({ steps, expected }: Row): unknown => normalize({ results: expected }, { ...context, steps });
const at = (date: string): void => void vi.useFakeTimers({ now: new Date(date), toFake: ["Date"] });

afterEach(() => {
  vi.useRealTimers();
});

describe("rows don't depend on the date", () => {
  const dated = rows.flatMap((row) => {
    const dates = JSON.stringify(row.steps).match(/\b2\d{3}-\d\d-\d\d(?=T)/g);
    return [...new Set(dates)].filter((date) => date > "2027").map((date) => ({ ...row, date }));
  });

  it.each(dated)("$name on $date, which it sends", (row) => {
    at("2500-06-15");
    const before = normalizeRow(row);
    at(row.date);
    expect(normalizeRow(row)).toEqual(before);
  });

  it("contain no ages: normalizing responses again replaces none", () => {
    const aged = rows.filter(({ expected }) => /\d[smhdy]["\s)\\]/.test(JSON.stringify(expected)));
    const ages = (value: unknown): number => JSON.stringify(value).split("<age>").length;
    const changed = aged.filter((row) => ages(normalizeRow(row)) !== ages(row.expected));
    expect(changed.map(({ name }) => name)).toEqual([]);
  });
});

describe("ages", () => {
  it.each(["5s", "6m", "3d4h", "333d", "6y", "6y333d"])("%s, in tables and in the output of kubectl", (age) => {
    const results = [{ cells: ["a", age] }, { stdout: `NAME  AGE\na  ${age} (x3 over ${age})  b\n` }];
    expect(normalize({ results }, { ...context, steps: [] })).toEqual({
      results: [{ cells: ["a", "<age>"] }, { stdout: "NAME  AGE\na  <age> (x3 over <age>)  b\n" }],
    });
  });
});
