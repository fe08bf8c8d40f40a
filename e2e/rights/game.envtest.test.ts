// The Game of the docs with what its markers give it; rights.full.test.ts has the other golden projects.
import { expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { testRights } from "./rights.ts";

testRights({ project: "game", overlay: "examples/game", controllers: 1 }, ({ kubectl, process }) => {
  const children = ["deployment", "service", "ingress"];

  it("reconciles: makes children, writes the status", async () => {
    await kubectl().apply(`apiVersion: myapp.qingwave.github.io/v1
kind: Game
metadata: { name: sample, namespace: default }
spec: { image: nginx, host: a.example.com }
`);
    await eventually(async () => {
      for (const child of children) await kubectl().get(child, "sample");
      expect((await kubectl().get("game", "sample")).status).toMatchObject({ phase: "NotReady" });
    });
    expect(process().output).not.toContain("Missing permission");
  });
});
