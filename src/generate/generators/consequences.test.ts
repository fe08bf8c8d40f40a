import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { generate } from "../generate.ts";
import { project } from "../test-support/project.ts";
import { requestOf } from "../test-support/request.ts";

const options = ["rbac:roleName=r", "crd", "webhook", "paths=./...", "output:dir=config"];

/** A kind whose parts are in several files, as in large projects. */
const files = {
  "api/common/group.ts": 'export const group = "example.com";\n',
  "api/common/base.ts": `import type { Int32, KubernetesObject } from "@kubewright/runtime/api";

export interface Base<S, T> extends KubernetesObject {
  spec?: S;
  status?: T;
}
export enum Mode { A = "a", B = "b" }
export const sizes = ["small", "large"] as const;
export interface Limits { min?: Int32; max?: Int32 }
`,
  "api/v1/groupversion-info.ts": `// +groupName=example.com

import { groupVersion } from "@kubewright/runtime";
import { group } from "../common/group.ts";

export const v1 = groupVersion(group, "v1");
`,
  "api/v1/shared.ts": `export interface Shared {
  // +kubebuilder:validation:MinLength=1
  a: string;
}
`,
  "api/v1/spec.ts": `import type { Int32 } from "@kubewright/runtime/api";
import { type Limits, type Mode, sizes } from "../common/base.ts";
import type { Shared } from "./shared.ts";

export interface Spec extends Shared {
  // +kubebuilder:validation:Minimum=1
  players: Int32;
  limits?: Pick<Limits, "min">;
  size: (typeof sizes)[number];
  mode?: Mode;
  rest?: Omit<Shared, "a">;
  // +listType=map
  // +listMapKey=a
  items?: Shared[];
}
`,
  "api/v1/game.ts": `import type { Base } from "../common/base.ts";
import type { Spec } from "./index.ts";

// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name=Players,type=integer,JSONPath=.spec.players
// +kubebuilder:selectablefield:JSONPath=.spec.size
export interface Game extends Base<Spec, Partial<Spec>> {}
`,
  "api/v1/index.ts": 'export * from "./game.ts";\nexport * from "./spec.ts";\n',
  "src/controller.ts": `export class GameReconciler {
  // +kubebuilder:rbac:groups=example.com,resources=games,verbs=get
  async reconcile(): Promise<void> {}
}
`,
};

fullTest("a syntax error is reported once, without what follows from it in any file", async () => {
  const cwd = project(files);
  const run = async () => (await generate(requestOf(cwd, options))).diagnostics;
  expect(await run()).toEqual([]);
  let broken = 0;
  for (const [name, text] of Object.entries(files)) {
    const path = join(cwd, name);
    const places = [...text.matchAll(/[{}()[\];"<>=]/g)].map(({ index }) => index);
    for (const [count, at] of places.entries()) {
      if (count % 9 !== 0) continue;
      for (const end of [at + 1, text.length]) {
        writeFileSync(path, text.slice(0, at) + text.slice(end));
        const diagnostics = (await run()).map(({ id, file }) => `${id} ${relative(cwd, file)}`);
        // Some files are valid without the rest, or without a semicolon.
        if (!diagnostics.some((line) => line.startsWith("syntax-error"))) continue;
        broken++;
        expect(diagnostics, readFileSync(path, "utf8")).toEqual([`syntax-error ${name}`]);
      }
    }
    writeFileSync(path, text);
  }
  expect(broken).toBeGreaterThan(25);
});

it("independent problems are reported beside a syntax error", async () => {
  const cwd = project({
    ...files,
    "api/common/base.ts": files["api/common/base.ts"].replace("export enum Mode {", "export enum {"),
    // It uses the broken file, but its marker is wrong in itself.
    "api/v1/spec.ts": files["api/v1/spec.ts"].replace("validation:Minimum", "validation:Minimun"),
    // It doesn't use the broken file.
    "api/v1/shared.ts": files["api/v1/shared.ts"].replace("a: string", "a: string;\n  b: any"),
    "src/broken.ts": "export const a = (;\nexport const b = (;\n",
  });
  const { diagnostics } = await generate(requestOf(cwd, options));
  expect(diagnostics.map(({ id, file, line }) => `${relative(cwd, file)}:${line} ${id}`)).toEqual([
    "api/common/base.ts:7 syntax-error",
    "api/v1/shared.ts:4 unsupported-type",
    "api/v1/spec.ts:6 unknown-marker",
    "src/broken.ts:1 syntax-error",
  ]);
});

it("files without a syntax error keep the problems of the whole project", async () => {
  const cwd = project({ ...files, "api/v1/groupversion-info.ts": "export {};\n" });
  const { diagnostics } = await generate(requestOf(cwd, options));
  expect(diagnostics.map(({ id }) => id)).toEqual(["missing-group"]);
});
