import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import "./style.css";
import { alignPanels } from "./align-panels.ts";
import HeadlineNumbers from "./HeadlineNumbers.vue";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-features-before": () => h(HeadlineNumbers) }),
  enhanceApp() {
    if (!import.meta.env.SSR) alignPanels(document);
  },
};
