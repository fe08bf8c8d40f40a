const permission = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * Returns the MIT license of a package that has its copyright notice only in the section "License" of its readme.
 *
 * @param license - the license in package.json
 * @param readme - the text of the readme
 * @returns the notice with the text of the license, or `undefined` for other licenses and without a notice
 */
export function licenseInReadme(license: unknown, readme: string): string | undefined {
  if (license !== "MIT") return undefined;
  const lines = readme.split("\n");
  const start = lines.findIndex((line) => /^#+ +licen[cs]e\b/i.test(line));
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("#"));
  const section = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join("\n");
  return /\bcopyright\b/i.test(section) ? `${section.trim()}\n\n${permission}` : undefined;
}
