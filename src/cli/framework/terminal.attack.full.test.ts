import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { initProject } from "../../scaffold/test-support/game.ts";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

/**
 * Sequences that terminals execute or hide: clear screen, title, links, C1, reading direction, backspace, a second
 * line in a title.
 */
const controlSequences = [
  "\u001b[2J\u001b[H",
  "\u001b]0;owned\u0007",
  "\u001b]8;;https://evil.example\u001b\\x\u001b]8;;\u001b\\",
  "\u009b31m",
  "\u009d0;owned\u009c",
  "\u202eevil\u2066",
  "\u2028error: spoofed",
  "\u0008\u0008\u007f\u0085",
  "\r\u001b[Kerror: spoofed",
  "\u200b\ufeff\u2060",
  "\u001b[31m",
];

/** Everything but the CLI's own colors, line breaks and the cursor movement of a progress line. */
function foreignControls(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are our own.
  const rest = text.replaceAll(/\u001b\[(?:0|3[1236]|90|39)m|\r\u001b\[K(?=[A-Z]|$)/g, "");
  return [...rest.matchAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu)]
    .map(([each]) => each)
    .filter((each) => each !== "\n" && each !== "\t");
}

const crd = readFileSync(join(import.meta.dirname, "../../../testdata/from-crd/everything.yaml"), "utf8");

describe("control characters in terminal output", () => {
  it.each([false, true])("are escaped in text from a CRD (terminal: %s)", async (tty) => {
    const root = testDirectory();
    await initProject(root);
    const call = async (text: string, ...more: string[]) => {
      const file = join(root, "crd.yaml");
      writeFileSync(file, text);
      const end = await runCli(root, ["create", "api", "--from-crd", "crd.yaml", "--dry-run", ...more], { tty });
      expect({ text, stdout: foreignControls(end.stdout), stderr: foreignControls(end.stderr) }).toEqual({
        text,
        stdout: [],
        stderr: [],
      });
      // The CLI writes this sequence itself: the same one in foreign text must not color anything.
      if (!tty) expect(end.stdout + end.stderr).not.toContain("\u001b");
    };
    for (const order of controlSequences) {
      const quoted = JSON.stringify(order);
      await call(crd.replace("kind: CustomResourceDefinition", `kind: ${quoted}`));
      await call(crd.replace("name: widgetry.", `name: ${quoted} #`));
      await call(crd.replace("group: tools.example.org", `group: ${quoted}`));
      await call(crd.replace("scope: Cluster", `scope: ${quoted}`));
      await call(crd.replace("          spec:\n", `          ${quoted}:\n            not: {}\n          spec:\n`));
      await call(`${order}: [`);
      await call(crd, "--json", `--kind=${order}`);
    }
  });

  it("are escaped in text from PROJECT", async () => {
    for (const order of controlSequences) {
      const root = testDirectory();
      await initProject(root);
      const project = readFileSync(join(root, "PROJECT"), "utf8");
      for (const key of ["version", "projectName", "domain", "layout", "repo"]) {
        const hostile = project.replace(new RegExp(`^${key}:.*(\\n- .*)?$`, "m"), `${key}: ${JSON.stringify(order)}`);
        writeFileSync(join(root, "PROJECT"), hostile);
        for (const command of [["create", "api"], ["edit", "--multigroup"], ["upgrade", "--check"], []]) {
          const end = await runCli(root, command);
          expect({ key, order, found: foreignControls(end.stdout + end.stderr) }).toEqual({ key, order, found: [] });
        }
      }
    }
  });

  it("are escaped in names of files and flags", async () => {
    const root = testDirectory();
    await initProject(root);
    for (const order of controlSequences) {
      const end = await runCli(root, ["create", "api", "--from-crd", `${order}.yaml`]);
      expect(foreignControls(end.stdout + end.stderr)).toEqual([]);
      const unknown = await runCli(root, [`--${order}`, order]);
      expect(foreignControls(unknown.stdout + unknown.stderr)).toEqual([]);
    }
    mkdirSync(join(root, "api/v1"), { recursive: true });
    const name = controlSequences.join("").replaceAll("/", "");
    writeFileSync(
      join(root, `api/v1/${name}-types.ts`),
      `// +kubebuilder:nonsense${controlSequences.join("").replaceAll(/[\r\n\u2028]/g, "")}\nexport interface A {}\n`,
    );
    for (const tty of [false, true]) {
      const end = await runCli(root, ["generate", "crd", "paths=./api/..."], { tty });
      expect(foreignControls(end.stdout + end.stderr)).toEqual([]);
    }
  });

  it("are kept for the CLI's own colors", async () => {
    const { terminalText, styled } = await import("../../text/terminal.ts");
    expect(terminalText(`${styled(31, "error:")} a\u001b[31mb`)).toBe("\u001b[31merror:\u001b[0m a\\u001b[31mb");
  });
});
