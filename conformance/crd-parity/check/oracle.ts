// A replacement for the product's CLI that proves that the suite can pass. It translates the project back to Go and runs
// controller-gen on it. If the CRDs are identical to those of the original Go code, the translation has lost nothing. Reads
// the TypeScript syntactically, and supports only the output of translate/.
//
//   go run . run -cli "$PWD/../../node_modules/.bin/tsx $PWD/check/oracle.ts"      (needs CONTROLLER_GEN)
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import ts from "typescript";
import { commentsOf, isMarker } from "./comments.ts";

const [, crd = "crd", , output = ""] = process.argv.slice(2);
const root = "oracle";
rmSync(root, { recursive: true, force: true });
mkdirSync(root, { recursive: true });
cpSync("../module/go.sum", join(root, "go.sum"));
const goMod = readFileSync("../module/go.mod", "utf8");
writeFileSync(join(root, "go.mod"), goMod);
const module = /^module (\S+)/.exec(goMod)?.[1] ?? "";

const meta = "k8s.io/apimachinery/pkg/apis/meta/v1";
/** Go types of the runtime's scalars: predeclared ones, or a package and a name. */
const scalars: Readonly<Record<string, string | readonly [path: string, name: string]>> = {
  Int32: "int32",
  Int64: "int64",
  Float32: "float32",
  Float64: "float64",
  Bytes: "[]byte",
  Time: [meta, "Time"],
  MicroTime: [meta, "MicroTime"],
  Duration: [meta, "Duration"],
  ObjectMeta: [meta, "ObjectMeta"],
  Quantity: ["k8s.io/apimachinery/pkg/api/resource", "Quantity"],
  IntOrString: ["k8s.io/apimachinery/pkg/util/intstr", "IntOrString"],
  RawExtension: ["k8s.io/apimachinery/pkg/runtime", "RawExtension"],
  JSONValue: ["k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON"],
};

/** Adds an import, and returns the Go expression of a name in the package. */
type Import = (path: string, name: string) => string;

const files = readdirSync(".", { recursive: true, encoding: "utf8" }).filter((f) => /^(api|deps)\/.*\.ts$/.test(f));
for (const file of files) {
  const go = join(root, file.replace(/\.ts$/, "_ts.go"));
  mkdirSync(dirname(go), { recursive: true });
  writeFileSync(go, translate(file));
}
const [, directory = ""] = output.split("=");
const { stdout, stderr, status } = spawnSync(
  process.env.CONTROLLER_GEN || "controller-gen",
  [crd, "paths=./api/...", `output:crd:dir=../${directory}`],
  { cwd: root, encoding: "utf8", env: { ...process.env, GOFLAGS: "-mod=mod" } },
);
process.stdout.write(`${stdout}${stderr}`);
process.exitCode = status ?? 1;

