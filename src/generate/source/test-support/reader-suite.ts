// The behavior that every reader must have. The tests of each reader call this.
import { describe, expect, it } from "vitest";
import type { AliasDeclaration, Declaration, InterfaceDeclaration, TypeExpr } from "../model.ts";
import type { SourceReader } from "../reader.ts";

/** Returns a type without positions and file names, for comparisons. */
function plain(type: unknown): unknown {
  return JSON.parse(
    JSON.stringify(type, (key, value) => (key === "at" || key === "file" || key === "leading" ? undefined : value)),
  );
}

/** Declares the tests of a reader. */
export function describeReader(name: string, create: () => SourceReader | Promise<SourceReader>): void {
  const parse = async (text: string) => (await create()).parse("/p/a.ts", text);
  const alias = async (text: string, before = "") => {
    const file = await parse(`${before}\ntype X = ${text};\n`);
    return plain((file.declarations.find((d) => d.name === "X") as AliasDeclaration).type) as TypeExpr;
  };
  const first = async <T extends Declaration>(text: string) => (await parse(text)).declarations[0] as T;
  const string = { kind: "keyword", name: "string" };
  const method = { kind: "other", syntax: "function", text: "(...args: any[]) => any" };
  const accessor = { kind: "other", syntax: "accessor", text: "any" };
  const local = (text: string, args: unknown[] = []) => ({
    kind: "ref",
    text,
    target: { kind: "local", name: text },
    args,
  });
  const global = (text: string, args: unknown[] = []) => ({
    kind: "ref",
    text,
    target: { kind: "global", name: text },
    args,
  });

  describe(`${name}: types`, () => {
    it.each<[string, unknown]>([
      ["string", string],
      ["(string)", string],
      ["unknown", { kind: "keyword", name: "unknown" }],
      ['"a"', { kind: "literal", value: "a" }],
      ["-1", { kind: "literal", value: -1 }],
      ["true", { kind: "literal", value: true }],
      ["null", { kind: "literal", value: null }],
      ["string[]", { kind: "array", element: string }],
      ["readonly string[]", { kind: "array", element: string }],
      ["[string, b: string]", { kind: "tuple", elements: [string, string] }],
      ["string | null", { kind: "union", types: [string, { kind: "literal", value: null }] }],
      ["Foo & string", { kind: "intersection", types: [global("Foo"), string] }],
      ["Array<string>", global("Array", [string])],
      ["keyof Foo", { kind: "keyof", type: global("Foo") }],
      ['Foo["a"]', { kind: "indexed", object: global("Foo"), index: { kind: "literal", value: "a" } }],
      ["typeof foo", { kind: "typeof", text: "foo", target: { kind: "global", name: "foo" } }],
      [
        "{ a?: string; 'b-c': string; d(): void; (): void; new (): string; get e(): string; set e(to: string) }",
        {
          kind: "object",
          members: [
            { name: "a", optional: true, type: string, method: false },
            { name: "b-c", optional: false, type: string, method: false },
            { name: "d", optional: false, type: method, method: false },
            { name: "", optional: false, method: true, signature: true },
            { name: "", optional: false, method: true, signature: true },
            { name: "e", optional: false, type: accessor, method: false },
            { name: "e", optional: false, type: accessor, method: false },
          ],
        },
      ],
      ["{ [key: string]: string }", { kind: "object", members: [], index: { key: string, value: string } }],
      [
        "{ [K in Foo]?: K }",
        {
          kind: "mapped",
          parameter: "K",
          constraint: global("Foo"),
          type: { kind: "ref", text: "K", target: { kind: "parameter", name: "K" }, args: [] },
          optional: "+",
        },
      ],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template literal type.
      ["`a${string}`", { kind: "template", texts: ["a", ""], types: [string] }],
      ["() => void", { kind: "other", syntax: "function", text: "() => void" }],
      [
        'import("./b.ts").B',
        {
          kind: "ref",
          text: 'import("./b.ts").B',
          target: { kind: "import", specifier: "./b.ts", name: "B" },
          args: [],
        },
      ],
    ])("%s", async (text, expected) => {
      expect(await alias(text)).toEqual(expected);
    });

    it.each([
      ['import type { A } from "m";', "A", { kind: "import", specifier: "m", name: "A" }],
      ['import { type B as A } from "m";', "A", { kind: "import", specifier: "m", name: "B" }],
      ['import * as m from "m";', "m.A", { kind: "import", specifier: "m", name: "A" }],
      ['import A from "m";', "A", { kind: "import", specifier: "m", name: "default" }],
    ])("resolve %s", async (before, text, target) => {
      expect(await alias(text, before)).toEqual({ kind: "ref", text, target, args: [] });
    });

    it("resolve names of the file", async () => {
      expect(await alias("A", "interface A {}")).toEqual(local("A"));
    });
  });

  describe(`${name}: declarations`, () => {
    it("include interfaces with parameters, parents and positions", async () => {
      const read = await first<InterfaceDeclaration>("export interface A<T = string> extends B<T>, m.C {\n  a: T;\n}");
      expect(read).toMatchObject({
        kind: "interface",
        name: "A",
        exported: true,
        parameters: [{ name: "T", default: string }],
        at: { file: "/p/a.ts", line: 1, column: 1 },
        members: [
          {
            name: "a",
            at: { line: 2, column: 3 },
            type: { target: { kind: "parameter", name: "T" }, at: { line: 2, column: 6 } },
          },
        ],
      });
      expect(plain(read.extends[0])).toMatchObject({ text: "B", args: [{ target: { kind: "parameter" } }] });
    });

    it("include enums, whose numbers continue from the last one", async () => {
      const read = await first<Declaration & { kind: "enum" }>('enum E { A, B = 5, C, D = "d", E = 1 + 1 }');
      expect(read.members).toEqual([
        { name: "A", value: 0 },
        { name: "B", value: 5 },
        { name: "C", value: 6 },
        { name: "D", value: "d" },
        { name: "E" },
      ]);
    });

    it("include the constant parts of constants", async () => {
      const read = await first<Declaration & { kind: "value" }>(
        'export const X = f("a", { b: [1, -2, true] as const }, c);',
      );
      expect(plain(read.value)).toEqual({
        kind: "call",
        callee: { kind: "global", name: "f" },
        args: [
          { kind: "literal", value: "a" },
          {
            kind: "object",
            properties: [
              {
                name: "b",
                value: {
                  kind: "array",
                  elements: [
                    { kind: "literal", value: 1 },
                    { kind: "literal", value: -2 },
                    { kind: "literal", value: true },
                  ],
                },
              },
            ],
          },
          { kind: "reference", target: { kind: "global", name: "c" } },
        ],
      });
    });

    it("are frozen", async () => {
      const file = await parse("export interface A { a: string }");
      const [declaration] = file.declarations;
      expect(Object.isFrozen(file) && Object.isFrozen(declaration)).toBe(true);
    });

    it("include a type and a constant with the same name", async () => {
      const file = await parse("interface A {}\nconst A = 1;\nfunction f() {}");
      expect(file.declarations.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
        "interface A",
        "value A",
        "other f",
      ]);
    });

    it("include re-exports", async () => {
      const file = await parse(
        'export * from "./a.ts";\nexport { B as C } from "./b.ts";\nimport { D } from "d";\nexport { D };',
      );
      expect(plain(file.reExports)).toEqual([
        { exported: "*", name: "*", specifier: "./a.ts" },
        { exported: "C", name: "B", specifier: "./b.ts" },
        { exported: "D", name: "D", target: { kind: "import", specifier: "d", name: "D" } },
      ]);
    });

    it("have syntax errors with their positions", async () => {
      const file = await parse("interface A {\n  a: ;\n}");
      expect(file.diagnostics[0]).toMatchObject({
        id: "syntax-error",
        severity: "error",
        file: "/p/a.ts",
        line: 2,
        column: 6,
      });
    });
  });

  describe(`${name}: comments`, () => {
    it("are returned unchanged, with kind and lines, up to the node", async () => {
      const read = await first<InterfaceDeclaration>("// a\n/** b\n * c */\n/* d */\ninterface A {} // e");
      expect(read.leading.map(({ kind, text, at, endLine }) => [kind, text, at.line, at.column, endLine])).toEqual([
        ["line", "// a", 1, 1, 1],
        ["jsdoc", "/** b\n * c */", 2, 1, 3],
        ["block", "/* d */", 4, 1, 4],
      ]);
    });

    it("are ignored after the last token of a line", async () => {
      const read = await first<InterfaceDeclaration>(
        "interface A {\n  a: string; // trailing\n  // leading\n  b: string;\n}",
      );
      expect(read.members[1]?.leading.map(({ text }) => text)).toEqual(["// leading"]);
    });

    it("belong to no node above imports and at the end of the file", async () => {
      const file = await parse('// a\nimport "x";\n\n// b\n\ninterface A {}\n// c\n');
      expect(file.loose.map(({ comments, nextLine }) => [comments.map(({ text }) => text), nextLine])).toEqual([
        [["// a"], 2],
        [["// c"], 0],
      ]);
    });
  });
}
