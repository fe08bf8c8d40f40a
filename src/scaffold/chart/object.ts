import type { Fields } from "../../yaml/plain-values.ts";
import type { Condition } from "./conditions.ts";
import type { Node } from "./nodes.ts";

/** Placeholders for the name and namespace of the release: characters that no name can contain. */
export const marks = { namePrefix: "\ue000", namespace: "\ue001" } as const;

/** An object of the chart. */
export interface ChartObject {
  /** The source file, relative to the project. */
  readonly origin: string;
  readonly kind: string;
  /** With `marks` in place of the release's name. */
  readonly name: string;
  /** The condition under which the object exists. */
  readonly when: Condition;
  readonly node: Node;
  /** Its form with the current settings of config/; undefined if it doesn't exist with them. */
  readonly now?: Fields;
  readonly isManager: boolean;
}
