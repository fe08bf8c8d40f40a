import { expect, it } from "vitest";
import { filesWithTypeErrors } from "./type-errors.ts";

const plain = `src/main.ts(3,14): error TS2322: Type 'number' is not assignable to type 'string'.
  The expected type comes from property 'a' in test/b.ts(1,1)
test/role.test.ts(1,1): error TS2741: Property 'image' is missing
error TS18003: No inputs were found in config file
`;

const colored = `\u001b[96msrc/main.ts\u001b[0m:\u001b[93m3\u001b[0m:\u001b[93m14\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2322: \u001b[0mType 'number' is not assignable to type 'string'.

\u001b[7m3\u001b[0m export const a: string = 1;
\u001b[7m \u001b[0m \u001b[91m             ~\u001b[0m

\u001b[96mtest/role.test.ts\u001b[0m:\u001b[93m1\u001b[0m:\u001b[93m1\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2741: \u001b[0mProperty 'image' is missing
\u001b[91merror\u001b[0m\u001b[90m TS18003: \u001b[0mNo inputs were found in config file

Found 3 errors in 2 files.
`;

it.each([
  ["plain", plain],
  ["colored", colored],
])("returns the file of each error in %s output", (_name, output) => {
  expect(filesWithTypeErrors(output)).toEqual(["src/main.ts", "test/role.test.ts", ""]);
});

it("returns nothing for output without errors", () => {
  expect(filesWithTypeErrors("killed\nsrc/main.ts\n")).toEqual([]);
});
