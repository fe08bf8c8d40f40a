import { describe, expect, test } from "vitest";
import { type Finding, findingsOf } from "./test-support/findings.ts";

const missing = (findings: Finding[]) => findings.filter(({ id }) => id === "rbac-missing").map(({ hint }) => hint);
const add = (marker: string) => `add \`// +kubebuilder:rbac:${marker}\``;

describe("declarations of children", () => {
  const imports = `import { AnyKind, childrenOf } from "@kubewright/runtime";
`;

  test("need the permissions of the kinds, of the owner's finalizers and of its events", async () => {
    const findings =
      await findingsOf(`${imports}const entries = { deployment: Deployment, configs: [ConfigMap] } as const;
export const children = childrenOf(Game, entries, { former: [Secret] });
`);
    expect(missing(findings).sort()).toEqual([
      add("groups=apps,resources=deployments,verbs=get;list;watch;create;patch;delete"),
      add("groups=core,resources=configmaps,verbs=get;list;watch;create;patch;delete"),
      add("groups=core,resources=secrets,verbs=get;list;watch;delete"),
      add("groups=events.k8s.io,resources=events,verbs=create;patch"),
      add("groups=shop.example.com,resources=games/finalizers,verbs=update"),
    ]);
  });

  test("accept the permission to patch the owner, which only children in other namespaces need", async () => {
    const findings = await findingsOf(`// +kubebuilder:rbac:groups=shop.example.com,resources=games,verbs=patch
// +kubebuilder:rbac:groups=shop.example.com,resources=games/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
${imports}export const children = childrenOf(Game, { deployment: Deployment });
`);
    expect(findings).toEqual([]);
  });

  test("AnyKind can't be determined", async () => {
    const findings = await findingsOf(`${imports}export const children = childrenOf(Game, { objects: [AnyKind] });
`);
    expect(findings.map(({ id }) => id)).toContain("rbac-unknown-kind");
  });
});
