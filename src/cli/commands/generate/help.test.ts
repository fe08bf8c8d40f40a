import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { runCli } from "../../test-support/run-cli.ts";

/** The command reads and writes no files here: any directory works. */
const help = async (...argv: string[]) => runCli(tmpdir(), ["generate", ...argv]);

describe("generate -h", () => {
  it.each(["-h", "-hh", "-hhh"])("describes the options with %s", async (flag) => {
    const end = await help(flag);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    for (const part of ["Usage: scaffold generate", "--check", "Examples:", "generators", "generic", "output rules"]) {
      expect(end.stdout).toContain(part);
    }
    expect(end.stdout.includes("Longer descriptions are cut")).toBe(flag === "-hhh");
  });

  it("prints JSON with -hhhh", async () => {
    const end = await help("-hhhh");
    expect(end).toMatchObject({ code: 0, stderr: "" });
    const categories = JSON.parse(end.stdout) as { category: string; markers: { name: string }[] }[];
    expect(categories.map(({ category }) => category).filter((category) => category !== "")).toEqual([
      "generators",
      "generic",
      "output rules (optionally as output:<generator>:...)",
    ]);
    expect(categories[1]?.markers.map(({ name }) => name)).toContain("crd");
  });

  it("prints help whatever other options are set, also with -w", async () => {
    expect((await help("crd", "-h", "-w", "nonsense")).stdout).toContain("Usage: scaffold generate");
  });

  it("describes only the flags with --help", async () => {
    const end = await help("--help");
    expect(end.code).toBe(0);
    expect(end.stdout).toContain("Usage: scaffold generate");
    expect(end.stdout).toContain("-h, --detailed-help");
    expect(end.stdout).not.toContain("output rules (");
    expect((await runCli(tmpdir(), ["help", "generate"])).stdout).toBe(end.stdout);
  });
});

it("prints the tool and its version with --version, as controller-gen does", async () => {
  expect(await help("--version")).toEqual(await runCli(tmpdir(), ["version"]));
});

describe("generate -w with generators", () => {
  it("prints a line per marker", async () => {
    const end = await help("rbac", "webhook", "-w");
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout.split("\n").filter((line) => line.startsWith("+"))).toEqual([
      expect.stringMatching(/^\+kubebuilder:rbac:groups=|^\+kubebuilder:rbac\[:groups=/),
      expect.stringMatching(/^\+kubebuilder:webhook:/),
      expect.stringMatching(/^\+kubebuilder:webhookconfiguration:/),
    ]);
  });

  it.each([
    [["crd", "-ww"], "    name=<string>"],
    [["crd", "-w", "-w"], "    name=<string>"],
    [["-www", "rbac:roleName=x"], "Can't restrict `create`"],
    [["crd:maxDescLen=x", "paths=./nowhere", "-w"], "+kubebuilder:printcolumn:"],
    [["-w"], "+kubebuilder:object:root"],
    [["crd", "--which-markers"], "+kubebuilder:printcolumn:"],
  ])("prints the marker help for %j", async (argv, part) => {
    const end = await help(...argv);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toContain(part);
  });

  it("prints JSON with -wwww", async () => {
    const [category] = JSON.parse((await help("rbac:roleName=x", "-wwww")).stdout);
    expect(category).toMatchObject({ category: "RBAC", markers: [{ name: "kubebuilder:rbac", target: "package" }] });
    expect(JSON.parse((await help("rbac", "-w", "--json")).stdout)).toEqual({ help: [category] });
  });

  it("rejects an unknown generator", async () => {
    expect(await help("cdr", "-w")).toMatchObject({
      code: 2,
      stderr: 'error: unknown option "cdr"\n  hint: did you mean `crd`?\n',
    });
  });
});
