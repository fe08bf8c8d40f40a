import type { JsonObject } from "@kubewright/cel/json";
import { fieldErrorMessage } from "@kubewright/cel/validation";
import type { ApiObject, Strategy, StrategyContext } from "../../model/resource.ts";

/** Calls the rules of a kind as the server does, with objects that have a name. */
export interface StrategyCalls {
  /** Returns the object that the server stores, and the errors and warnings. */
  create(fields: JsonObject): { object: ApiObject; errors: string[]; warnings: string[] };
  /** Returns the errors of an update of the object or of a subresource. */
  update(before: JsonObject, fields: JsonObject, subresource?: string): string[];
}

/** Returns functions that call the rules of a kind. */
export function callsOf(strategy: Strategy): StrategyCalls {
  const make = (fields: JsonObject): ApiObject =>
    structuredClone({ metadata: { name: "a" }, ...fields }) as unknown as ApiObject;
  return {
    create(fields) {
      const warnings: string[] = [];
      const warn = (text: string): void => void warnings.push(text);
      const context = {
        now: 0,
        subresource: "",
        warn,
        get: () => undefined,
        put: () => undefined,
        remove: () => undefined,
      } as Partial<StrategyContext> as StrategyContext;
      const object = make(fields);
      strategy.prepareForCreate?.(object, context);
      const errors = (strategy.validate?.(object, context) ?? []).map(fieldErrorMessage);
      warnings.push(...(strategy.warningsOnCreate?.(object) ?? []));
      return { object, errors, warnings };
    },
    update(before, fields, subresource = "") {
      const context = { now: 0, subresource } as StrategyContext;
      const [object, old] = [make(fields), make(before)];
      strategy.prepareForUpdate?.(object, old, context);
      return (strategy.validateUpdate?.(object, old, context) ?? []).map(fieldErrorMessage);
    },
  };
}
