// The layout of the pages, on top of typedoc-plugin-markdown, which formats types and comments.
import {
  type Comment,
  type CommentTag,
  type DeclarationReflection,
  type ParameterReflection,
  type Reflection,
  ReflectionKind,
  ReflectionType,
  type SignatureReflection,
  type SomeType,
  type TypeParameterReflection,
} from "typedoc";
import { type MarkdownPageEvent, MarkdownTheme, MarkdownThemeContext } from "typedoc-plugin-markdown";
import { code, madeFrom } from "../markdown.ts";
import type { Placed } from "./areas.ts";
import { fieldsOf, outlineOf, type Section } from "./outline.ts";

export class AreaTheme extends MarkdownTheme {
  override getRenderContext(page: MarkdownPageEvent<Reflection>): MarkdownThemeContext {
    return new AreaContext(this, page, this.application.options);
  }
}

const mainEntryPoint = "@kubewright/runtime";
/** Fields of all errors, which say nothing about one of them. */
const inheritedFields = new Set(["cause", "message", "stack"]);

class AreaContext extends MarkdownThemeContext {
  constructor(...parts: ConstructorParameters<typeof MarkdownThemeContext>) {
    super(...parts);
    this.templates = { ...this.templates, reflection: (page) => this.#page(page.model) };
  }

  #page(module: DeclarationReflection & Placed): string {
    return blocks(
      `# ${module.area?.title}`,
      madeFrom("the exports and comments of packages/runtime/src/"),
      `${module.area?.about} [All areas](../runtime.md)`,
      `**Prerequisites:** ${module.area?.requires}`,
      ...outlineOf(module).map((section) => this.#section(section)),
    );
  }

  #section({ heading, declarations, members }: Section): string {
    const [first] = declarations as readonly (DeclarationReflection & Placed)[];
    const entryPoint = first?.specifier;
    return blocks(
      `## ${heading}`,
      entryPoint === mainEntryPoint ? undefined : `From ${code(entryPoint ?? "")}.`,
      ...declarations.map((declaration) => this.#declaration(declaration)),
      ...members.map((member) => blocks(`### ${member.heading}`, this.#signatures(member.member))),
    );
  }

  #declaration(model: DeclarationReflection): string {
    if (model.kindOf(ReflectionKind.Function)) return this.#signatures(model);
    const own = model.type instanceof ReflectionType ? model.type.declaration : model;
    const fields = fieldsOf(own).filter(({ name }) => !inheritedFields.has(name));
    return blocks(
      `> ${this.#head(model)}`,
      this.#summary(model.comment),
      this.#typeParameters(model.typeParameters),
      ...(own.signatures ?? []).map((signature) => this.#callOf(signature)),
      this.#list(
        "Properties",
        fields.map((field) => this.#field(field)),
      ),
      this.#tags(model.comment),
    );
  }

  /** Returns the first line of a declaration. */
  #head(model: DeclarationReflection): string {
    const name = `**${model.name}**${this.#typeArguments(model.typeParameters)}`;
    const list = (word: string, types: readonly SomeType[] | undefined) =>
      types === undefined || types.length === 0 ? "" : ` ${word} ${types.map((type) => this.#type(type)).join(", ")}`;
    switch (model.kind) {
      case ReflectionKind.Class:
        return `class ${name}${list("extends", model.extendedTypes)}${list("implements", model.implementedTypes)}`;
      case ReflectionKind.Interface:
        return `interface ${name}${list("extends", model.extendedTypes)}`;
      case ReflectionKind.TypeAlias:
        return hasFields(model.type) ? `type ${name}` : `type ${name} = ${this.#type(model.type)}`;
      default:
        return `const ${name}: ${this.#type(model.type)}`;
    }
  }

  #signatures(model: DeclarationReflection): string {
    return blocks(...(model.signatures ?? []).map((signature) => this.#signature(signature)));
  }

  #signature(model: SignatureReflection): string {
    return blocks(`${this.partials.signatureTitle(model)}`, this.#summary(model.comment), this.#callOf(model));
  }

  /** Describes a call: parameters, result and errors. */
  #callOf(model: SignatureReflection): string {
    const returns = model.comment?.getTag("@returns");
    // `this` only restricts the type of the object. The constructor of Error, which most errors inherit, has no comments.
    const parameters = model.parameters?.filter(({ name }) => name !== "this") ?? [];
    const described = parameters.some(({ comment }) => comment !== undefined) ? parameters : [];
    return blocks(
      this.#typeParameters(model.typeParameters),
      this.#list(
        "Parameters",
        described.map((parameterReflection) => this.#parameter(parameterReflection)),
      ),
      returns && `Returns ${sentence(this.#text(returns))}`,
      this.#tags(model.comment),
    );
  }

  /** Lists the type parameters that a comment describes. The first line already has the names and bounds of all. */
  #typeParameters(parameters: readonly TypeParameterReflection[] = []): string | undefined {
    const described = parameters.filter(({ comment }) => comment !== undefined);
    return this.#list(
      "Type parameters",
      described.map((typeParameter) => item(`**${typeParameter.name}**`, "", [this.#summary(typeParameter.comment)])),
    );
  }

  #parameter(model: ParameterReflection): string {
    const name = model.name === "__namedParameters" ? "options" : model.name;
    const optional = model.flags.isOptional || model.defaultValue !== undefined ? "?" : "";
    const fields = model.type instanceof ReflectionType ? fieldsOf(model.type.declaration) : [];
    return item(
      `**${model.flags.isRest ? "..." : ""}${name}${optional}**`,
      this.#type(model.type),
      [this.#summary(model.comment)],
      fields.map((field) => this.#field(field)),
    );
  }

  /** Formats a property or an accessor, with the fields of its type if they have no name of their own. */
  #field(model: DeclarationReflection): string {
    const type = model.getSignature?.type ?? model.type;
    const comment = model.comment ?? model.getSignature?.comment ?? model.signatures?.[0]?.comment;
    const modifiers = [
      model.flags.isStatic ? "static " : "",
      model.flags.isReadonly || (model.getSignature !== undefined && model.setSignature === undefined)
        ? "read-only "
        : "",
    ].join("");
    const shown = model.signatures ? this.partials.functionType(model.signatures) : this.#type(type);
    const fields = type instanceof ReflectionType ? fieldsOf(type.declaration) : [];
    return item(
      `**${escaped(model.name)}${model.flags.isOptional ? "?" : ""}**`,
      `${modifiers}${shown}`,
      [this.#summary(comment), this.#tags(comment)],
      fields.map((field) => this.#field(field)),
    );
  }

  #type(type: SomeType | undefined): string {
    return this.partials.someType(type, { forceCollapse: !hasFields(type) }).replace(/\s*\n\s*/g, " ");
  }

  #typeArguments(parameters: readonly TypeParameterReflection[] = []): string {
    const texts = parameters.map(({ name, type, default: byDefault }) =>
      [
        code(name),
        ...(type ? [`*extends* ${this.#type(type)}`] : []),
        ...(byDefault ? [`= ${this.#type(byDefault)}`] : []),
      ].join(" "),
    );
    return texts.length === 0 ? "" : `\\<${texts.join(", ")}\\>`;
  }

  #list(title: string, items: readonly string[] = []): string | undefined {
    return items.length === 0 ? undefined : `${title}:\n\n${items.join("\n")}`;
  }

  #summary(comment: Comment | undefined): string {
    return comment === undefined ? "" : this.helpers.getCommentParts(comment.summary).trim();
  }

  #tags(comment: Comment | undefined): string {
    return blocks(...(comment?.blockTags ?? []).map((tag) => this.#tag(tag)));
  }

  #tag(tag: CommentTag): string | undefined {
    switch (tag.tag) {
      case "@throws":
        return `Throws ${sentence(this.#text(tag))}`;
      case "@defaultValue":
        // TypeDoc converts a value without backticks to a block of code.
        return `Default: ${sentence(this.#text(tag).replace(/^```ts\n([\s\S]*)\n```$/, "$1"))}`;
      case "@example":
        return blocks("Example:", this.#text(tag));
      case "@deprecated":
        return `Deprecated: ${sentence(this.#text(tag))}`;
      case "@see":
        return `See ${sentence(this.#text(tag))}`;
      case "@returns":
      case "@param":
      case "@typeParam":
        return undefined;
      default:
        throw new Error(`the reference has no layout for ${tag.tag}`);
    }
  }

  #text({ content }: CommentTag): string {
    return this.helpers.getCommentParts(content).trim();
  }
}

/** Whether a type is written as an object whose fields are listed. */
function hasFields(type: SomeType | undefined): boolean {
  return type instanceof ReflectionType && (type.declaration.children?.length ?? 0) > 0;
}

/** Formats an item of a list: a name, its type, and paragraphs. */
function item(name: string, type: string, [first, ...more]: readonly string[], nested: readonly string[] = []): string {
  const paragraphs = [first, ...more].filter((each) => each !== undefined && each !== "").join("\n\n");
  const onOneLine = /```/.test(paragraphs) ? paragraphs : paragraphs.replace(/\s+/g, " ");
  const text = `${name}${type === "" ? "" : ` (${type})`}${onOneLine === "" ? "" : `: ${onOneLine}`}`;
  return `- ${[text, ...nested].join("\n").replace(/\n(?=[^\n])/g, "\n  ")}`;
}

function blocks(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function escaped(name: string): string {
  return name.replace(/[\\*_`[\]<>]/g, "\\$&");
}
