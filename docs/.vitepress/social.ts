import type { HeadConfig, TransformContext } from "vitepress";

/**
 * Creates the tags that search engines and previews of links read.
 *
 * @param site - the URL of the site, which ends with a slash
 */
export function socialTags(site: string) {
  return ({ pageData, title, description }: TransformContext): HeadConfig[] => {
    const path = pageData.relativePath.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html");
    const url = new URL(path, site).href;
    const properties: Readonly<Record<string, string>> = {
      "og:type": path === "" ? "website" : "article",
      "og:site_name": "kubewright",
      "og:title": title,
      "og:description": description,
      "og:url": url,
      "og:image": new URL("og.png", site).href,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": "kubewright: kubebuilder for TypeScript",
    };
    return [
      ["link", { rel: "canonical", href: url }],
      ...Object.entries(properties).map(([property, content]): HeadConfig => ["meta", { property, content }]),
      ["meta", { name: "twitter:card", content: "summary_large_image" }],
    ];
  };
}
