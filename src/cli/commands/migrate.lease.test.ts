import { expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { directoryBeside, main, migrate, project, text } from "../test-support/go-project.ts";

it("scaffold migrate names the place of an election that doesn't use the manager's options", async () => {
  const files = { PROJECT: project(), "main.go": 'package main\n\nvar err = leader.Become(ctx, "tools-lock")\n' };
  const { code, stderr } = await migrate(directoryBeside(files));
  expect(code).toBe(0);
  expect(stderr).toContain(
    "sets no LeaderElectionID, and elects its leader with another lock (main.go:3: leader.Become(): if the Go operator can run",
  );
});

fullTest("scaffold migrate uses the Lease of --leader-election-id", async () => {
  const root = directoryBeside({ PROJECT: project(), "cmd/main.go": main });
  expect(await migrate(root, "--leader-election-id", "mine")).toMatchObject({ code: 0 });
  expect(text(root, "src/main.ts")).toContain('leaderElectionID: "mine"');
});
