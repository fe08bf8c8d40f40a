// The fonts of the system: those of the theme have up to 140 KiB, and delay the largest text by 0.4 to 0.8 s on a phone.
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";
import { alignPanels } from "./align-panels.ts";
import HeadlineNumbers from "./HeadlineNumbers.vue";
import HeroTerminal from "./HeroTerminal.vue";

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      "home-hero-image": () => h(HeroTerminal),
      "home-features-after": () => h(HeadlineNumbers),
    }),
  enhanceApp() {
    if (!import.meta.env.SSR) alignPanels(document);
  },
};
