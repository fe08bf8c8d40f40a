/** A text and the path in the project that determines its format. */
export interface PathText {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Formats texts as files of a project. A text that can't be formatted stays as it is. */
export type Format = (files: readonly PathText[]) => Promise<readonly string[]>;

/** Formats nothing: the project has no formatter, or it isn't installed. */
export const asWritten: Format = async (files) => files.map(({ text }) => text);

/** A formatted text, or the reason for which the formatter failed. */
export type Formatted = { readonly text: string } | { readonly problem: string };

/** Runs an installed formatter. */
export type RunFormatter = (
  files: readonly PathText[],
  installed: {
    /** The directory of the project, absolute. */
    readonly root: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal?: AbortSignal;
    /** The directory of the formatter's package. */
    readonly directory: string;
  },
) => Promise<readonly Formatted[]>;

/** Whether a file contains code, whose tokens determine its meaning. */
export function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** Whether commands format a file. */
export function isFormatted(path: string): boolean {
  return isCode(path) || path.endsWith(".json");
}
