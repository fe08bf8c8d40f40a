import { fieldDifferences, type PathStep, pathText } from "../../json/field-path.ts";
import { redactField } from "../../log/redact.ts";
import { comparable } from "../checks/snapshot.ts";
import type { UpgradeChange } from "../report/upgrade-change.ts";
import type { Tracked } from "../world/state.ts";
import type { AllowedChanges } from "./allowed-change.ts";
import type { ObjectsById } from "./upgrade-checks.ts";

const bookkeeping: ReadonlySet<string> = new Set(["Lease", "Event", "Namespace", "CustomResourceDefinition"]);

/**
 * Lists what differs after an upgrade.
 *
 * @param before - the state before
 * @param after - the state after
 * @param parts - the test, the name of the old version, the kinds with a definition, and the allowed changes
 */
export function upgradeChanges(
  before: ObjectsById,
  after: ObjectsById,
  parts: {
    readonly file: string;
    readonly test: string;
    readonly from: string;
    readonly custom: ReadonlySet<string>;
    readonly allowed: AllowedChanges;
  },
): UpgradeChange[] {
  const { file, test, from, custom, allowed } = parts;
  const list: UpgradeChange[] = [];
  for (const id of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, now] = [before.get(id), after.get(id)];
    const tracked = (now ?? old) as Tracked;
    const { kind = "", metadata } = tracked.object;
    if (tracked.creator === "cluster" || bookkeeping.has(kind)) continue;
    const { namespace = "", name = "" } = metadata ?? {};
    const isCustom = custom.has(`${tracked.group}/${kind}`);
    const add = (
      action: UpgradeChange["action"],
      change: { path?: readonly PathStep[]; before?: unknown; after?: unknown } = {},
    ): void => {
      const { path } = change;
      const made = { group: tracked.group, kind, name, from: [from] };
      const reason =
        action === "replaced"
          ? allowed.reasonFor({ ...made, action: "replace" })
          : path && allowed.reasonFor({ ...made, path });
      const shown = (value: unknown): unknown => shownValue(kind, path ?? [], value);
      list.push({
        ...{ file, test, from, kind, namespace, name, action, path: pathText(path ?? []) },
        before: shown(change.before),
        after: shown(change.after),
        allowed: reason ?? null,
      });
    };
    if (!old) add("created");
    else if (!now) add("deleted");
    else {
      if (old.object.metadata?.uid !== now.object.metadata?.uid) add("replaced");
      const [left, right] = [old, now].map((one) => comparable(one.object, isCustom));
      for (const { steps, ...values } of fieldDifferences(left, right)) add("changed", { path: steps, ...values });
    }
  }
  return list;
}

function shownValue(kind: string, path: readonly PathStep[], value: unknown): unknown {
  if (value === undefined) return null;
  if (kind === "Secret" && (path[0] === "data" || path[0] === "stringData")) return "(hidden)";
  return redactField(String(path.at(-1) ?? ""), value);
}
