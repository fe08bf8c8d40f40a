import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withWatchedNamespaces } from "./watched-namespaces.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-watched-"));
  mkdirSync(join(root, "config/samples"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("lets the manager of a namespaced project watch the namespaces of its samples", () => {
  const env = { PATH: "/bin" };
  expect(withWatchedNamespaces(root, { namespaced: true }, env)).toEqual({ ...env, WATCH_NAMESPACE: "default" });
  const game = (namespace: string) => `kind: Game\nmetadata: {name: a, namespace: ${namespace}}\n`;
  writeFileSync(join(root, "config/samples/a.yaml"), `${game("shop")}---\n${game("shop")}---\n${game("bar")}`);
  expect(withWatchedNamespaces(root, { namespaced: true }, env)).toMatchObject({ WATCH_NAMESPACE: "default,shop,bar" });
});

it("keeps the variable of the user, and sets none in other projects", () => {
  expect(withWatchedNamespaces(root, { namespaced: true }, { WATCH_NAMESPACE: "mine" })).toEqual({
    WATCH_NAMESPACE: "mine",
  });
  expect(withWatchedNamespaces(root, { namespaced: false }, {})).toEqual({});
});
