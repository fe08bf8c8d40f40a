import type { ApiServer, StoredWrite } from "@kubewright/apiserver";
import { expect, it } from "vitest";
import { State } from "./state.ts";

const finalizers = ["simulation.test/cleanup"];

function write(kind: string, revision: number, after: object | undefined): StoredWrite {
  const target = {
    group: "simulation.test",
    kind,
    resource: `${kind.toLowerCase()}s`,
    namespace: "default",
    name: "a",
  };
  const before = { metadata: { uid: "1" } };
  return {
    ...target,
    revision,
    isNew: revision === 1,
    isDeletion: !after,
    before,
    after: after as StoredWrite["after"],
  };
}

it("State contains the revisions that no process may read, also of children with a finalizer", () => {
  const state = new State({} as ApiServer, [], new Set(["simulation.test/Machine"]));
  for (const kind of ["Machine", "BuiltIn"]) {
    state.apply(write(kind, 1, { metadata: { uid: "1" } }), "operator-1", true);
    state.apply(write(kind, 2, { metadata: { uid: "1", finalizers } }), "operator-1", true);
    state.apply(write(kind, 3, undefined), "operator-1", true);
  }
  const latest = (resource: string): number => state.finalized.latest({ group: "simulation.test", resource }, 2);
  expect(latest("machines")).toBe(1);
  // Built-in kinds have finalizers of the cluster.
  expect(latest("builtins")).toBe(2);
});
