// The error of a call with several overloads must be at the field that is wrong, in the compiler of scaffolded projects.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const require = createRequire(import.meta.url);
const source = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
const head = `import type { KubernetesObject } from ${source("../api/index.ts")};
import { AnyKind, keep } from ${source("../children/types.ts")};
import { childrenOf } from ${source("../children/children.ts")};
import type { Context } from ${source("../reconcile/context.ts")};
import { createOrPatch, createOrUpdate } from ${source("../controllerutil/create-or-update.ts")};
import { groupVersion } from ${source("../api/kind.ts")};
import { mergeFrom } from ${source("./patch.ts")};
import { withFieldOwner } from ${source("./wrappers/with-options.ts")};
import type { Client } from ${source("./client.ts")};
interface Player extends KubernetesObject { spec: { role: string; title?: string }; status?: { phase?: string } }
const Player = groupVersion("a.example.com", "v1").kind<Player>("Player");
declare const client: Client;
const apiVersion = "a.example.com/v1", kind = "Player", metadata = { name: "a", namespace: "b" };
const owner = { fieldOwner: "tests" }, player: Player = { apiVersion, kind, metadata, spec: { role: "x" } };
declare const ctx: Context, stored: import(${source("./client.ts")}).Stored<Player>;
const kinds = { one: Player, list: [Player], any: [AnyKind] } as const;
const set = childrenOf(Player, kinds);
const none = { one: undefined, list: [], any: [] };
const reconcile = (wanted: Parameters<typeof set.reconcile>[3]) => set.reconcile(ctx, client, stored, wanted);
export { childrenOf, createOrPatch, createOrUpdate, keep, kinds, mergeFrom, none, reconcile, withFieldOwner, owner, player };
`;

/** Calls with one wrong word, which is at the start of the error, and the text that the error contains. */
const calls: [call: string, wrong: string, text: string][] = [
  ["client.create(Player, { metadata, spec: { rol: 'x' } })", "rol", "'rol' does not exist"],
  ["client.create(Player, { metadata, spec: { role: 'x', titel: '' } })", "titel", "mean to write 'title'"],
  ["client.create(Player, { metadata, spec: { role: 1 } })", "role", "'number' is not assignable to type 'string'"],
  ["client.create(Player, { metadata, sepc: {}, spec: { role: '' } })", "sepc", "'sepc' does not exist in type"],
  ["client.create(Player, { metadata })", "{ metadata })", "Property 'spec' is missing"],
  ["client.create(Player, player, { dryrun: true })", "dryrun", "mean to write 'dryRun'"],
  ["client.create<Player>({ apiVersion, kind, metadata, spec: { rol: 'x' } })", "rol", "mean to write 'role'"],
  ["client.update<Player>({ apiVersion, kind, metadata, spec: { rol: 'x' } })", "rol", "mean to write 'role'"],
  [
    "client.patch({ ...player, spec: { rol: 'x' } } as Player, mergeFrom({}))",
    "{}",
    "missing the following properties",
  ],
  ["client.apply<Player>({ apiVersion, kind, metadata, spec: { rol: 'x' } }, owner)", "rol", "mean to write 'role'"],
  [
    "client.apply<Player>({ apiVersion, kind, metadata, spec: { role: 1 } }, owner)",
    "role",
    "'number' is not assignable",
  ],
  ["client.status.apply<Player>({ ...player, status: { phas: 'x' } }, owner)", "phas", "mean to write 'phase'"],
  [
    "withFieldOwner(client, 'a').apply<Player>({ apiVersion, kind, metadata, spec: { rol: 'x' } })",
    "rol",
    "mean to write 'role'",
  ],
  ["client.get(Player, { namspace: 'a', name: 'b' })", "namspace", "mean to write 'namespace'"],
  ["client.list(Player, { namspace: 'a' })", "namspace", "mean to write 'namespace'"],
  ["client.delete(Player, { namspace: 'a', name: 'b' })", "namspace", "mean to write 'namespace'"],
  [
    "createOrUpdate<Player>(client, { apiVersion, kind, metadata, spec: { rol: 'x' } }, () => {})",
    "rol",
    "mean to write 'role'",
  ],
  ["createOrUpdate(client, player, (found) => { found.spec.rol = 'x'; })", "rol", "mean 'role'"],
  ["createOrPatch(client, player, (found) => { found.spec = { rol: 'x' }; })", "rol", "mean to write 'role'"],
  ["reconcile({ one: undefined, list: [] })", "{ one", "Property 'any' is missing"],
  ["reconcile({ ...none, one: { spec: { rol: 'x' } } })", "rol", "mean to write 'role'"],
  ["reconcile({ ...none, one: { sepc: {} } })", "sepc", "'sepc' does not exist"],
  ["reconcile({ ...none, one: { status: {} } })", "status", "'status' does not exist"],
  ["reconcile({ ...none, list: [{ spec: { role: 'x' } }] })", "{ spec", "Property 'metadata' is missing"],
  ["reconcile({ ...none, list: [{ metadata: {} }] })", "metadata", "Property 'name' is missing"],
  ["reconcile({ ...none, list: undefined })", "list", "'undefined' is not assignable"],
  ["reconcile({ ...none, any: [{ metadata }] })", "{ metadata", "missing the following properties"],
  ["reconcile({ ...none, other: undefined })", "other", "'other' does not exist"],
  ["childrenOf(Player, kinds, { entries: { one: { after: ['lits'] } } })", "'lits'", "not assignable"],
  ["childrenOf(Player, kinds, { entries: { tow: {} } })", "tow", "'tow' does not exist"],
  ["childrenOf(Player, kinds, { fieldOwnr: 'x' })", "fieldOwnr", "mean to write 'fieldOwner'"],
  ["reconcile({ ...none }).then(({ children }) => children.one?.spec.rol)", "rol", "Property 'rol' does not exist"],
];

