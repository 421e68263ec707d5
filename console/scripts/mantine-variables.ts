import type { Plugin } from "vite";

const name = "virtual:mantine-variables.css";

/**
 * The variables of the Mantine theme as a style sheet. Mantine would write them into the page when it is first rendered; the first screens
 * do without its scripts, but not without its colours and sizes.
 */
export const mantineVariables = (): Plugin => ({
  name: "mantine-variables",
  resolveId: (id) => (id === name ? `\0${name}` : null),
  async load(id) {
    if (id !== `\0${name}`) return null;
    const [mantine, { theme, cssVariables }] = await Promise.all([
      import("@mantine/core"),
      import("../src/ui/theme/theme.ts"),
    ]);
    const merged = mantine.mergeMantineTheme(mantine.DEFAULT_THEME, theme);
    const [usual, own] = [mantine.defaultCssVariablesResolver(merged), cssVariables(merged)];
    const all = {
      variables: { ...usual.variables, ...own.variables },
      light: { ...usual.light, ...own.light },
      dark: { ...usual.dark, ...own.dark },
    };
    return mantine.convertCssVariables(all, ":root");
  },
});
