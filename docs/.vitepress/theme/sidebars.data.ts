// The groups of the sidebars. In the options of the theme, they would be in the HTML of each page, and VitePress would copy
// and observe them about ten times per page load.
import { sidebars } from "../navigation.ts";
import type { Sidebars } from "../sidebar.ts";

declare const data: Sidebars;

export { data };

export default {
  watch: ["../../**/*.md"],
  load: sidebars,
};
