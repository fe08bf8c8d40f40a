// Formats declarations as one line of code each, with everything that a caller needs.
import {
  type ClassDeclaration,
  type ExportedDeclarations,
  type InterfaceDeclaration,
  type JSDocableNode,
  Node,
  type ParameterDeclaration,
  type TypeParameterDeclaration,
} from "ts-morph";

/** A declaration, or one of its members. */
export interface Line {
  readonly code: string;
  /** The text of its comment on one line; empty without a comment. */
  readonly about: string;
}

export interface Described extends Line {
  readonly members: readonly Line[];
}

/** Describes the declaration of an export. A function with several signatures has a line for each. */
export function describeDeclaration(name: string, node: ExportedDeclarations): Described {
  if (Node.isFunctionDeclaration(node)) return { ...functionLine(name, node), members: [] };
  if (Node.isInterfaceDeclaration(node)) {
    const parents = node.getExtends().map((parent) => flat(parent.getText()));
    const head = `interface ${name}${typeParameters(node)}${parents.length === 0 ? "" : ` extends ${parents.join(", ")}`}`;
    return { code: head, about: aboutOf(node), members: interfaceMembers(node) };
  }
  if (Node.isClassDeclaration(node)) {
    const parent = node.getExtends();
    const head = `class ${name}${typeParameters(node)}${parent === undefined ? "" : ` extends ${flat(parent.getText())}`}`;
    return { code: head, about: aboutOf(node), members: classMembers(node) };
  }
  if (Node.isTypeAliasDeclaration(node)) {
    const text = `type ${name}${typeParameters(node)} = ${flat(node.getTypeNodeOrThrow().getText())}`;
    return { code: text, about: aboutOf(node), members: [] };
  }
  if (Node.isVariableDeclaration(node)) {
    const type = node.getTypeNode()?.getText() ?? node.getInitializerOrThrow().getText();
    const statement = node.getVariableStatementOrThrow();
    return { code: `const ${name}: ${flat(type)}`, about: aboutOf(statement), members: [] };
  }
  throw new Error(`${name} is a ${node.getKindName()}, which the reference can't show`);
}

interface Callable extends JSDocableNode {
  getParameters(): ParameterDeclaration[];
  getReturnTypeNode(): Node | undefined;
  getTypeParameters(): TypeParameterDeclaration[];
}

function functionLine(name: string, node: Callable): Line {
  const result = node.getReturnTypeNode();
  return {
    code: `${name}${typeParameters(node)}(${parameters(node)})${result === undefined ? "" : `: ${flat(result.getText())}`}`,
    about: aboutOf(node),
  };
}

function interfaceMembers(node: InterfaceDeclaration): Line[] {
  const members = node.getMembers().filter((member) => !isInternal(member));
  return members.map((member) => {
    if (Node.isMethodSignature(member)) {
      return functionLine(`${member.getName()}${member.hasQuestionToken() ? "?" : ""}`, member);
    }
    return { code: flat(member.getText()).replace(/;$/, ""), about: Node.isJSDocable(member) ? aboutOf(member) : "" };
  });
}

/** Returns the public members, with each signature of overloaded ones. */
function classMembers(node: ClassDeclaration): Line[] {
  return node.getMembers().flatMap((member): Line[] => {
    if (isInternal(member)) return [];
    if (Node.isScoped(member) && member.getScope() !== "public") return [];
    if (Node.isConstructorDeclaration(member)) {
      return [{ code: `new ${node.getName()}(${parameters(member)})`, about: aboutOf(member) }];
    }
    if (Node.isClassStaticBlockDeclaration(member) || member.getName().startsWith("#")) return [];
    const name = `${member.isStatic() ? "static " : ""}${member.getName()}`;
    if (Node.isMethodDeclaration(member)) {
      const overloads = member.getOverloads();
      return (overloads.length === 0 ? [member] : overloads).map((each) => functionLine(name, each));
    }
    if (Node.isGetAccessorDeclaration(member)) {
      return [{ code: `${name}: ${flat(member.getReturnTypeNode()?.getText() ?? "")}`, about: aboutOf(member) }];
    }
    if (!Node.isPropertyDeclaration(member)) return [];
    const optional = member.hasQuestionToken() ? "?" : "";
    const type = member.getTypeNode()?.getText() ?? member.getInitializer()?.getText() ?? "unknown";
    return [{ code: `${name}${optional}: ${flat(type)}`, about: aboutOf(member) }];
  });
}

function typeParameters(node: { getTypeParameters(): TypeParameterDeclaration[] }): string {
  const all = node.getTypeParameters().map((each) => flat(each.getText()));
  return all.length === 0 ? "" : `<${all.join(", ")}>`;
}

function parameters(node: { getParameters(): ParameterDeclaration[] }): string {
  return node
    .getParameters()
    .map((each) => {
      const plain = Node.isIdentifier(each.getNameNode()) ? each.getName() : "options";
      const optional = each.isOptional() && !each.isRestParameter() ? "?" : "";
      return `${each.isRestParameter() ? "..." : ""}${plain}${optional}: ${flat(typeOf(each))}`;
    })
    .join(", ");
}

/** Returns the type of a literal if no type is declared. */
function typeOf(node: ParameterDeclaration): string {
  return node.getTypeNode()?.getText() ?? node.getType().getBaseTypeOfLiteralType().getText(node);
}

function aboutOf(node: JSDocableNode): string {
  const doc = node.getJsDocs().at(-1);
  const tags = (doc?.getTags() ?? []).flatMap((tag) => tagText(tag.getTagName(), tag.getCommentText() ?? ""));
  return [doc?.getDescription() ?? "", ...tags]
    .join(" ")
    .replace(
      /\{@link\s+([^}|]+?)\s*(?:\|\s*([^}]+))?\}/g,
      (_, target: string, label?: string) => label ?? `\`${target}\``,
    )
    .replace(/\s+/g, " ")
    .trim();
}

/** Converts a tag to a sentence. Returns nothing for tags that the reference doesn't show. */
function tagText(tag: string, text: string): string[] {
  switch (tag) {
    case "returns":
      return [`Returns ${sentence(text)}`];
    case "throws":
      return [`Throws ${sentence(text)}`];
    case "defaultValue":
      return [`Default: ${sentence(text)}`];
    default:
      return [];
  }
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Whether a member is only for the runtime itself. */
function isInternal(node: Node): boolean {
  return (
    Node.isJSDocable(node) &&
    node.getJsDocs().some((doc) => doc.getTags().some((tag) => tag.getTagName() === "internal"))
  );
}

/** Returns code on one line without comments. */
function flat(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
    .replace(/\s+/g, " ")
    .replace(/^\| /, "")
    .trim();
}