const correct = [
  "reconcile({ one: keep, list: keep, any: keep })",
  "reconcile({ one: { spec: { role: 'x' } }, list: [{ metadata: { name: 'a' } }], any: [player as never] })",
  "childrenOf(Player, kinds, { entries: { one: { after: ['list'], ready: ({ status }) => status?.phase === 'x' } } })",
  "reconcile(none).then(({ children }) => [children.one?.spec.role, children.list[0]?.spec.role, children.any.length])",
  "createOrUpdate(client, player, (found) => { found.metadata.labels = { app: found.metadata.name }; })",
  "createOrPatch(client, player, (found) => { found.metadata.labels = { app: found.metadata.name }; })",
  "client.create(player, { dryRun: true })",
  "client.create(Player, player)",
];

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-compile-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the errors by line of the calls. */
async function errorsOf(compiler: string): Promise<Map<number, { column: number; text: string }>> {
  const file = join(directory, "calls.ts");
  writeFileSync(file, head + [...calls.map(([call]) => call), ...correct].map((call) => `void ${call};\n`).join(""));
  const tsc = join(dirname(require.resolve(`${compiler}/package.json`)), "bin/tsc");
  const flags = "--strict --noEmit --skipLibCheck --allowImportingTsExtensions --target es2023 --types node";
  const modules = ["--module", "nodenext", "--moduleResolution", "nodenext", "--ignoreConfig"];
  const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
    const cwd = fileURLToPath(new URL("../../../..", import.meta.url));
    execFile(process.execPath, [tsc, ...flags.split(" "), ...modules, file], { cwd }, (_error, stdout) =>
      resolve({ stdout }),
    );
  });
  const first = head.split("\n").length;
  const errors = new Map<number, { column: number; text: string }>();
  for (const [, line, column, text = ""] of stdout.matchAll(/calls\.ts\((\d+),(\d+)\): ((?:.*)(?:\n .*)*)/g)) {
    errors.set(Number(line) - first, { column: Number(column), text });
  }
  expect(
    [...errors.keys()].every((line) => line >= 0),
    stdout,
  ).toBe(true);
  return errors;
}

describe("the compiler of scaffolded projects", () => {
  let errors: Awaited<ReturnType<typeof errorsOf>>;
  beforeAll(async () => {
    errors = await errorsOf("typescript-native");
  });

  it.each(calls.map((call, line) => [...call, line] as const))("%s: the error is at %s", (call, wrong, text, line) => {
    const error = errors.get(line);
    expect(error?.text).toContain(text);
    expect(`void ${call}`.slice((error?.column ?? 0) - 1)).toMatch(new RegExp(`^${wrong.replace(/\W/g, "\\$&")}`));
  });

  it.each(correct)("accepts %s", (call) => {
    expect(errors.get(calls.length + correct.indexOf(call))).toBeUndefined();
  });
});
