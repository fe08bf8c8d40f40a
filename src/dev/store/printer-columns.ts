import type { PrintedColumn } from "@kubewright/dashboard/protocol";
import type { KubeObject } from "../client/kube-client.ts";

/** A printer column of a CustomResourceDefinition. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly priority?: number;
}

const maxColumns = 6;
const longestValue = 60;

/** Returns the columns of a definition's version that `kubectl get` prints, without those of the age. */
export function columnsOf({ spec }: KubeObject, version: string): ColumnDefinition[] {
  const { versions = [] } = (spec ?? {}) as {
    versions?: readonly { name?: string; additionalPrinterColumns?: readonly Partial<ColumnDefinition>[] }[];
  };
  const columns = versions.find(({ name }) => name === version)?.additionalPrinterColumns ?? [];
  return columns
    .flatMap(({ name, type, jsonPath, priority = 0 }): ColumnDefinition[] =>
      typeof name === "string" && typeof jsonPath === "string" && typeof type === "string" && priority === 0
        ? [{ name, type, jsonPath }]
        : [],
    )
    .filter(({ jsonPath }) => jsonPath !== ".metadata.creationTimestamp")
    .slice(0, maxColumns);
}

/** Returns the values of columns. */
export function printedColumns(object: KubeObject, columns: readonly ColumnDefinition[]): PrintedColumn[] {
  return columns.map(({ name, jsonPath }) => {
    const values = valuesAt(object, jsonPath).filter((value) => value !== undefined && value !== null);
    const text = values.map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value))).join(",");
    return { name, value: text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text };
  });
}

/** A step of a path: a name, an index, all items, or a comparison such as `[?(@.type=="Ready")]`. */
const step =
  /\.((?:[^.[\]\\]|\\.)+)|\[(\d+)\]|\[['"]([^'"\]]*)['"]\]|\[(\*)\]|\[\?\(@\.([\w.-]+)\s*==\s*["']([^"']*)["']\)\]/y;

/** Returns the values at a JSONPath of a printer column; none for a path that isn't supported. */
function valuesAt(object: unknown, path: string): unknown[] {
  let values: unknown[] = [object];
  for (let at = 0; at < path.length; at = step.lastIndex) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (!match) return [];
    const end = step.lastIndex;
    const [, name, index, quoted, all, field, wanted] = match;
    const key = name?.replaceAll(/\\(.)/g, "$1") ?? quoted;
    values = values.flatMap((value) => {
      if (key !== undefined) return memberOf(value, key);
      if (!Array.isArray(value)) return [];
      if (index !== undefined) return value.slice(Number(index), Number(index) + 1);
      if (all !== undefined) return value;
      return value.filter((item) => String(valuesAt(item, `.${field}`)[0]) === wanted);
    });
    // The comparison has moved the position.
    step.lastIndex = end;
  }
  return values;
}

function memberOf(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return [];
  return [(value as Record<string, unknown>)[key]];
}
