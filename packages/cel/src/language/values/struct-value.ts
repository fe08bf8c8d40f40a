import { EvaluationError } from "./evaluation-error.ts";
import { EntryMap, type Value } from "./value.ts";

/** An object that an expression constructs. */
export class StructValue extends EntryMap {
  readonly #name: string;

  constructor(name: string, entries: ReadonlyMap<string, readonly [Value, Value]>) {
    super(entries);
    this.#name = name;
  }

  override get typeName(): string {
    return this.#name;
  }
}

/** A message with a fixed set of fields. */
export class MessageValue extends StructValue {
  readonly #fields: ReadonlySet<string>;

  constructor(name: string, fields: ReadonlySet<string>, entries: ReadonlyMap<string, readonly [Value, Value]>) {
    super(name, entries);
    this.#fields = fields;
  }

  override get(key: Value): Value | undefined {
    if (!this.#fields.has(String(key))) throw new EvaluationError(`no such field '${String(key)}'`);
    return super.get(key);
  }
}
