// Pastes the first blocks of the quick start into a terminal, with the packed packages.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allPages } from "../../scripts/docs/pages.ts";
import { hasPty, Pty } from "../../scripts/test-support/pty.ts";
import { which } from "../../scripts/test-support/tools.ts";
import { eventually } from "../lib/eventually.ts";
import { packedPackages } from "../packed/packed-packages.ts";

const packed = packedPackages();
const opened: Pty[] = [];

/** Returns the first block of a page that begins so. */
function block(page: string, begin: string): string {
  const pasted = allPages()
    .find(({ path }) => path === page)
    ?.blocks.find(({ language, text }) => language === "sh" && text.startsWith(begin));
  if (pasted === undefined) throw new Error(`${page} has no block that begins with ${begin}`);
  return pasted.text.trimEnd();
}

beforeAll(async () => {
  await packed.install();
  // Without a registry, npm create is the installed package. Everything else is the real npm.
  const npm = which("npm");
  const creator = join(packed.home, "node_modules/.bin/create-kubewright");
  const npmShim = join(packed.home, "npm");
  const shim = `#!/bin/sh
if [ "$1 $2 $3" = "create --yes kubewright@latest" ]; then shift 3; name=$1; shift 2; exec '${creator}' "$name" "$@"; fi
exec '${npm}' "$@"
`;
  writeFileSync(npmShim, shim);
  chmodSync(npmShim, 0o755);
});
afterAll(() => {
  for (const pty of opened) pty.close();
});

it.each(["README.md", "docs/index.md"])("%s begins with the block of the quick start", (page) => {
  expect(block(page, "npm create")).toBe(block("docs/quick-start.md", "npm create"));
});

const pastes = [
  ["with bracketed paste", (text: string) => `\u001b[200~${text}\u001b[201~\r`, "on"],
  ["without bracketed paste", (text: string) => `${text.replaceAll("\n", "\r")}\r`, "off"],
] as const;

describe.runIf(hasPty).each(pastes)("pasted %s", (name, paste, mode) => {
  const directory = join(packed.parent, name.replaceAll(" ", "-"));

  function shell(): { pty: Pty; sees(text: string | RegExp, seconds?: number): Promise<unknown> } {
    const env = {
      PS1: "ready> ",
      KUBEBUILDER_ASSETS: undefined,
      PATH: `${packed.home}:${process.env.PATH}`,
      INPUTRC: join(packed.home, `inputrc-${mode}`),
    };
    writeFileSync(env.INPUTRC, `set enable-bracketed-paste ${mode}\n`);
    const pty = new Pty(`"${which("bash")}" --norc --noprofile -i`, { cwd: directory, env });
    opened.push(pty);
    const plain = () => stripVTControlCharacters(pty.output);
    return {
      pty,
      sees: (text, seconds = 60) =>
        eventually(() => expect(plain()).toMatch(text), seconds * 1000).catch((error: unknown) => {
          throw new Error(`${String(error)}\n${plain()}`);
        }),
    };
  }

  it("the first blocks lead to an operator that repairs a deleted child", async () => {
    mkdirSync(directory);
    const first = shell();
    await first.sees(/ready> $/);
    first.pty.type(paste(block("docs/quick-start.md", "npm create")));
    await first.sees(/Created project website with the kind Website/, 300);
    await first.sees(/ready in .* ms/, 120);
    await first.sees("reconciled Website default/website-sample");
    expect(existsSync(join(directory, "website/config/crd/bases/web.example.com_websites.yaml"))).toBe(true);

    const second = shell();
    await second.sees(/ready> $/);
    second.pty.type(paste(block("docs/quick-start.md", "cd website")));
    await second.sees(/Deployment default\/website-sample ready/);
    second.pty.type(paste(block("docs/quick-start.md", "npx scaffold dev delete")));
    await second.sees("deleted deployment/website-sample");
    await second.sees(/because delete Deployment default\/website-sample/);
    first.pty.type("q");
    await first.sees(/stopped: /);
  }, 600_000);
});
