// Runs every command of the scaffolded AGENTS.md in a fresh project.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { Dev } from "../dev/dev-session.ts";
import { initProject } from "../lib/game.ts";

let root: string;
let text: string;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-agents-")));
  await initProject(root);
  text = readFileSync(join(root, "AGENTS.md"), "utf8");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const titles = () => [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
const section = (title: string): string => text.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
const commandsOf = (part: string): string[] =>
  [...part.matchAll(/`((?:npx scaffold|make) [^`]+)`/g)].map(([, command = ""]) => command);

it("AGENTS.md has these sections, and at most 60 lines", () => {
  expect(titles()).toEqual(["Rules", "Loop", "Verify", "Commands", "When something fails"]);
  expect(text.split("\n").length).toBeLessThanOrEqual(60);
});

it("all its commands run in a fresh project", async () => {
  const commands = commandsOf(text);
  const [session] = commandsOf(section("Loop"));
  expect(session).toBe("npx scaffold dev --json");
  const [kind = "", webhooks = "", ...others] = commandsOf(section("Commands"));
  const ownProgram = `node ${join(checkout, "bin/scaffold.js")}`;
  const ran: string[] = [];
  const runLine = async (line: string) => {
    ran.push(line);
    const end = await run("sh", ["-c", line.replace(/^npx scaffold/, ownProgram)], { cwd: root });
    // Docker or kubectl may be missing on this machine.
    const codes = line.includes("doctor") ? [0, 1] : [0];
    expect(codes, `${line}\n${end.stdout}\n${end.stderr}`).toContain(end.code);
    if (line.endsWith("--json")) expect(() => JSON.parse(end.stdout), line).not.toThrow();
  };
  await runLine(kind);
  await linkPackages(root);
  await scaffold(root, "manifests");
  const git = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  await must("git", ["init", "-q"], { cwd: root });
  await must("git", ["add", "."], { cwd: root });
  await must("git", [...git, "commit", "-q", "-m", "Start"], { cwd: root });

  const dev = new Dev(root);
  await dev.event("ready");
  await dev.event("reconciled");
  ran.push(session ?? "");
  for (const line of commands.filter((command) => / dev (?!--json)/.test(command))) await runLine(line);
  dev.child.kill("SIGTERM");
  await dev.ended;

  for (const line of [...commandsOf(section("Rules")), ...commandsOf(section("Loop")), ...others, webhooks]) {
    if (!ran.includes(line)) await runLine(line);
  }
  await must("make", ["manifests", "lint-fix"], { cwd: root });
  for (const line of [...commandsOf(section("Verify")), ...commandsOf(section("When something fails"))]) {
    if (!ran.includes(line)) await runLine(line);
  }
  expect(new Set(ran)).toEqual(new Set(commands));
});
