import type { JsonObject } from "@kubewright/cel/json";

/** Signals that a conversion must finish before the operation that needs it can run. */
export class PendingConversion extends Error {
  readonly conversion: Promise<void>;

  /** @param conversion - settles when the operation can be repeated */
  constructor(conversion: Promise<void>) {
    super("a conversion is pending");
    this.name = "PendingConversion";
    this.conversion = conversion;
  }
}

/**
 * Converts an object to another version of its kind.
 *
 * @returns the converted object, or undefined if the version doesn't exist
 * @throws Error if the conversion fails
 */
export type Convert = (object: JsonObject, apiVersion: string) => JsonObject | undefined;

/**
 * Runs an operation of this module whose conversions are asynchronous, as those of webhooks are. The operation runs again
 * after each conversion that it requested, with its result.
 *
 * @param convert - the asynchronous conversion
 * @param operation - the operation, which passes its argument on as {@link Convert}. It must not have side effects.
 * @returns the result of the operation
 */
export async function withAsyncConversion<Result>(
  convert: (object: JsonObject, apiVersion: string) => Promise<JsonObject | undefined>,
  operation: (convert: Convert) => Result,
): Promise<Result> {
  const done: (() => JsonObject | undefined)[] = [];
  for (;;) {
    // Each run requests the same conversions in the same order.
    let index = 0;
    const cached: Convert = (object, apiVersion) => {
      const result = done[index++];
      if (result !== undefined) return result();
      throw new PendingConversion(
        convert(object, apiVersion).then(
          (converted) => {
            done.push(() => converted);
          },
          (error) => {
            done.push(() => {
              throw error;
            });
          },
        ),
      );
    };
    try {
      return operation(cached);
    } catch (error) {
      if (!(error instanceof PendingConversion)) throw error;
      await error.conversion;
    }
  }
}
