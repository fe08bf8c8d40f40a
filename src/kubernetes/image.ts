/** Splits the name of an image. A port before the path isn't a tag. */
export function imageParts(image: string): { name: string; tag: string; digest: string } {
  const [rest = "", digest = ""] = image.split("@");
  const [, name = rest, tag = ""] = /^(.*?)(?::([^:/]*))?$/.exec(rest) ?? [];
  return { name, tag, digest };
}
