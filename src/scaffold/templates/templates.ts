/** A rendered file of a template set. */
export interface Rendered {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly content: string;
}

/** Renders template sets: directories of `*.hbs` files with the layout and names of the resulting tree. */
export interface Templates {
  render(set: string, values: object): Rendered[];
  /** Renders one file of a set, by the path of its template without `.hbs`. */
  one(set: string, path: string, values: object): string;
  /** Renders a part that several templates share: `partials/<name>.hbs`. */
  partial(name: string, values: object): string;
}

/** Opens the templates in a directory. */
export async function openTemplates(directory: string): Promise<Templates> {
  const { compiledTemplates } = await import("./compiled-templates.ts");
  const { paths, content, path } = compiledTemplates(directory);
  return {
    render: (set, values) =>
      paths
        .filter((each) => each.startsWith(`${set}/`))
        .map((each) => ({
          path: path(each)(values).slice(set.length + 1),
          content: content(each)(values),
        })),
    one: (set, file, values) => content(`${set}/${file}`)(values),
    partial: (name, values) => content(`partials/${name}`)(values),
  };
}
