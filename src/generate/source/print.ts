// Prints type expressions as text for the type checker.
import type { MappedType, Member, ObjectType, RefType, Target, TupleType, TypeExpr } from "./model.ts";

/** Printed text, and the members in it by their offsets from the start of the text. */
export interface Printed {
  readonly text: string;
  readonly members: ReadonlyMap<number, Member>;
}

/** Returns a name for a type that isn't declared in the file that is printed for. */
export type NameElsewhere = (target: Exclude<Target, { kind: "parameter" | "global" }>) => string;

/** Prints an expression so that it is valid at the end of its file. */
export function printType(expr: TypeExpr, elsewhere: NameElsewhere): Printed {
  const members = new Map<number, Member>();
  let text = "";
  const put = (piece: string) => {
    text += piece;
  };
  const list = (types: readonly TypeExpr[], separator: string) => {
    for (const [index, type] of types.entries()) {
      if (index > 0) put(separator);
      print(type);
    }
  };
  const within = (before: string, types: readonly TypeExpr[], separator: string, after: string) => {
    put(before);
    list(types, separator);
    put(after);
  };
  const named = (target: Target, written: string) => {
    const away = (target.kind === "local" || target.kind === "import") && target.file !== expr.at.file;
    // The full name is needed: within a namespace, the written name is shorter.
    put(away ? elsewhere(target) : target.kind === "local" ? target.name : written);
  };
  function print(type: TypeExpr): void {
    if (type.kind === "keyword") put(type.name);
    else if (type.kind === "literal") put(JSON.stringify(type.value));
    else if (type.kind === "array") within("(", [type.element], "", ")[]");
    else if (type.kind === "tuple") tuple(type);
    else if (type.kind === "object") object(type);
    else if (type.kind === "union") within("(", type.types, " | ", type.types.length === 0 ? "never)" : ")");
    else if (type.kind === "intersection") within("(", type.types, " & ", ")");
    else if (type.kind === "ref") reference(type);
    else if (type.kind === "keyof") within("keyof ", [type.type], "", "");
    else if (type.kind === "indexed") within("(", [type.object, type.index], ")[", "]");
    else if (type.kind === "mapped") mapped(type);
    else if (type.kind === "template") template(type.texts, type.types);
    else if (type.kind === "other") put(`(${type.text})`);
    else {
      put("typeof ");
      named(type.target, type.text);
    }
  }
  function tuple(type: TupleType): void {
    put("[");
    for (const [index, element] of type.elements.entries()) {
      const mode = type.modes?.[index];
      // Unparsed text may be `...T`, which can't be in parentheses.
      if (element.kind === "other") put(element.text);
      else
        within(
          mode === "rest" ? "...(" : "(",
          [element],
          "",
          mode === "rest" ? ")[]" : mode === "optional" ? ")?" : ")",
        );
      put(", ");
    }
    put("]");
  }
  function mapped(type: MappedType): void {
    put(`{ [${type.parameter} in `);
    print(type.constraint);
    if (type.name) within(" as ", [type.name], "", "");
    within(`]${type.optional === undefined ? "" : `${type.optional}?`}: `, [type.type], "", " }");
  }
  function object(type: ObjectType): void {
    put("{\n");
    for (const member of type.members) {
      if (member.method || !member.type) continue;
      members.set(text.length, member);
      within(`${JSON.stringify(member.name)}${member.optional ? "?" : ""}: `, [member.type], "", ";\n");
    }
    if (type.index) within("[key: ", [type.index.key, type.index.value], "]: ", ";\n");
    put("}");
  }
  function reference(type: RefType): void {
    // The text includes the arguments: `import("a").B<C>`.
    if (type.text.startsWith("import(") && type.target.kind === "import" && type.target.file === expr.at.file) {
      put(type.text);
      return;
    }
    named(type.target, type.text);
    if (type.args.length > 0) within("<", type.args, ", ", ">");
  }
  function template(texts: readonly string[], types: readonly TypeExpr[]): void {
    const escaped = (part: string | undefined) => (part ?? "").replace(/[\\`]|\$\{/g, "\\$&");
    put(`\`${escaped(texts[0])}`);
    for (const [index, type] of types.entries()) within("${", [type], "", `}${escaped(texts[index + 1])}`);
    put("`");
  }
  print(expr);
  return { text, members };
}
