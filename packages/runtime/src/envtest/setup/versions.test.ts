import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createUnitTestServer } from "@kubewright/apiserver";
import { expect, it } from "vitest";
import { BUILDABLE_VERSIONS, DEFAULT_VERSION, minorOf, parseSelector } from "./versions.ts";

it.each([
  ["1.36.3", ["1.36.3"], ["1.36.2", "1.3.63"]],
  ["v1.36.3", ["1.36.3"], ["1.36.4"]],
  ["1.36", ["1.36.0", "1.36.10"], ["1.35.9", "1.37.0"]],
  ["1.36.x", ["1.36.0"], ["1.3.6"]],
  ["1.36.*", ["1.36.0"], ["1.360.0"]],
  ["~1.36.2", ["1.36.2", "1.36.10"], ["1.36.1", "1.37.0"]],
  ["<1.36", ["1.35.10", "1.9.0"], ["1.36.0"]],
  ["<=1.36", ["1.36.9", "1.9.0"], ["1.37.0"]],
  ["<=1.36.2", ["1.36.2"], ["1.36.3"]],
  ["latest", ["1.0.0", "9.9.9"], []],
])("parseSelector matches the versions of %s", (text, matching, others) => {
  const selector = parseSelector(text);
  expect(matching.filter((version) => !selector?.matches(version))).toEqual([]);
  expect(others.filter((version) => selector?.matches(version))).toEqual([]);
});

it("parseSelector requests the index only for latest and with an exclamation mark", () => {
  expect(parseSelector("latest")?.newest).toBe(true);
  expect(parseSelector("1.36.x!")?.newest).toBe(true);
  expect(parseSelector("1.36.x")?.newest).toBe(false);
  expect(parseSelector("latest-on-disk")?.onDisk).toBe(true);
});

it.each(["", "1", "1.2.3.4", "x", "1.36.3-rc.1", ">1.2", "1.36.y"])("parseSelector rejects %j", (text) =>
  expect(parseSelector(text)).toBeUndefined(),
);

it("one release of each minor version can be built, and its Go modules are those of this release", () => {
  const modules = join(import.meta.dirname, "../../../../../scripts/test-servers");
  expect(readdirSync(modules).sort()).toEqual(BUILDABLE_VERSIONS.map(minorOf).sort());
  for (const version of BUILDABLE_VERSIONS) {
    const file = readFileSync(join(modules, minorOf(version), "go.mod"), "utf8");
    expect(file).toContain(`k8s.io/kubernetes v${version} //`);
    const staging = file.match(/k8s\.io\/[\w-]+ => .*/g) ?? [];
    expect(staging.length).toBeGreaterThan(30);
    expect(staging.filter((line) => !line.endsWith(` v0.${version.slice(2)}`))).toEqual([]);
  }
});

it("the default is a release that can be built, and the release of the embedded API server", async () => {
  expect(BUILDABLE_VERSIONS).toContain(DEFAULT_VERSION);
  const server = await createUnitTestServer({ crds: [], objects: [], indexes: [], statusSubresource: [] });
  const { body } = await server.handle({ method: "GET", url: "/version", headers: {} });
  expect(JSON.parse(String(body)).gitVersion).toBe(`v${DEFAULT_VERSION}`);
});
