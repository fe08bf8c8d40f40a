import type { SourceFile } from "./model.ts";

/** What going through `export *` needs to know of the world outside a file. */
interface Modules {
  readonly file: (path: string) => SourceFile | undefined;
  readonly locate: (from: string, specifier: string) => string | undefined;
}

/** What an `export *` leads to: a file, or a module that may have types without one. */
export type Star = { readonly file: SourceFile } | { readonly specifier: string };

/**
 * Everything that `export *` leads to from a file, those in the files it leads to included; in the order in which a name
 * is looked for. Each is gone to once, when the first name needs it, and kept by the names that it has: thousands of
 * names from thousands of files would otherwise be compared with one another.
 */
export interface Stars {
  /** Those that may have a name, given without what follows its first dot. */
  having(name: string): Generator<Star>;
}

/** Prepares to go through the `export *` of a file. */
export function createStars(start: SourceFile, modules: Modules): Stars {
  const met: Star[] = [];
  const byName = new Map<string, number[]>();
  /** What may have any name. */
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

/** Goes on into the files that are met; without recursion, because nothing says how far one leads to the next. */
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
