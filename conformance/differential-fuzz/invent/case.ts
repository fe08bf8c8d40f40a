import type { Random } from "../../../scripts/test-support/random.ts";
import type { Case, Options, Package, Struct, Type } from "../model.ts";
import { comments, inventNamed, inventStruct, isBase } from "./declarations.ts";
import { kindMarkers, type VersionRole } from "./kind-markers.ts";
import { addMisfits } from "./misfits.ts";
import type { Palette } from "./types.ts";

const kindNames = ["Game", "Policy", "Redis", "Status", "Index", "ServerClass", "DNS", "Data", "Quota", "Proxy"];
const versionSets = [["v1"], ["v1"], ["v1"], ["v1alpha1", "v1"], ["v1", "v2"], ["v1beta1", "v1", "v2alpha1"]];

type Ref = Type & { kind: "declared" };

/** Generates an API of one group: one package per version, and optionally a shared one. */
export function inventCase(random: Random, id: string, options: Options): Case {
  const api: Case = { id, packages: [] };
  const shared: Ref[] = [];
  if (random.chance(0.4)) shared.push(...addTypes(random, api, options, emptyPackage(random, api, "shared"), []));
  const versions = random.pick(versionSets);
  const kinds = random.some(kindNames, 2);
  if (kinds.length === 0) kinds.push("Thing");
  const storage = random.int(versions.length);
  const onlyServed = random.int(versions.length);
  const older: Ref[] = [];
  for (const [index, version] of versions.entries()) {
    const target = emptyPackage(random, api, version);
    target.markers.push(`groupName=${id}.fuzz.example.com`);
    if (random.chance(0.1)) target.markers.push(`versionName=${version}x`);
    const own = addTypes(random, api, options, target, [...shared, ...older]);
    // A later version may use the types of an earlier one.
    if (random.chance(0.5)) older.push(...own);
    const role: VersionRole = {
      storage: index === storage,
      only: versions.length === 1,
      mayBeUnserved: index !== onlyServed && index !== storage,
    };
    for (const kind of kinds) addKind(random, { api, options, declared: [...shared, ...own] }, target, kind, role);
  }
  if (random.chance(0.15)) addMisfits(random, api);
  return api;
}

function emptyPackage(random: Random, api: Case, path: string): Package {
  const added: Package = { path, markers: [], declarations: [] };
  if (random.chance(0.1)) added.markers.push("kubebuilder:validation:Optional");
  else if (random.chance(0.05)) added.markers.push("kubebuilder:validation:Required");
  if (random.chance(0.2)) added.markers.push("kubebuilder:object:generate=true");
  api.packages.push(added);
  return added;
}

/** Adds declarations that only refer to earlier ones, so that nothing is recursive. Returns references to them. */
function addTypes(random: Random, api: Case, options: Options, target: Package, known: readonly Ref[]): Ref[] {
  const own: Ref[] = [];
  const add = (name: string, invent: (palette: Palette) => Package["declarations"][number]): void => {
    const declared = [...own, ...known.filter(() => random.chance(0.5))];
    target.declarations.push(invent({ api, options, declared }));
    own.push({ kind: "declared", package: target.path, name });
  };
  for (let index = random.int(2); index > 0; index--) {
    const name = `Base${target.path.replaceAll(/\W/g, "")}${index}`;
    add(name, (palette) => inventStruct(random, palette, target.path, name, []));
  }
  for (let index = random.int(4); index > 0; index--) {
    const name = `${random.pick(["Mode", "Amount", "Names", "Level"])}${index}`;
    add(name, (palette) => inventNamed(random, palette, target.path, name));
  }
  for (let index = 1 + random.int(3); index > 0; index--) {
    const name = `Part${index}`;
    add(name, (palette) => inventStruct(random, palette, target.path, name, bases(palette)));
  }
  return own;
}

function bases({ api, declared }: Palette): Type[] {
  const find = (ref: Ref) =>
    api.packages
      .find((each) => each.path === ref.package)
      ?.declarations.find((declaration) => declaration.name === ref.name);
  return declared.filter((ref) => {
    const base = find(ref);
    return base && isBase(base);
  });
}

function addKind(random: Random, palette: Palette, target: Package, name: string, role: VersionRole): void {
  const place = target.path;
  const spec = inventStruct(random, palette, place, `${name}Spec`, bases(palette));
  const status = inventStruct(random, palette, place, `${name}Status`, []);
  const markers = kindMarkers(random, role, name);
  const field = (fieldName: string, struct: Struct, optional: boolean) => ({
    name: fieldName,
    type: { kind: "declared", package: place, name: struct.name } as const,
    optional,
    ...comments(random, random.chance(0.1) ? ["kubebuilder:default={}"] : []),
  });
  const root: Struct = {
    kind: "struct",
    name,
    embeds: [],
    fields: [field("spec", spec, random.chance(0.3)), field("status", status, random.chance(0.9))],
    form: random.chance(0.8) ? "interface" : "intersection",
    root: { metadataRequired: random.chance(0.2) },
    ...comments(random, markers),
  };
  target.declarations.push(spec, status, root);
}
