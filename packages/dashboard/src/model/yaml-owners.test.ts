import { describe, expect, it } from "vitest";
import type { FieldOwner } from "../protocol/protocol.ts";
import { ownedLines } from "./yaml-owners.ts";

const owner = (manager: string, ...paths: string[]): FieldOwner => ({ manager, operation: "Apply", paths });
const show = (yaml: string, ...owners: FieldOwner[]): string[] =>
  ownedLines(yaml, owners).map(({ text, owners }) => `${owners.map(({ manager }) => manager).join(",")}|${text}`);

describe("the field managers of YAML lines", () => {
  it("are found by the path of a field", () => {
    const yaml = "spec:\n  replicas: 1\n  host: a.io\nstatus:\n  phase: Running\n";
    expect(show(yaml, owner("kubectl", "spec.replicas"), owner("game", "status.phase"))).toEqual([
      "|spec:",
      "kubectl|  replicas: 1",
      "|  host: a.io",
      "|status:",
      "game|  phase: Running",
    ]);
  });

  it("are found for list items by their keys and values", () => {
    const yaml = `spec:
  containers:
    - name: app
      image: a
      ports:
        - containerPort: 80
          protocol: TCP
    - name: proxy
      image: b
  finalizers:
    - example.io/a
    - example.io/b
`;
    const owners = [
      owner("x", "spec.containers[name=proxy].image"),
      owner("y", "spec.containers[name=app].ports[containerPort=80,protocol=TCP].protocol"),
      owner("z", 'spec.finalizers["example.io/b"]'),
    ];
    expect(show(yaml, ...owners).filter((line) => !line.startsWith("|"))).toEqual([
      "y|          protocol: TCP",
      "x|      image: b",
      "z|    - example.io/b",
    ]);
  });

  it("are found for names with dots and quotes", () => {
    const yaml = `metadata:\n  annotations:\n    a.io/b: c\n    'on': x\n    a: y\n`;
    expect(show(yaml, owner("m", "metadata.annotations.a.io/b", "metadata.annotations.on"))).toEqual([
      "|metadata:",
      "|  annotations:",
      "m|    a.io/b: c",
      "m|    'on': x",
      "|    a: y",
    ]);
  });

  it("include all lines of multi-line strings and of atomic values", () => {
    const yaml = "data:\n  text: |\n    a: 1\n      b: 2\n\n    c\n  map:\n    k: v\n  other: 1\n";
    expect(show(yaml, owner("m", "data.text", "data.map"))).toEqual([
      "|data:",
      "m|  text: |",
      "m|    a: 1",
      "m|      b: 2",
      "m|",
      "m|    c",
      "m|  map:",
      "m|    k: v",
      "|  other: 1",
    ]);
  });

  it("include all managers of a shared field, and are empty for lines without a manager", () => {
    expect(show("spec:\n  a: 1\n", owner("x", "spec.a"), owner("y", "spec.a", "spec.gone"))).toEqual([
      "|spec:",
      "x,y|  a: 1",
    ]);
  });
});
