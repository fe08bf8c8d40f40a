import { filesBelow } from "../../scaffold/files/files-below.ts";
import { openTree } from "../../scaffold/files/tree.ts";
import { printable } from "../../text/shown.ts";
import { isFields, listOf, textOf, type Value, valueAt } from "../../yaml/plain-values.ts";
import { readValues } from "../../yaml/values.ts";
import { guidePage } from "../framework/docs-links.ts";
import { type CheckContext, jsonOf } from "./ask.ts";
import type { Check } from "./check.ts";
import { askCluster } from "./cluster.ts";

/** The versions of a CustomResourceDefinition of the cluster. */
interface StoredVersions {
  readonly name: string;
  /** The version in which objects are written. */
  readonly storage: string;
  /** All versions in which objects may be stored. */
  readonly stored: readonly string[];
}

const page = guidePage("migrate-stored-objects");

/**
 * Asks the cluster in which versions it may store objects.
 *
 * @param context - the environment of the command
 * @param names - the names of CustomResourceDefinitions, such as `games.example.com`
 * @returns the versions of those that exist; none if the cluster isn't reachable
 */
export async function storedVersions(context: CheckContext, names: readonly string[]): Promise<StoredVersions[]> {
  if (names.length === 0) return [];
  const args = ["get", "customresourcedefinitions", ...names, "--ignore-not-found", "-o", "json"];
  const answer = jsonOf<{ kind: Value; items: Value }>(await askCluster(context, ...args)) as Value | undefined;
  // kubectl prints one object as it is, and several as a list.
  const isList = valueAt(answer, "kind") === "List";
  const definitions = isList ? listOf(valueAt(answer, "items")) : isFields(answer) ? [answer] : [];
  return definitions.map((definition) => {
    const versions = listOf(valueAt(definition, "spec", "versions"));
    return {
      name: textOf(valueAt(definition, "metadata", "name")),
      storage: textOf(
        valueAt(
          versions.find((version) => valueAt(version, "storage") === true),
          "name",
        ),
      ),
      stored: listOf(valueAt(definition, "status", "storedVersions")).map(textOf),
    };
  });
}

/**
 * Checks if the cluster may have objects in versions that the project's CRDs don't have, or that aren't the storage version.
 *
 * @param context - the environment of the command
 * @returns the checks with a problem
 */
export async function checkStoredVersions(context: CheckContext): Promise<Check[]> {
  const own = definitionsOf(context.cwd);
  const definitions = await storedVersions(context, [...own.keys()]);
  return definitions.flatMap(({ name, storage, stored }): Check[] => {
    const { file, versions } = own.get(name) ?? { file: "", versions: [] };
    const removed = stored.filter((version) => !versions.includes(version));
    const old = stored.filter((version) => version !== storage);
    if (removed.length > 0 && file !== "") {
      const message = `${file} has no version ${shown(removed)}, in which the cluster may store objects`;
      const hint = `the cluster refuses the CRD: add the version again, and migrate the objects first: see ${page}`;
      return [{ id: "stored-versions", status: "notice", message, hint, file }];
    }
    if (old.length === 0) return [];
    const message = `objects of ${printable(name)} may be stored as ${shown(old)} instead of ${printable(storage)}`;
    const hint = `before you remove a version, migrate the objects: see ${page}`;
    return [{ id: "stored-versions", status: "notice", message, hint }];
  });
}

function shown(versions: readonly string[]): string {
  return printable(versions.join(" and "));
}

/** Returns the versions of the project's CRDs by the names of the CRDs. */
function definitionsOf(cwd: string): ReadonlyMap<string, { file: string; versions: readonly string[] }> {
  const tree = openTree(cwd);
  const files = filesBelow(tree.root, "config/crd/bases", () => false).filter((file) => file.endsWith(".yaml"));
  return new Map(
    files.flatMap((file) => {
      const [definition] = readable(tree.readText(file) ?? "");
      const name = textOf(valueAt(definition, "metadata", "name"));
      const versions = listOf(valueAt(definition, "spec", "versions")).map((version) =>
        textOf(valueAt(version, "name")),
      );
      return /^[a-z0-9][a-z0-9.-]*$/.test(name) && versions.length > 0 ? [[name, { file, versions }] as const] : [];
    }),
  );
}

/** Reads a manifest. The checks of the project report one that isn't valid. */
function readable(text: string): readonly Value[] {
  try {
    return readValues(text) as readonly Value[];
  } catch {
    return [];
  }
}
