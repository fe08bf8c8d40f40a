// Definitions that a real API server has accepted, and the result of create api with them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "@kubewright/runtime";
import { expect } from "vitest";
import type { ApiServer } from "../../generate/test-support/api-server.ts";
import { codeIn, moreThanTypes } from "../../scaffold/from-crd/test-support/hostile.ts";
import { initProject } from "../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "./run-cli.ts";

export type Values = Record<string, unknown>;

const group = "evil.example.org";

/** The hostile parts of a definition. */
export interface Parts {
  names?: Values;
  group?: string;
  version?: Values;
  metadata?: Values;
  /** Schemas of fields of the spec. */
  fields?: Values;
  required?: readonly string[];
}

/** Returns a definition with these parts. */
export function definition(plural: string, { names = {}, version = {}, metadata = {}, fields = {}, ...rest }: Parts) {
  const spec = { type: "object", properties: fields, required: rest.required };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const ofGroup = rest.group ?? group;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { ...metadata, name: `${plural}.${ofGroup}` },
    spec: {
      group: ofGroup,
      scope: "Namespaced",
      names: { plural, kind: `Evil${plural}`, ...names },
      versions: [{ name: "v1", served: true, storage: true, schema, ...version }],
    },
  };
}

/**
 * Sends a definition to a server, which doesn't store it (dry run).
 *
 * @returns the definition as the server would store it, or `undefined` if the server rejects it
 */
export async function served(server: ApiServer, plural: string, parts: Parts): Promise<unknown> {
  return server.dryRun(definition(plural, parts)).catch((error) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
}

/**
 * Runs create api with a definition in a new project. Expects that each written file contains only types, or no
 * hostile text.
 */
export async function createApi(input: string): Promise<{ code: number; stderr: string }> {
  const root = testDirectory();
  await initProject(root);
  const before = snapshot(root);
  const { code, stderr } = await runCli(root, ["create", "api", "--from-crd", "-"], { input });
  expect(stderr.length).toBeLessThan(100_000);
  expect(stderr).not.toMatch(/this is a bug|\n\s+at /);
  expect(codeIn(root)).toEqual([]);
  if (code === 0) expect(typesIn(root)).toEqual([]);
  else expect(snapshot(root)).toEqual(before);
  return { code, stderr };
}

/** Returns the parts of types files other than types, and RBAC markers that come from the definition. */
function typesIn(root: string): string[] {
  const files = readdirSync(join(root, "api"), { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("-types.ts"),
  );
  expect(files).toHaveLength(1);
  const text = readFileSync(join(root, "api", files[0]!), "utf8");
  const kind = /^export const (\S+) =/m.exec(text)?.[1] ?? "";
  return [
    ...moreThanTypes(text, kind),
    ...text.split("\n").filter((line) => /^\s*(\/\/|\*|\/\*\*)\s*\+kubebuilder:rbac/.test(line)),
  ];
}

/** Expects that a command succeeded, or rejected its input in one line and at most one hint. */
export function expectOneError(name: string, { code, stderr }: { code: number; stderr: string }): void {
  if (code === 0) return;
  const [line = "", ...more] = stderr.trimEnd().split("\n");
  expect({ name, line, more: more.length }).toEqual({
    name,
    line: expect.stringMatching(/^error: .{1,500}$/),
    more: expect.toSatisfy((count: number) => count <= 1),
  });
}
