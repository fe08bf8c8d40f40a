import type { ObjectDetail } from "@kubewright/dashboard/protocol";
import type { RemoteSession } from "../dev/remote.ts";
import { Failure } from "./failure.ts";
import type { Call } from "./tool.ts";

/**
 * Returns the object of a call as KIND/NAME.
 *
 * @throws Failure for another form
 */
export function objectWord(object: unknown): string {
  const word = String(object);
  if (/^[^-/\s][^/\s]*\/[^/\s]+$/.test(word)) return word;
  throw new Failure(
    "usage",
    `${JSON.stringify(word)} isn't an object: it must be KIND/NAME`,
    "for example: game/chess",
  );
}

/** Returns the object of a call as words of a command line. */
export function targetWords({ args: { object, namespace } }: Call): string[] {
  return [objectWord(object), ...(namespace === undefined ? [] : [`--namespace=${String(namespace)}`])];
}

/** Returns the object of a call as the query of a request to the session. */
export function targetQuery({ args: { object, namespace } }: Call): Record<string, string | undefined> {
  const [kind, name] = objectWord(object).split("/");
  return { kind, name, namespace: namespace === undefined ? undefined : String(namespace) };
}

/** Reads the object of a call from the session. */
export function detailOf(session: RemoteSession, call: Call): Promise<ObjectDetail> {
  return session.get<ObjectDetail>("/api/object", targetQuery(call));
}