function translate(file: string): string {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);
  /** The aliases of imported Go packages. */
  const imports = new Map<string, string>();
  /** Go expressions by TypeScript names. */
  const names = new Map<string, () => string>();
  const from: Import = (path, name) => {
    const alias = imports.get(path) ?? `p${imports.size}`;
    imports.set(path, alias);
    return `${alias}.${name}`;
  };
  for (const { moduleSpecifier, importClause } of source.statements.filter(ts.isImportDeclaration)) {
    const bindings = importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) throw new Error(`${file}: unsupported import`);
    for (const { name, propertyName } of bindings.elements) {
      names.set(name.text, () => goReference(file, textOf(moduleSpecifier), (propertyName ?? name).text, from));
    }
  }
  const typeOf = (node: ts.Node | undefined): string => {
    if (node === undefined) throw new Error(`${file}: a type is missing`);
    if (ts.isArrayTypeNode(node)) return `[]${typeOf(node.elementType)}`;
    if (ts.isTypeLiteralNode(node)) return `map[string]${typeOf(indexSignature(node)?.type)}`;
    if (node.kind === ts.SyntaxKind.StringKeyword) return "string";
    if (node.kind === ts.SyntaxKind.NumberKeyword) return "int";
    if (node.kind === ts.SyntaxKind.BooleanKeyword) return "bool";
    if (!ts.isTypeReferenceNode(node) && !ts.isExpressionWithTypeArguments(node)) {
      throw new Error(`${file}: unsupported type ${node.getText(source)}`);
    }
    const name = textOf(ts.isTypeReferenceNode(node) ? node.typeName : node.expression);
    if (name === "Record" && node.typeArguments) {
      return `map[${typeOf(node.typeArguments[0])}]${typeOf(node.typeArguments[1])}`;
    }
    return names.get(name)?.() ?? name;
  };
  let body = "";
  const head: string[] = [];
  const [first] = source.statements;
  if (first && !ts.isInterfaceDeclaration(first) && !ts.isTypeAliasDeclaration(first)) {
    head.push(...goComments(source, first).map((line) => `${line}\n`));
  }
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement)) body += struct(statement);
    else if (ts.isTypeAliasDeclaration(statement) && !isList(statement)) body += alias(statement);
  }
  const lines = [...imports].map(([path, alias]) => `import ${alias} ${JSON.stringify(path)}\n`);
  return `${head.join("")}package ${basename(dirname(file))}\n\n${lines.join("")}${body}`;

  function struct(node: ts.InterfaceDeclaration): string {
    let text = `\n${goComments(source, node).join("\n")}\ntype ${node.name.text} struct {\n`;
    const parents = node.heritageClauses?.[0]?.types ?? [];
    const members = node.members.filter(ts.isPropertySignature);
    for (const parent of parents) {
      const name = textOf(parent.expression);
      if (names.has(name) && name.endsWith("KubernetesObject")) {
        text += `\t${from(meta, "TypeMeta")} \`json:",inline"\`\n`;
        if (!members.some((member) => textOf(member.name) === "metadata")) {
          text += `\t${from(meta, "ObjectMeta")} \`json:"metadata,omitempty"\`\n`;
        }
      } else text += `\t${typeOf(parent)} \`json:",inline"\`\n`;
    }
    const isObject = parents.some(({ expression }) => textOf(expression).endsWith("KubernetesObject"));
    for (const [index, member] of members.entries()) {
      text += goComments(source, member)
        .map((line) => `\t${line}\n`)
        .join("");
      const property = textOf(member.name);
      const name = isObject && property === "metadata" ? "" : `F${index} `;
      const type = typeOf(member.type);
      // Go doesn't allow direct recursion.
      const pointer = type === node.name.text ? "*" : "";
      text += `\t${name}${pointer}${type} \`json:"${property}${member.questionToken ? ",omitempty" : ""}"\`\n`;
    }
    return `${text}}\n`;
  }

  function alias(node: ts.TypeAliasDeclaration): string {
    const { name, type } = node;
    const literals = ts.isUnionTypeNode(type) ? [...type.types] : ts.isLiteralTypeNode(type) ? [type] : undefined;
    const comments = [...goComments(source, node), ...(literals ? ["// +k8s:enum"] : [])];
    const constants = (literals ?? []).map((literal, index) => {
      if (!ts.isLiteralTypeNode(literal)) throw new Error(`${file}: unsupported member of ${name.text}`);
      return `\nconst ${name.text}_${index} ${name.text} = ${JSON.stringify(textOf(literal.literal))}\n`;
    });
    return `\n${comments.join("\n")}\ntype ${name.text} ${literals ? "string" : typeOf(type)}\n${constants.join("")}`;
  }
}

/** Whether a declaration is the list type of a kind, which Go's CRDs don't contain. */
function isList({ type }: ts.TypeAliasDeclaration): boolean {
  return ts.isTypeReferenceNode(type) && textOf(type.typeName).startsWith("KubernetesList");
}

function indexSignature({ members }: ts.TypeLiteralNode): ts.IndexSignatureDeclaration | undefined {
  return members.find(ts.isIndexSignatureDeclaration);
}

/** Returns the text of a name or a literal. */
function textOf(node: ts.Node): string {
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  throw new Error(`unsupported name ${node.getText()}`);
}

function goReference(file: string, specifier: string, name: string, from: Import): string {
  if (specifier === "@kubewright/runtime/api") {
    const scalar = scalars[name];
    return typeof scalar === "string" ? scalar : scalar ? from(...scalar) : name;
  }
  const core = /^@kubewright\/runtime\/api\/(.*)$/.exec(specifier)?.[1];
  if (core === "meta/v1") return from(meta, name);
  if (core === "apiextensions/v1") return from("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", name);
  if (core) return from(`k8s.io/api/${core}`, name);
  const directory = posix.dirname(posix.join(posix.dirname(file), specifier));
  return directory === posix.dirname(file) ? name : from(`${module}/${directory}`, name);
}

/** Converts the comments of a node to one Go comment: its text, then its markers. */
function goComments(source: ts.SourceFile, node: ts.Node): string[] {
  const { lines, markers } = commentsOf(source, node);
  const text = lines.filter((line) => !isMarker(line)).map((line) => `// ${line}`.trimEnd());
  return [...text, ...markers.map((marker) => `// ${marker}`)];
}
