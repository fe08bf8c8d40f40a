// docs/guides/compare.md must have a row for every command, flag and area.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { globalFlags } from "../../src/cli/framework/global-options.ts";
import { declared } from "./reference/cli.ts";
import { areas } from "./reference/runtime/areas.ts";

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "docs/guides/compare.md"), "utf8");

interface Row {
  /** The closest heading above. */
  readonly section: string;
  readonly subject: string;
  readonly state: string;
}

/** The rows of the tables of two columns. */
function rows(): Row[] {
  const list: Row[] = [];
  let section = "";
  let counts = false;
  for (const line of text.split("\n")) {
    section = /^#+ (.*)$/.exec(line)?.[1] ?? section;
    if (!line.startsWith("|")) counts = false;
    else if (line.endsWith("| kubewright |")) counts = true;
    else if (counts && !line.startsWith("|---")) {
      const [subject = "", state = "", ...more] = line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
      expect(more, line).toEqual([]);
      list.push({ section, subject, state });
    }
  }
  return list;
}

const all = rows();
const sectionOf = (title: string) => all.filter(({ section }) => section.includes(title));

it("the page has rows", () => expect(all.length).toBeGreaterThan(150));

it.each(all)("$section: $subject is supported, or the row has a reason", ({ state }) => {
  expect(state).toMatch(/^no(:|$)/.test(state) ? /^no: .{30,}/ : /./);
});

it.each(commands)("the page has the command $words, and a row for each of its flags", async (entry) => {
  const name = `\`${entry.words.join(" ")}\``;
  const own = sectionOf(name);
  const rows = own.length > 0 ? own : sectionOf("All commands").filter(({ subject }) => subject.startsWith(name));
  expect(rows, name).not.toEqual([]);
  const described = rows.map(({ subject, state }) => `${subject} ${state}`).join(" ");
  const { options } = await declared(entry);
  const missing = options
    .map(({ long }) => long ?? "")
    .filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(described));
  expect(missing).toEqual([]);
});

/** Each command and plugin of kubebuilder's with its flags. */
const theirs: [string, string[]][] = Object.entries(
  JSON.parse(readFileSync(join(root, "testdata/kubebuilder/flags.json"), "utf8")),
);

it.each(theirs)("the page has each flag of kubebuilder's %s", (name, flags) => {
  const own = sectionOf(`\`${name}\``);
  const named = all.filter(({ subject }) => subject.includes(`\`${name}`) || subject.includes(`=${name}`));
  const described = [...own, ...named, ...sectionOf("All commands")].map(({ subject, state }) => `${subject} ${state}`);
  expect(own.length + named.length).toBeGreaterThan(0);
  const missing = flags.filter((flag) => !described.some((text) => new RegExp(`--${flag}(?![\\w-])`).test(text)));
  expect(missing).toEqual([]);
});

it("the page has a row for each global flag", () => {
  const described = sectionOf("All commands").map(({ subject, state }) => `${subject} ${state}`);
  const missing = globalFlags
    .map(([flag]) => flag)
    .filter((flag) => !described.some((each) => each.includes(`\`${flag}\``)));
  expect(missing).toEqual([]);
});

it.each(areas)("the page has rows for the runtime's $title", ({ title }) => {
  expect(all.filter(({ section }) => section === title)).not.toEqual([]);
});
