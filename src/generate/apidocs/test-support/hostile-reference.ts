import { parseComment } from "../doc-comment.ts";
import type { ApiReference, FieldDocs, TypeDocs } from "../model.ts";
import { hostileCodes, hostileTexts } from "./hostile-text.ts";

const title = hostileTexts[0]!;
const list = `${hostileTexts.map((text) => `- ${text}`).join("\n")}\n- a\n\n  second\n  - nested {x}\n    \`\`\`ts\n    code {{ | }} \`x\`\n    \`\`\``;

/** An API reference in which every text is hostile. */
export const hostileReference: ApiReference = {
  title,
  packages: [
    {
      group: "example.com",
      version: "v1",
      name: "example.com/v1",
      description: parseComment(hostileTexts.join("\n\n")),
      kinds: [hostileKind()],
      types: [],
    },
  ],
  appearsIn: new Map(),
};

function hostileKind(): TypeDocs {
  return {
    key: "thing",
    name: "Thing<A|B>",
    description: parseComment([...hostileTexts, list].join("\n\n")),
    deprecated: title,
    members: [],
    validation: hostileCodes.map((code) => ({ label: "Pattern", code, text: title })),
    fields: [...hostileTexts, list].map(hostileField),
    values: hostileTexts.map((value) => ({ value, description: parseComment(value) })),
    kind: {
      name: "Thing",
      resource: "things.example.com",
      isNamespaced: true,
      shortNames: ["a|b"],
      categories: [],
      subresources: [],
      columns: [{ name: title, path: ".a", description: title, isWide: true }],
      selectableFields: [],
      isServed: true,
      isStorage: true,
      sample: "a: `x`\n```\n{{ b }}",
    },
  };
}

function hostileField(text: string, index: number): FieldDocs {
  return {
    name: `f|${index}`,
    type: ["string"],
    description: parseComment(text),
    default: hostileCodes[index % hostileCodes.length]!,
    validation: hostileCodes.map((code) => ({ label: "Rule", code, text })),
    values: hostileCodes.map((value) => ({ value, description: parseComment(text) })),
  };
}
