import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MarkdownRenderer } from "vitepress";

const files = join(dirname(fileURLToPath(import.meta.url)), "../public");

/**
 * Draws charts, which are SVG files next to their page, in the page: style.css gives them the colors of the theme.
 * Renders images of `docs/public/` for the site: pages link to the file, so that GitHub also shows them. For a name that
 * ends with `-light`, the site contains both pictures, and shows the one of the current theme.
 */
export function pictures(markdown: MarkdownRenderer): void {
  const image = markdown.renderer.rules.image;
  if (image === undefined) throw new Error("VitePress has no renderer for images");
  markdown.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const source = token?.attrGet("src") ?? "";
    const alt = markdown.utils.escapeHtml(token?.content ?? "");
    if (/^[\w-]+\.svg$/.test(source)) return chart(join(dirname(env.path), source), alt);
    const path = /(?:^|\/)public\/(.+)$/.exec(source)?.[1];
    if (path === undefined) return image(tokens, index, options, env, self);
    const themed = /-light\.png$/.test(path);
    const variants = themed ? [path, path.replace(/-light\.png$/, "-dark.png")] : [path];
    const images = variants.map((file, variant) => {
      // style.css hides the picture of the other theme. Browsers don't load hidden lazy pictures.
      const look = themed ? ` class="${variant === 0 ? "light" : "dark"}"` : "";
      const img = `<img src="/${file}" alt="${alt}"${sizeOf(file)}${look} loading="lazy">`;
      // A picture of a narrow window is legible on a phone.
      const narrow = file.replace(/-(light|dark)\.png$/, "-narrow-$1.png");
      if (narrow === file || !existsSync(join(files, narrow))) return img;
      return `<picture><source media="(max-width: 640px)" srcset="/${narrow}"${sizeOf(narrow)}>${img}</picture>`;
    });
    return `<span class="picture">${images.join("")}</span>`;
  };
}

/** Returns the drawing without its own colors and size. */
function chart(path: string, alt: string): string {
  const svg = readFileSync(path, "utf8")
    .replace(/<title>.*<\/title>\n|<style>.*<\/style>\n|<rect class="ground".*\n/g, "")
    .replace(/ viewBox="[^"]*" width="\d+"/, ` width="100%" aria-label="${alt}"`);
  return `<span class="chart" v-pre>${svg.trim()}</span>`;
}

/** Returns the size as attributes, so that the page doesn't move when the picture arrives. */
function sizeOf(file: string): string {
  const bytes = readFileSync(join(files, file));
  if (file.endsWith(".png")) return ` width="${bytes.readUInt32BE(16)}" height="${bytes.readUInt32BE(20)}"`;
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(bytes.toString("utf8", 0, 400)) ?? [];
  return width === undefined ? "" : ` width="${Math.round(Number(width))}" height="${Math.round(Number(height))}"`;
}
