import { compareText, goQuote } from "@kubewright/cel/json";
import { StatusError } from "../model/status.ts";
import { managerParts } from "./managed-fields.ts";
import type { FieldSet } from "./typed/field-set.ts";
import { type FieldPath, pathText } from "./typed/path-element.ts";

/** A field that an applied configuration changes although another manager owns it. */
export interface Conflict {
  /** The identifier of the manager. */
  manager: string;
  path: FieldPath;
}

/** The conflicts of an applied configuration that isn't forced. {@link conflictStatus} makes the response of the API. */
export class ConflictError extends Error {
  readonly conflicts: readonly Conflict[];

  /** @param conflicts - at least one conflict */
  constructor(conflicts: readonly Conflict[]) {
    super("conflict");
    this.name = "ConflictError";
    this.conflicts = conflicts;
  }

  /** Returns the error for fields of several managers, sorted by manager. */
  static of(fields: ReadonlyMap<string, FieldSet>): ConflictError {
    const managers = [...fields].sort(([a], [b]) => compareText(a, b));
    return new ConflictError(managers.flatMap(([manager, set]) => set.paths().map((path) => ({ manager, path }))));
  }
}

/**
 * Returns the response of the API to conflicts.
 *
 * @param conflicts - at least one conflict
 * @returns the error with status 409 and a cause per field
 */
export function conflictStatus(conflicts: readonly Conflict[]): StatusError {
  return new StatusError(409, "Conflict", conflictMessage(conflicts), {
    causes: conflicts.map(({ manager, path }) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${managerText(manager)}`,
      field: pathText(path),
    })),
  });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const groups = new Map<string, FieldPath[]>();
  for (const { manager, path } of conflicts) {
    const paths = groups.get(manager);
    if (paths) paths.push(path);
    else groups.set(manager, [path]);
  }
  const lines = [...groups]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([manager, paths]) => [
      `conflicts with ${managerText(manager)}:`,
      ...paths.map((path) => `- ${pathText(path)}`),
    ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function managerText(identifier: string): string {
  const { manager = "", operation, apiVersion = "", subresource } = managerParts(identifier);
  const name = subresource ? `${goQuote(manager)} with subresource ${goQuote(subresource)}` : goQuote(manager);
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
