import type { Engine } from "./scope.ts";

/** Milliseconds for which a request reads objects before others go on. */
const turnTime = 5;

/**
 * Creates what a request calls after each object that it reads, so that other requests and signals don't wait for a large
 * collection.
 *
 * @param engine - the parts of the server
 * @returns a function that returns a promise when it is the turn of others, which resolves when the request may go on. With a
 *   simulated clock it never does
 */
export function createTurns({ nextTurn, elapsed }: Engine): () => Promise<void> | undefined {
  if (nextTurn === undefined) return () => undefined;
  const next = (): number => elapsed() + turnTime;
  let end = next();
  const others = async (): Promise<void> => {
    await nextTurn();
    end = next();
  };
  return () => (elapsed() < end ? undefined : others());
}
