import type { AmbientFaults } from "./faults/ambient.ts";

/** The parts of a run without faults that changes the objects of the user. */
export interface Probed {
  /** Identifies the settled state in a simulation of an upgrade. */
  readonly label: string;
  readonly ambient: AmbientFaults;
  /** Lets things happen until nothing is left to do. */
  quiet(): Promise<void>;
  /** Ends all processes, and starts new ones. */
  restart(): void;
}

/** Deletes the objects of the user, and creates them again while nothing else happens. */
export async function recreateAll({ ambient, quiet, restart }: Probed): Promise<void> {
  const create = ambient.delete(ambient.idsOfUsers());
  await quiet();
  restart();
  await quiet();
  create();
  await quiet();
}

/** Deletes the objects of the user, and creates them again at once: their children may still exist. */
export async function recreateAtOnce({ ambient, quiet }: Probed): Promise<void> {
  ambient.recreateAll();
  await quiet();
}

/**
 * Deletes each object of the user alone, and creates it again.
 *
 * @param probed - the run
 * @param inUse - receives the identifiers of the objects that remain until another one is deleted
 */
export async function deleteEach({ ambient, quiet }: Probed, inUse: Set<string>): Promise<void> {
  for (const id of ambient.idsOfUsers()) {
    const create = ambient.delete([id]);
    await quiet();
    if (ambient.release(id)) {
      inUse.add(id);
      await quiet();
    }
    create();
    await quiet();
  }
}

/**
 * Removes labels and finalizers that the operator has set. Of several objects of a kind, one shows what the operator does.
 *
 * @param probed - the run
 * @param restored - receives whether the operator sets them again
 */
export async function removeMarks(
  { ambient: { hands }, quiet }: Probed,
  restored: Map<string, boolean>,
): Promise<void> {
  const done = new Set<string>();
  for (const marked of hands.marks()) {
    if (done.has(marked.key) || restored.get(marked.key) === false) continue;
    done.add(marked.key);
    const isRestored = hands.remove(marked);
    await quiet();
    restored.set(marked.key, isRestored());
    await quiet();
  }
}

/**
 * Deletes each child, and starts new processes, which see what is missing.
 *
 * @param probed - the run
 * @param restored - receives for each child whether the operator creates it again
 */
export async function deleteChildren(
  { ambient: { hands }, quiet, restart }: Probed,
  restored: Map<string, boolean>,
): Promise<void> {
  for (const { id, remove, isRestored } of hands.eachChild()) {
    remove();
    await quiet();
    restart();
    await quiet();
    restored.set(id, isRestored());
  }
}

/**
 * Removes what somebody can remove by hand, and starts new processes, which see what is missing.
 *
 * @param probed - the run
 * @param restored - receives for each kind whether the operator restores all of its objects
 */
export async function removeEach(
  { ambient: { hands }, quiet, restart }: Probed,
  restored: Map<string, boolean>,
): Promise<void> {
  for (const { kind, remove, isRestored } of hands.removals()) {
    remove();
    await quiet();
    restart();
    await quiet();
    restored.set(kind, isRestored() && restored.get(kind) !== false);
  }
}
