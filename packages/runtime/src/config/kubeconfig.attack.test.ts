import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mostProcessorTime, processorTime } from "../../../../scripts/test-support/processor-time.ts";
import { ConfigError } from "./kubeconfig.ts";
import { readKubeconfigs } from "./read-kubeconfig.ts";

function read(text: string) {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-kubeconfig-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "config");
  writeFileSync(file, text);
  return readKubeconfigs([file], true);
}

const levels = (line: (index: number) => string) => Array.from({ length: 60 }, (_, index) => line(index + 1)).join("");
const bombs: Readonly<Record<string, string>> = {
  aliases: `a0: &a0 [x, x]\n${levels((index) => `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]\n`)}users: [{name: u, user: *a60}]\n`,
  "aliases of maps": `a0: &a0 {x: y}\n${levels((index) => `a${index}: &a${index} {x: *a${index - 1}, y: *a${index - 1}}\n`)}clusters: [{name: c, cluster: *a60}]\n`,
  "merged maps": `a0: &a0 {x0: y}\n${levels((index) => `a${index}: &a${index} {<<: [*a${index - 1}, *a${index - 1}], x${index}: y}\n`)}clusters: [{name: c, cluster: *a60}]\n`,
  "an alias to itself": "a: &a {b: *a}\nusers: [{name: u, user: *a}]\n",
  brackets: "[".repeat(1_000_000),
  dashes: `${"- ".repeat(500_000)}a`,
  "many documents": "---\n".repeat(200_000),
  "a long list": `contexts: [${"{},".repeat(300_000)}]`,
  "names of prototypes":
    "clusters: [{name: __proto__, cluster: {__proto__: {server: x}}}]\nusers: [{name: constructor, user: {exec: {__proto__: {command: x}}}}]\n",
};

describe("a kubeconfig that would exhaust time or memory", () => {
  it.for(Object.keys(bombs))("is read or rejected quickly: %s", (name) => {
    const used = processorTime();
    try {
      const { clusters, users, contexts } = read(bombs[name]!);
      JSON.stringify([...clusters, ...users, ...contexts]);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as Error).message.split("\n")).toHaveLength(1);
      expect((error as Error).message.length).toBeLessThan(500);
    }
    expect(used()).toBeLessThan(mostProcessorTime);
    expect(({} as { server?: unknown }).server).toBeUndefined();
  });
});
