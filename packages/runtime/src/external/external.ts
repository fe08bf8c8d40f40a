import { ProcessHook } from "../session/process-hook.ts";
import { simulatedProcess } from "../session/simulated-process.ts";

/** Options of {@link external}. */
export interface ExternalOptions<T extends object> {
  /**
   * Functions that only read. `scaffold plan` calls them, and they may connect.
   *
   * @defaultValue none
   */
  readonly reads?: readonly (keyof T)[];
  /**
   * Assumed results for `scaffold plan`, which doesn't call the functions of these names.
   *
   * @defaultValue none
   */
  readonly plan?: {
    readonly [K in keyof T]?: T[K] extends (...values: infer A) => infer R ? (...values: A) => R | Awaited<R> : never;
  };
}

/** A system that the operator uses. */
export interface DeclaredSystem {
  readonly name: string;
  readonly reads: ReadonlySet<string>;
  readonly plan: Readonly<Record<string, (...values: unknown[]) => unknown>>;
}

/** Calls a function of a system in place of production. */
export type ExternalHook = (
  system: DeclaredSystem,
  name: string,
  values: readonly unknown[],
  call: () => unknown,
) => unknown;

/** The hook of this process. */
export const externalHook: ProcessHook<ExternalHook> = new ProcessHook();

/**
 * Declares a system outside of the cluster, such as a cloud's API. In production, each call goes to the system.
 * `scaffold plan` calls only the functions in `reads`, and lists the others. A simulation can replace the system, with the option
 * `externals`.
 *
 * @param name - the name of the system in plans and simulations
 * @param system - the system
 * @param options - see {@link ExternalOptions}
 * @returns an object with the same functions and properties
 * @throws TypeError if the name is empty
 *
 * @example
 * export const buckets = external("buckets", new BucketApi(), {
 *   reads: ["get", "list"],
 *   plan: { create: async (name) => ({ name }) },
 * });
 */
export function external<T extends object>(name: string, system: T, options: ExternalOptions<T> = {}): T {
  if (name === "") throw new TypeError("external(…) requires the name of the system");
  const declared: DeclaredSystem = {
    name,
    reads: new Set((options.reads ?? []).map(String)),
    plan: (options.plan ?? {}) as DeclaredSystem["plan"],
  };
  const functions = new Map<PropertyKey, unknown>();
  return new Proxy(system, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function" || typeof property !== "string" || property === "constructor") return value;
      const known = functions.get(property) as { of?: unknown } | undefined;
      if (known?.of === value) return known;
      const forwarded = Object.assign(
        (...values: unknown[]): unknown => {
          const call = (): unknown => Reflect.apply(value, target, values);
          const simulated = simulatedProcess()?.external?.(name, property, values);
          if (simulated) return simulated.result;
          const { installed } = externalHook;
          return installed ? installed(declared, property, values, call) : call();
        },
        { of: value },
      );
      functions.set(property, forwarded);
      return forwarded;
    },
  });
}
