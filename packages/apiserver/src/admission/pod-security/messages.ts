import { compareBytes } from "@kubewright/cel/json";
import { containersWhere, type Pod, type SecurityContext } from "./pod.ts";

/** Returns each text once, in the order of their bytes. */
export function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort(compareBytes);
}

/** Returns texts in quotes, with commas between them. */
export function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}

/** Returns a word in the form for a number of things. */
export function counted(one: string, count: number, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** Returns for example `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${counted("container", names.length)} ${quoted(names)}`;
}

/**
 * Finds the places whose own security context has a wrong setting.
 *
 * @param pod - the Pod
 * @param isWrong - the test for such a context
 * @returns for example `pod` and `containers "a", "b"`
 */
export function settersOf(pod: Pod, isWrong: (context: SecurityContext) => boolean): string[] {
  const { securityContext: own = {} } = pod.spec;
  const names = containersWhere(pod, ({ securityContext = {} }) => isWrong(securityContext));
  return [...(isWrong(own) ? ["pod"] : []), ...(names.length === 0 ? [] : [containersText(names)])];
}
