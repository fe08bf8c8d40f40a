// The terminal of the landing page, from the quick start and its recorded output, so that it shows what readers will see.
import { readFileSync } from "node:fs";

export interface Line {
  readonly text: string;
  readonly isCommand: boolean;
}

declare const data: Line[];

export { data };

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

export default {
  watch: ["../../quick-start.md", "../../../testdata/tutorials/quick-start/*.txt"],
  load(): Line[] {
    const page = read("docs/quick-start.md");
    const [create = ""] = /```sh \[npm\]\n([\s\S]*?)```/.exec(page)?.slice(1) ?? [];
    const [repair = ""] = /```sh\n(npx scaffold dev delete[\s\S]*?)```/.exec(page)?.slice(1) ?? [];
    const ready = read("testdata/tutorials/quick-start/dev.txt").match(/^.* (created Website .*|ready in .*)$/gm) ?? [];
    const why = read("testdata/tutorials/quick-start/repaired.txt").trimEnd().split("\n");
    const commands = (text: string): Line[] =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => ({ text: line, isCommand: true }));
    // The recorded durations are removed.
    const output = (lines: readonly string[]): Line[] =>
      lines.map((text) => ({ text: text.replace(/(?:,| in) … ms/, ""), isCommand: false }));
    return [...commands(create), ...output(ready), ...commands(repair), ...output(why)];
  },
};
