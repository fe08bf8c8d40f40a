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
