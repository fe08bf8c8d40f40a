import { IndentationText, NewLineKind, Project, type SourceFile, ts } from "ts-morph";
import { ProblemError } from "../../project/problem-error.ts";

/**
 * Returns the text of a file after changes to its syntax tree. Inserted text has the file's line breaks.
 *
 * @param path the path of the file, whose extension determines its language
 * @throws ProblemError if the text has syntax errors, because then it can't be changed
 */
export function editSource(path: string, text: string, change: (file: SourceFile) => void): string {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { allowJs: true, noLib: true, noResolve: true },
    manipulationSettings: {
      indentationText: IndentationText.TwoSpaces,
      useTrailingCommas: true,
      newLineKind: text.includes("\r\n") ? NewLineKind.CarriageReturnLineFeed : NewLineKind.LineFeed,
    },
  });
  const file = project.createSourceFile(`/${path}`, text);
  const [error] = project.getProgram().getSyntacticDiagnostics(file);
  if (error !== undefined) {
    const message = ts.flattenDiagnosticMessageText(error.compilerObject.messageText, " ");
    throw new ProblemError(
      "syntax-error",
      `${path}:${error.getLineNumber()} can't be read: ${message}; nothing was changed`,
      "fix the file and run the command again",
    );
  }
  change(file);
  return file.getFullText();
}

/**
 * Replaces a range of a file, which is empty to insert text. All nodes of the file become invalid.
 *
 * ts-morph's own `replaceText` fails for the first statement of a file.
 */
export function replaceRange(file: SourceFile, [start, end]: readonly [number, number], text: string): void {
  const lineBreak = file.getFullText().includes("\r\n") ? "\r\n" : "\n";
  const newText = text.replace(/\r?\n/g, lineBreak);
  file.applyTextChanges([{ span: { start, length: end - start }, newText }]);
}
