// Modules without types.
declare module "markdown-it-container" {
  import type { MarkdownRenderer } from "vitepress";

  const container: (markdown: MarkdownRenderer, ...params: unknown[]) => void;
  export default container;
}

declare module "*.vue" {
  import type { Component } from "vue";

  const component: Component;
  export default component;
}
