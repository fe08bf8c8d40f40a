import type { StoredWrite } from "@kubewright/apiserver";
import { expect, it } from "vitest";
import { DeletedOwners } from "./deleted-owners.ts";

const object = (uid: string, owner?: string) => ({
  metadata: { uid, ...(owner === undefined ? {} : { ownerReferences: [{ uid: owner }] }) },
});
const deletion = (before: object): StoredWrite => ({ before }) as unknown as StoredWrite;

it("finds children that the cluster deletes after somebody has deleted their owner", () => {
  const owners = new DeletedOwners();
  expect(owners.deletesChild(deletion(object("child", "shop")), "cluster")).toBe(false);
  expect(owners.deletesChild(deletion(object("shop")), "someone")).toBe(false);
  expect(owners.deletesChild(deletion(object("child", "shop")), "cluster")).toBe(true);
  expect(owners.deletesChild(deletion(object("child", "other")), "cluster")).toBe(false);
});

it("doesn't find children that the operator deletes, or whose owner it has deleted", () => {
  const owners = new DeletedOwners();
  owners.deletesChild(deletion(object("shop")), "someone");
  expect(owners.deletesChild(deletion(object("child", "shop")), "new-1")).toBe(false);
  owners.deletesChild(deletion(object("parent")), "new-1");
  expect(owners.deletesChild(deletion(object("child", "parent")), "cluster")).toBe(false);
});
