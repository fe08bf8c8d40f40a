import { expect, it } from "vitest";
import { directoryBeside, migrate, project } from "../test-support/go-project.ts";

it("scaffold migrate names the place of an election that doesn't use the manager's options", async () => {
  const files = { PROJECT: project(), "main.go": 'package main\n\nvar err = leader.Become(ctx, "tools-lock")\n' };
  const { code, stderr } = await migrate(directoryBeside(files));
  expect(code).toBe(0);
  expect(stderr).toContain(
    "sets no LeaderElectionID, and elects its leader with another lock (main.go:3: leader.Become(): if the Go operator can run",
  );
});
