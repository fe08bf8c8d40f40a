import { expect, it } from "vitest";
import { electionNotes, otherElection } from "./election.ts";
import { leaseOf } from "./lease.ts";

it.each([
  ["lock := &resourcelock.LeaseLock{\n", "main.go:3: resourcelock.LeaseLock{"],
  ['err = leader.Become(ctx, "tools-lock")\n', "main.go:3: leader.Become("],
])("an election by other means has a place", (code, expected) => {
  const files = [{ path: "main.go", text: () => `package main\n\n${code}` }];
  expect(otherElection(files)).toBe(expected);
  expect(leaseOf(files, "tools")).toBeUndefined();
});

const notes = (files: Readonly<Record<string, string>>) =>
  electionNotes(
    Object.entries({ "go.mod": "module example.org/tools\n", ...files }).map(([path, text]) => ({
      path,
      text: () => text,
    })),
    "tools",
    "tools-system",
  );
const options = (more: string) => `\to := ctrl.Options{\n\t\tLeaderElectionID: "a.example.org",\n${more}\t}\n`;
const main = (more: string, before = "") => ({ "cmd/main.go": `package main\n\n${before}${options(more)}` });
const flag = '\tflag.BoolVar(&elects, "leader-elect", false, "")\n';
const deployment = (args: string) => ({ "config/manager/manager.yaml": `kind: Deployment\n${args}` });

it.each([
  [
    "another lock",
    main("", 'var err = leader.Become(ctx, "tools-lock")\n'),
    "with another lock, too (cmd/main.go:3: leader.Become()",
  ],
  [
    "a Lease in another namespace",
    main('\t\tLeaderElectionNamespace: "kube-system",\n'),
    'cmd/main.go:5: LeaderElectionNamespace: "kube-system": the Lease of the Go operator is in another namespace',
  ],
  [
    "a Lease in a namespace that can't be read",
    main('\t\tLeaderElectionNamespace: os.Getenv("PLACE"),\n'),
    "the Lease of the Go operator may be in another namespace",
  ],
  [
    "no election",
    main("\t\tLeaderElection: false,\n"),
    "LeaderElection: false: the Go operator doesn't elect a leader",
  ],
  [
    "a flag that no Deployment sets",
    { ...main("\t\tLeaderElection: elects,\n", flag), ...deployment("# - --leader-elect\n- --leader-elect=false\n") },
    "cmd/main.go:6: LeaderElection: elects: the Go operator doesn't elect a leader",
  ],
])("the operators can run at the same time because of %s", (_, files, expected) => {
  expect(notes(files)).toEqual([expect.stringContaining(expected)]);
});

it.each([
  ["the own namespace", main('\t\tLeaderElectionNamespace: "tools-system",\n')],
  [
    "a flag for the namespace without a default",
    main("\t\tLeaderElectionNamespace: place,\n", '\tflag.StringVar(&place, "place", "", "namespace")\n'),
  ],
  [
    "a flag in a Deployment",
    { ...main("\t\tLeaderElection: elects,\n", flag), ...deployment('args: ["--leader-elect", "--other"]\n') },
  ],
  ["a flag of an operator without a Deployment", main("\t\tLeaderElection: elects,\n", flag)],
  ["a setting that can't be read", main("\t\tLeaderElection: config.Elects,\n")],
  [
    "a lock of another program",
    { ...main(""), "cmd/agent/main.go": 'package main\n\nvar err = leader.Become(ctx, "a")\n' },
  ],
])("the Lease keeps the operators apart with %s", (_, files) => {
  expect(notes(files)).toEqual([]);
});
