import { describe, expect, it } from "vitest";
import { terminalText } from "../text/terminal.ts";
import { api, generateApi, generateIn, many } from "./test-support/hostile.ts";
import { project } from "./test-support/project.ts";

const types = "export interface Spec {\n  /** A field. */\n  a?: string;\n}";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the test looks for.
const controls = /[\0-\t\v-\x1f\x7f-\x84\x86-\x9f]/;
const terminalControls = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

describe("unusual bytes and comments in a source", () => {
  it("don't change the output if they are line ends or a byte order mark", async () => {
    const expected = (await generateApi(types)).written;
    expect(expected).toContain("A field.");
    for (const text of [`\ufeff${api(types)}`, api(types).replaceAll("\n", "\r\n")]) {
      const { ids, written } = await generateIn(project({ "api/v1/types.ts": text }));
      expect(ids).toEqual([]);
      expect(written).toBe(expected);
    }
  });

  it("never reach messages or manifests if they are control characters", async ({ task }) => {
    const characters = ["\0", "\u001b", "\u202e", "\u2066", "\u2028", "\u0085"];
    for (const character of characters) {
      const name = JSON.stringify(character);
      const { written } = await generateApi(types.replace("A field", `A${character}field`));
      // YAML keeps line separators and bidirectional controls unescaped, as controller-gen does.
      expect(written, name).not.toMatch(controls);
      const { ids, shown } = await generateApi(types.replace("a?", `"a${character}"?: Missing; b?`));
      expect(ids, name).not.toEqual([]);
      expect(terminalText(shown), name).not.toMatch(terminalControls);
    }
    (task.meta as { attempts?: number }).attempts = characters.length * 2;
  });

  it("are read in linear time if they are long comments", async () => {
    for (const body of [
      `${"/*".repeat(200_000)}*/`,
      "/*".repeat(200_000),
      "/**/".repeat(100_000),
      many(100_000, () => "//"),
    ]) {
      const { seconds } = await generateApi(`class X {${body}\n}\nexport interface Spec { a?: string }`);
      expect(seconds, body.slice(0, 10)).toBeLessThan(8);
    }
  });
});
