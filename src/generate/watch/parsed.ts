import type { SourceFile, SourceReader } from "../source/model.ts";

/** A reader that parses a file again only when its text is another. What it gives is frozen, so runs can share it. */
export function keepParsed(reader: SourceReader): SourceReader {
  const kept = new Map<string, { readonly text: string; readonly file: SourceFile }>();
  return {
    parse(path, text) {
      const known = kept.get(path);
      if (known?.text === text) return known.file;
      const file = reader.parse(path, text);
      kept.set(path, { text, file });
      return file;
    },
  };
}
