import { typesIn } from "./facets.ts";
import type { Case, Comments, Declaration, Type } from "./model.ts";

/** Returns all cases that are one step smaller. */
export function smaller(api: Case): Case[] {
  const cases: Case[] = [];
  const attempt = (change: (copy: Case) => void): void => {
    const copy = structuredClone(api);
    change(copy);
    cases.push(copy);
  };
  for (const [p, changedPackage] of api.packages.entries()) {
    if (api.packages.length > 1) attempt((copy) => copy.packages.splice(p, 1));
    for (const m of changedPackage.markers.keys()) attempt((copy) => copy.packages[p]!.markers.splice(m, 1));
    for (const [d, declaration] of changedPackage.declarations.entries()) {
      attempt((copy) => copy.packages[p]!.declarations.splice(d, 1));
      declarationSteps(declaration, (change) => attempt((copy) => change(copy.packages[p]!.declarations[d]!)));
    }
  }
  return cases.filter(isComplete);
}

type Step<T> = (change: (copy: T) => void) => void;

function declarationSteps(declaration: Declaration, step: Step<Declaration>): void {
  commentSteps(declaration, (change) => step(change));
  if (declaration.kind === "named") {
    typeSteps(declaration.type, (type) =>
      step((copy) => {
        if (copy.kind === "named") copy.type = type;
      }),
    );
    return;
  }
  const { form, embeds, fields } = declaration;
  const inStruct: Step<Declaration & { kind: "struct" }> = (change) =>
    step((copy) => {
      if (copy.kind === "struct") change(copy);
    });
  if (form !== "interface") {
    inStruct((copy) => {
      copy.form = "interface";
    });
  }
  if (embeds.length > 0) inStruct((copy) => copy.embeds.splice(0, 1));
  for (const [f, field] of fields.entries()) {
    inStruct((copy) => copy.fields.splice(f, 1));
    commentSteps(field, (change) => inStruct((copy) => change(copy.fields[f]!)));
    typeSteps(field.type, (type) =>
      inStruct((copy) => {
        copy.fields[f]!.type = type;
      }),
    );
  }
}

function commentSteps(comments: Comments, step: Step<Comments>): void {
  for (const key of ["doc", "markers", "above"] as const) {
    for (const index of comments[key].keys()) step((copy) => copy[key].splice(index, 1));
    if (comments[key].length > 1) {
      step((copy) => {
        copy[key] = [];
      });
    }
  }
  if (comments.style !== 0) {
    step((copy) => {
      copy.style = 0;
    });
  }
}

function typeSteps(type: Type, step: (type: Type) => void): void {
  if (type.kind !== "scalar") step({ kind: "scalar", name: "string" });
  if (type.kind === "pointer") step(type.to);
  if (type.kind === "list" || type.kind === "map") step(type.of);
}

/** Whether all references have a declaration. */
function isComplete(api: Case): boolean {
  const names = new Set(
    api.packages.flatMap((each) => each.declarations.map((declaration) => `${each.path}.${declaration.name}`)),
  );
  return api.packages.every((each) =>
    each.declarations.every((declaration) =>
      typesIn(declaration).every((type) => type.kind !== "declared" || names.has(`${type.package}.${type.name}`)),
    ),
  );
}

/** Returns the same API with another name, and therefore in another group. */
export function renamed(api: Case, id: string): Case {
  const packages = api.packages.map((each) => ({
    ...each,
    markers: each.markers.map((marker) => marker.replace(`groupName=${api.id}.`, `groupName=${id}.`)),
  }));
  return { id, packages };
}

/** Returns the number of parts of a case. */
export function size(api: Case): number {
  return JSON.stringify(api).length;
}
