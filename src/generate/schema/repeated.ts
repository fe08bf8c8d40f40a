import { isDeepStrictEqual } from "node:util";
import type { FieldNode } from "../packages/nodes.ts";
import type { Member } from "../source/model.ts";
import type { SchemaBuilder, Scope } from "./builder.ts";

/** Reports fields that a type declares twice, as TypeScript does. */
export function checkDuplicates(builder: SchemaBuilder, fields: readonly FieldNode[]): void {
  const met = new Map<string, FieldNode>();
  for (const field of fields) {
    const first = met.get(field.name);
    // Functions may have overloads, and another check rejects them.
    if (field.type.kind === "other") continue;
    if (!first) met.set(field.name, field);
    else {
      const message = `the field ${field.name} is declared twice`;
      builder.error("duplicate-field", field.at, message, `remove one of them: the other is in line ${first.at.line}`);
    }
  }
}

/** Reports fields that merged interfaces declare differently. */
export function checkRepeated(
  builder: SchemaBuilder,
  fields: readonly FieldNode[],
  repeated: readonly Member[],
  scope: Scope,
): void {
  for (const again of repeated) {
    const first = fields.find(({ name }) => name === again.name);
    if (!first || !again.type || again.type.kind === "other") continue;
    const { type } = again;
    const [one, other] = [first.type, type].map((typeExpr) => {
      // Documentation isn't part of a type.
      const { description: _, ...schema } = builder.resolved(builder.expression(typeExpr, scope));
      return schema;
    });
    if (isDeepStrictEqual(one, other) && first.optional === again.optional) continue;
    const differs = first.optional === again.optional ? "with a different type" : "with a different `?`";
    const message = `the field ${again.name} is declared again, ${differs}`;
    builder.error("conflicting-types", again.at, message, `declare it as in ${place(first, again)}`);
  }
}

function place({ at }: FieldNode, again: Member): string {
  const sameFile = at.file === again.at.file;
  return sameFile ? `line ${at.line}` : `${at.file}:${at.line}`;
}
