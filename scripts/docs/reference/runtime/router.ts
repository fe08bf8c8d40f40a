import {
  BaseRouter,
  type DeclarationReflection,
  type PageDefinition,
  PageKind,
  type ProjectReflection,
  type Reflection,
} from "typedoc";
import { fieldsOf, outlineOf } from "./outline.ts";

/** Places each area on its page. Links to fields lead to their declaration. */
export class AreaRouter extends BaseRouter {
  override extension = ".md";

  override buildPages(project: ProjectReflection): PageDefinition[] {
    const modules = (project.children ?? []).filter(({ children }) => children !== undefined);
    this.fullUrls.set(project, "../runtime.md");
    return modules.map((module) => this.#page(module));
  }

  #page(module: DeclarationReflection): PageDefinition {
    const url = `${module.name}.md`;
    this.fullUrls.set(module, url);
    const place = (anchor: string, targets: readonly Reflection[]) => {
      for (const target of targets) {
        this.anchors.set(target, anchor);
        this.fullUrls.set(target, `${url}#${anchor}`);
      }
    };
    for (const { anchor, declarations, members } of outlineOf(module)) {
      place(anchor, [...declarations, ...declarations.flatMap(signaturesOf), ...declarations.flatMap(fieldsOf)]);
      for (const placed of members) place(placed.anchor, [placed.member, ...signaturesOf(placed.member)]);
    }
    return { url, kind: PageKind.Reflection, model: module };
  }

  protected override getIdealBaseName(reflection: Reflection): string {
    return reflection.name;
  }
}

function signaturesOf({ signatures = [] }: DeclarationReflection): Reflection[] {
  return signatures;
}
