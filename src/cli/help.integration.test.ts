// Every help screen fits a terminal with 80 columns, and leads to examples and to the documentation.
import { describe, expect, it } from "vitest";
import { testDirectory } from "../scaffold/test-support/tree.ts";
import { commands } from "./commands.ts";
import { runCli } from "./test-support/run-cli.ts";

/** Returns the lines that are too long. A long word, such as an address, can't be divided. */
const tooLong = (text: string): string[] =>
  text.split("\n").filter((line) => line.length > 80 && line.split(" ").every((word) => word.length < 70));

describe.each(commands.map(({ words }) => [words.join(" "), words] as const))("scaffold %s --help", (_, argv) => {
  it("fits 80 columns, and ends with examples and the address of the command's page", async () => {
    const { code, stdout } = await runCli(testDirectory(), [...argv, "--help"]);
    expect(code).toBe(0);
    expect(tooLong(stdout)).toEqual([]);
    const [, examples = "", address = ""] = /\nExamples:\n([\s\S]+)\n\nDocumentation:\n {2}(\S+)\n$/.exec(stdout) ?? [];
    expect(examples.replaceAll(/ \\\n +/g, " ")).toContain(argv.join(" "));
    expect(address).toMatch(new RegExp(`^https://.*/cli\\.\\w+#scaffold-${argv.join("-")}$`));
  });
});

it.each([[[]], [["--help"]], [["create", "--help"]], [["delete", "--help"]], [["help"]]])(
  "scaffold %j fits 80 columns",
  async (argv) => {
    const { stdout } = await runCli(testDirectory(), argv);
    expect(tooLong(stdout)).toEqual([]);
  },
);

it("a word that begins several commands lists only these", async () => {
  const { stdout } = await runCli(testDirectory(), ["create", "--help"]);
  expect(stdout).toMatch(/^Usage: scaffold create <command> \[flags\]\n/);
  expect(stdout.match(/^ {2}create \w+/gm)).toEqual(["  create project", "  create api", "  create webhook"]);
});
