import { describe, expect, it } from "vitest";
import { editDistance } from "../diagnostics/did-you-mean.ts";
import { generateApi, many } from "./test-support/hostile.ts";

const marked = (marker: string) => `export interface Spec {\n  // +${marker}\n  a?: string\n}`;

/** Inputs that grow in one direction each. Earlier versions took quadratic time or more for some. */
const shapes: Readonly<Record<string, readonly [size: number, make: (size: number) => string]>> = {
  "a misspelled marker": [100_000, (n) => marked(`kubebuilder:validation:MinLengt${"h".repeat(n)}=1`)],
  "spaces in a misspelled marker": [100_000, (n) => marked(`kubebuilder:validation:MinLengt${" ".repeat(n)}x=1`)],
  "spaces after a misspelled marker": [100_000, (n) => marked(`optionl${" ".repeat(n)}x`)],
  "colons in a misspelled marker": [100_000, (n) => marked(`kubebuilder:validation:MinLengt${":".repeat(n)}x=1`)],
  "an unknown argument": [100_000, (n) => marked(`kubebuilder:validation:XValidation:${"r".repeat(n)}=1`)],
  "spaces in a description": [100_000, (n) => `export interface Spec {\n  /** x${" ".repeat(n)}y */\n  a?: string\n}`],
  "spaces in a tag": [
    50_000,
    (n) => `export interface Spec {\n  /** @default${" ".repeat(n)}\u2028 */\n  a?: string\n}`,
  ],
  "merged interfaces": [4000, (n) => many(n, (index) => `export interface Spec { a${index}?: string }`)],
  "a chain of parents": [
    4000,
    (n) =>
      `${many(n, (i) => `interface A${n - i} extends A${n - i - 1} {}`)}\ninterface A0 {}\nexport interface Spec {}`,
  ],
  "misspelled types": [
    300,
    (n) =>
      `${many(n * 3, (i) => `interface ${"Abc".repeat(25)}${i} {}`)}\nexport interface Spec {\n${many(n, (i) => `v${i}: ${"Abd".repeat(25)}${i}`)}\n}`,
  ],
  "excluded values": [
    5000,
    (n) =>
      `type A = ${many(n, (i) => `"a${i}"`, " | ")}; type B = ${many(n, (i) => `"b${i}"`, " | ")};\nexport interface Spec { v: Exclude<A, B> }`,
  ],
};

describe("growing input", () => {
  it("is read in linear time", async ({ task }) => {
    await generateApi("export interface Spec {}");
    for (const [name, [size, make]] of Object.entries(shapes)) {
      const small = (await generateApi(make(size))).seconds;
      const large = (await generateApi(make(size * 4))).seconds;
      // Quadratic time would be 16 times as much. Below 0.2 s, other costs dominate.
      expect(large / Math.max(small, 0.2), name).toBeLessThan(9);
    }
    (task.meta as { attempts?: number }).attempts = Object.keys(shapes).length;
  });

  it("causes short messages", async () => {
    const { diagnostics } = await generateApi(marked(`kubebuilder:validation:XValidation:${"r".repeat(1_000_000)}=1`));
    expect(diagnostics).not.toEqual([]);
    for (const { message, hint = "" } of diagnostics) expect(message.length + hint.length).toBeLessThan(5000);
  });

  it("has the same edit distance with a limit as without one", () => {
    const letters = (seed: number, length: number) =>
      Array.from(
        { length },
        (_, index) => "abc"[(seed * 7 + index * index * (seed % 5) + (index % (2 + (seed % 3)))) % 3],
      );
    for (let seed = 0; seed < 500; seed++) {
      const from = letters(seed, seed % 12).join("");
      const to = letters(seed + 1 + (seed % 4), (seed * 5) % 11).join("");
      const exact = editDistance(from, to);
      for (const limit of [0, 1, 1.5, 2, 3, 5.5]) {
        const bounded = editDistance(from, to, limit);
        if (exact <= limit) expect(bounded, `${from} ${to} ${limit}`).toBe(exact);
        else expect(bounded, `${from} ${to} ${limit}`).toBeGreaterThan(limit);
      }
    }
  });
});
