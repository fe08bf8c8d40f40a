import type { SourceFile } from "./model.ts";

/** Access to other files while following `export *`. */
interface Modules {
  readonly file: (path: string) => SourceFile | undefined;
  readonly locate: (from: string, specifier: string) => string | undefined;
}

/** The target of an `export *`: a file, or a module that may have types without a file. */
export type Star = { readonly file: SourceFile } | { readonly specifier: string };

/**
 * All direct and indirect targets of the `export *` in a file, in the order of the search. Each is visited once, on demand,
 * and indexed by its names. Otherwise, thousands of names would each be searched for in thousands of files.
 */
export interface Stars {
  /** Returns the targets that may have a name, which must not contain a dot. */
  having(name: string): Generator<Star>;
}

/** Prepares to follow the `export *` of a file. */
export function createStars(start: SourceFile, modules: Modules): Stars {
  const met: Star[] = [];
  const byName = new Map<string, number[]>();
  /** Targets that may have any name. */
  const open: number[] = [];
  const rest = walk(start, modules);

  function meet(star: Star): void {
    const order = met.push(star) - 1;
    if (!("file" in star) || star.file.reExports.some(({ exported }) => exported === "export=")) {
      open.push(order);
      return;
    }
    for (const name of namesOf(star.file)) {
      const same = byName.get(name);
      if (same) same.push(order);
      else byName.set(name, [order]);
    }
  }

  return {
    *having(name) {
      let last = -1;
      for (;;) {
        const after = (orders: readonly number[] | undefined) => orders?.find((order) => order > last) ?? met.length;
        const next = Math.min(after(byName.get(name)), after(open));
        const star = met[next];
        if (star) {
          last = next;
          yield star;
          continue;
        }
        last = met.length - 1;
        const more = rest.next();
        if (more.done) return;
        meet(more.value);
      }
    },
  };
}

/** Visits the targets without recursion, because a chain of files may have any length. */
function* walk(start: SourceFile, { file, locate }: Modules): Generator<Star> {
  const seen = new Set([start.path]);
  const open = [{ from: start.path, specifiers: starsIn(start).values() }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { value: specifier, done } = top.specifiers.next();
    if (done || specifier === undefined) {
      open.pop();
      continue;
    }
    if (!specifier.startsWith(".")) yield { specifier };
    const path = locate(top.from, specifier);
    const next = path === undefined || seen.has(path) ? undefined : file(path);
    if (path === undefined || !next) continue;
    seen.add(path);
    yield { file: next };
    open.push({ from: path, specifiers: starsIn(next).values() });
  }
}

function starsIn({ reExports }: SourceFile): string[] {
  return reExports.flatMap(({ exported, specifier }) =>
    exported === "*" && specifier !== undefined ? [specifier] : [],
  );
}

function namesOf({ declarations, reExports }: SourceFile): Set<string> {
  const names = new Set(declarations.map(({ name }) => name.split(".", 1)[0] ?? name));
  for (const { exported } of reExports) names.add(exported);
  return names;
}
