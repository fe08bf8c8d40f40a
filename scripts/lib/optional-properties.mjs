import { parseSync, Visitor } from "oxc-parser";

/**
 * Adds `| undefined` to the optional properties in declarations. Otherwise projects with `exactOptionalPropertyTypes`
 * couldn't pass values that may be undefined.
 *
 * @param {string} file the file name of the declarations
 * @param {string} text
 * @returns {string} the text with `| undefined` in the type of each optional property
 */
export function admitUndefined(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} can't be read: ${errors[0].message}`);
  const edits = [];
  const visit = ({ optional, typeAnnotation }) => {
    const type = typeAnnotation?.typeAnnotation;
    if (!optional || !type || takesUndefined(type)) return;
    const [before, after] = bindsLooser.has(type.type) ? ["(", ") | undefined"] : ["", " | undefined"];
    edits.push({ at: type.start, text: before }, { at: type.end, text: after });
  };
  new Visitor({ TSPropertySignature: visit, PropertyDefinition: visit }).visit(program);
  const parts = [];
  let from = 0;
  for (const { at, text: inserted } of edits.sort((a, b) => a.at - b.at)) {
    parts.push(text.slice(from, at), inserted);
    from = at;
  }
  return parts.join("") + text.slice(from);
}

/** Types that need parentheses before `| undefined`. */
const bindsLooser = new Set(["TSFunctionType", "TSConstructorType", "TSConditionalType"]);

const takesAnything = new Set(["TSUndefinedKeyword", "TSUnknownKeyword", "TSAnyKeyword"]);

function takesUndefined(type) {
  return takesAnything.has(type.type) || (type.type === "TSUnionType" && type.types.some(takesUndefined));
}
