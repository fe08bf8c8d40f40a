// The headings of a page, in their order. The router creates the anchors from them, and the theme writes them.
import GithubSlugger from "github-slugger";
import { type DeclarationReflection, ReflectionKind } from "typedoc";

/** A heading, and the anchor that GitHub and the site create from it. */
interface Heading {
  readonly heading: string;
  readonly anchor: string;
}

/** A constructor or a method. */
export interface Member extends Heading {
  readonly member: DeclarationReflection;
}

/** A heading with the declarations below it: usually one, or a type and a value of the same name. */
export interface Section extends Heading {
  readonly declarations: readonly DeclarationReflection[];
  /** Constructors and methods, which have headings below. */
  readonly members: readonly Member[];
}

const withHeading = ReflectionKind.Constructor | ReflectionKind.Method;

/** Returns the sections of a page by name. */
export function outlineOf(module: DeclarationReflection): Section[] {
  const byName = new Map<string, DeclarationReflection[]>();
  for (const child of module.children ?? []) byName.set(child.name, [...(byName.get(child.name) ?? []), child]);
  const order = ([name]: readonly [string, unknown]) => `${name.toLowerCase()} ${name}`;
  const sorted = [...byName].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const slugger = new GithubSlugger();
  const titled = (heading: string): Heading => ({ heading, anchor: slugger.slug(heading) });
  return sorted.map(([name, declarations]) => {
    const isFunction = declarations.some(({ kind }) => kind === ReflectionKind.Function);
    const section = titled(isFunction ? `${name}()` : name);
    const members = declarations.flatMap(({ children = [] }) =>
      children.filter((declaration) => declaration.kindOf(withHeading)),
    );
    return {
      ...section,
      declarations,
      members: members.map((member) => ({ ...titled(headingOf(name, member)), member })),
    };
  });
}

function headingOf(owner: string, member: DeclarationReflection): string {
  return member.kindOf(ReflectionKind.Constructor) ? `new ${owner}()` : `${owner}.${member.name}()`;
}

/** Returns the members of a declaration that are listed without a heading: properties and accessors. */
export function fieldsOf({ children = [] }: DeclarationReflection): DeclarationReflection[] {
  return children.filter((member) => !member.kindOf(withHeading));
}
