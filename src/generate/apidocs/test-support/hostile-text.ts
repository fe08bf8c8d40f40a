/** Texts that change a page if they aren't escaped, for Markdown, HTML, MDX, or Vue. */
export const hostileTexts: readonly string[] = [
  "a | b <script>alert(1)</script> {x} {{ y }} &lt; & $a$ ~~b~~",
  "<!-- comment --> </td></table> <Foo bar={1}/>",
  "# not a heading",
  "1) not a list",
  "+ not a list either",
  "import x from 'y'",
  "export const a = 1;",
  "=== ",
  ":::danger",
  "!!! note",
  "![image](https://example.com/a.png) [reference]: x [[toc]]",
  "*a* _b_ __c__ `unclosed and ``code` of two``",
  "[link](javascript:alert(1)) <javascript:alert(1)>",
  "    \\ \\| \\` trailing\\",
  '--8<-- "file"',
  "??? details",
  "{@link Nothing} and {@link https://example.com/_a_ text}",
  "http://example.com/a_b_c?x={y}|z.",
  "<https://example.com/a'b>",
  "%%comment%% ^[note] ==mark==",
];

/** Values of a pattern or another keyword, which are shown as code. */
export const hostileCodes: readonly string[] = [
  "^a|b$",
  "`",
  "``",
  " ",
  "{{ x }}",
  "<b>",
  "\\|",
  "a*b*c",
  "' \" &#36;",
  "$x$ $y$",
];
