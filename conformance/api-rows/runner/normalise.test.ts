import { afterEach, describe, expect, it, vi } from "vitest";
import { normalise } from "./normalise.mjs";
import { readRows } from "./rows.mjs";

interface Row {
  readonly name: string;
  readonly steps: unknown;
  readonly expected: unknown;
}

const rows: Row[] = readRows();
const context = {
  vars: { id: "x000000000", ns: "x000000000-ns", group: "x000000000.example.com", ca: "Q0E=" },
  target: { url: "https://127.0.0.1:6443", hooks: { url: "https://127.0.0.1:8443" } },
};
const normaliseRow = ({ steps, expected }: Row): unknown => normalise({ results: expected }, { ...context, steps });
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
    const before = normaliseRow(row);
    at(row.date);
    expect(normaliseRow(row)).toEqual(before);
  });

  it("contain no ages: normalising answers again replaces none", () => {
    const aged = rows.filter(({ expected }) => /\d[smhdy]["\s)\\]/.test(JSON.stringify(expected)));
    const ages = (value: unknown): number => JSON.stringify(value).split("<age>").length;
    const changed = aged.filter((row) => ages(normaliseRow(row)) !== ages(row.expected));
    expect(changed.map(({ name }) => name)).toEqual([]);
  });
});

describe("ages", () => {
  it.each(["5s", "6m", "3d4h", "333d", "6y", "6y333d"])("%s, in tables and in the output of kubectl", (age) => {
    const results = [{ cells: ["a", age] }, { stdout: `NAME  AGE\na  ${age} (x3 over ${age})  b\n` }];
    expect(normalise({ results }, { ...context, steps: [] })).toEqual({
      results: [{ cells: ["a", "<age>"] }, { stdout: "NAME  AGE\na  <age> (x3 over <age>)  b\n" }],
    });
  });
});
