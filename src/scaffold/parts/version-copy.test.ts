import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createApi, deleteApi, initProject } from "../test-support/game.ts";
import { testDirectory } from "../test-support/tree.ts";

let root: string;
beforeEach(async () => {
  root = testDirectory();
  await initProject(root);
  await createApi(root);
});

const types = (version: string) => `api/${version}/game-types.ts`;
const text = (path: string) => readFileSync(join(root, path), "utf8");
const write = (path: string, content: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const more = (version: string) => ({ version, controller: false });
const spec = /^export interface GameSpec \{[^}]*\}/m;

const edited = `/** GameSpec defines the desired state of Game */
export interface GameSpec {
  /** image is what runs. */
  // +kubebuilder:validation:MinLength=1
  image: string;
  ports?: Port[];
}

/** Port is nested. */
export interface Port {
  // +kubebuilder:validation:Maximum=65535
  number: number;
}`;

function editTypes(version = "v1"): void {
  write(types(version), text(types(version)).replace(/\/\*\* GameSpec defines[^}]*\}/, edited));
}

describe("another version of a kind", () => {
  it("starts with the types of the newest one, with markers, nested types and comments, and isn't stored", async () => {
    editTypes();
    await createApi(root, more("v2"));
    expect(text(types("v2"))).toContain(edited);
    const stored = "// +kubebuilder:storageversion\n";
    expect(text(types("v1"))).toContain(stored);
    expect(text(types("v2"))).toBe(text(types("v1")).replace(stored, ""));
  });

  it("starts with the version of the highest priority, not with the one that was created last", async () => {
    await createApi(root, more("v2"));
    write(types("v2"), text(types("v2")).replace(spec, "export interface GameSpec {\n  newest?: string;\n}"));
    await createApi(root, more("v3alpha1"));
    write(types("v3alpha1"), text(types("v3alpha1")).replace("newest", "unstable"));
    await createApi(root, more("v4"));
    expect(text(types("v4"))).toContain("newest?: string");
  });

  it("starts with the sample of the newest one, in its own version", async () => {
    const sample = text("config/samples/myapp_v1_game.yaml").replace("spec: {}", "spec:\n  image: nginx # v1");
    write("config/samples/myapp_v1_game.yaml", sample);
    await createApi(root, more("v2"));
    expect(text("config/samples/myapp_v2_game.yaml")).toBe(
      sample.replace("myapp.qingwave.github.io/v1", "myapp.qingwave.github.io/v2"),
    );
  });

  it("has only its own kind, if the file declares several", async () => {
    const other = `// +kubebuilder:object:root=true
// +kubebuilder:storageversion

/** Level is another kind */
export interface Level extends KubernetesObject {
  spec: LevelSpec;
}

export interface LevelSpec {
  number?: number;
}

/** LevelList contains a list of Level */
export type LevelList = KubernetesList<Level>;

export const Level = GroupVersion.kind<Level>("Level");
`;
    write(types("v1"), `${text(types("v1"))}\n${other}`);
    await createApi(root, more("v2"));
    const copy = text(types("v2"));
    expect(copy).toContain('export const Game = GroupVersion.kind<Game>("Game");');
    expect(copy).toContain("export interface LevelSpec {");
    expect(copy).not.toMatch(/\bLevel\b(?!Spec)|LevelList/);
    expect(text(types("v1")).match(/\+kubebuilder:storageversion/g)).toHaveLength(2);
  });

  it("imports shared types from where they are", async () => {
    write("api/v1/shared.ts", "export interface Shared {\n  a?: string;\n}\n");
    write("api/common.ts", "export type Common = string;\n");
    const imports = 'import type { Shared } from "./shared.ts";\nimport type { Common } from "../common.ts";\n';
    write(types("v1"), text(types("v1")).replace("import { GroupVersion }", `${imports}import { GroupVersion }`));
    await createApi(root, more("v2"));
    expect(text(types("v2"))).toContain('from "../v1/shared.ts"');
    expect(text(types("v2"))).toContain('from "../common.ts"');
    expect(text(types("v2"))).toContain('import { GroupVersion } from "./groupversion-info.ts";');
  });

  it("is neither deprecated nor unserved", async () => {
    const marker = '// +kubebuilder:deprecatedversion:warning="use v2"\n// +kubebuilder:unservedversion\n';
    write(
      types("v1"),
      text(types("v1")).replace("// +kubebuilder:subresource", `${marker}// +kubebuilder:subresource`),
    );
    await createApi(root, more("v2"));
    expect(text(types("v2"))).not.toMatch(/deprecatedversion|unservedversion/);
  });

  it("keeps line ends of Windows", async () => {
    editTypes();
    write(types("v1"), text(types("v1")).replaceAll("\n", "\r\n"));
    await createApi(root, more("v2"));
    expect(text(types("v2"))).not.toMatch(/[^\r]\n/);
    expect(text(types("v2"))).toContain("ports?: Port[];\r\n");
  });

  it("is reported if its types couldn't be copied", async () => {
    write(types("v1"), "// mine\n");
    const { notes } = await createApi(root, more("v2"));
    expect(text(types("v2"))).toContain("foo?: string");
    expect(notes).toContainEqual(
      `${types("v1")} doesn't declare Game in the scaffolded form, so ${types("v2")} starts with an example: copy the fields of v1 before objects are used in both versions`,
    );
  });

  it("is removed by delete api as long as it equals the newest one, and kept when it was edited", async () => {
    editTypes();
    const before = text(types("v1"));
    await createApi(root, more("v2"));
    await deleteApi(root, more("v2"));
    expect(existsSync(join(root, types("v2")))).toBe(false);
    expect(existsSync(join(root, "config/samples/myapp_v2_game.yaml"))).toBe(false);
    expect(text(types("v1"))).toBe(before);
    await createApi(root, more("v2"));
    write(types("v2"), text(types("v2")).replace("image is what runs", "image runs"));
    const { kept } = await deleteApi(root, more("v2"));
    expect(kept).toContain(types("v2"));
  });

  it("stays the storage version if it is created again with force", async () => {
    await createApi(root, more("v2"));
    const marker = "// +kubebuilder:storageversion\n";
    write(types("v1"), text(types("v1")).replace(marker, ""));
    write(types("v2"), text(types("v2")).replace("root=true\n", `root=true\n${marker}`));
    editTypes();
    await createApi(root, { ...more("v2"), force: true });
    expect(text(types("v2")).match(/\+kubebuilder:storageversion/g)).toHaveLength(1);
    expect(text(types("v2"))).toContain(edited);
    expect(text(types("v1"))).not.toContain(marker);
  });
});
