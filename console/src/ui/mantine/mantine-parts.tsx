import { DEFAULT_THEME, MantineContext, MantineThemeContext, mergeMantineTheme } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import { theme } from "../theme/theme.ts";
import "./mantine-parts.css";

// The CSP allows style elements with this nonce. Mantine receives it below; the scroll lock of dialogs reads it here.
const styleNonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

const nothing = (): void => undefined;

/** The theme's variables are in a style sheet (scripts/mantine-variables.ts), and the colour scheme is `ui/theme/color-scheme.ts`'s. */
const context: ComponentProps<typeof MantineContext>["value"] = {
  colorScheme: "auto",
  setColorScheme: nothing,
  clearColorScheme: nothing,
  getRootElement: () => document.documentElement,
  classNamesPrefix: "mantine",
  getStyleNonce: () => styleNonce,
  cssVariablesSelector: ":root",
  withStaticClasses: true,
};

const merged = mergeMantineTheme(DEFAULT_THEME, theme);

/** Gives Mantine's components what they are rendered with. */
export const MantineParts = ({ children }: { children?: ReactNode }): ReactNode => (
  <MantineContext value={context}>
    <MantineThemeContext value={merged}>{children}</MantineThemeContext>
  </MantineContext>
);
