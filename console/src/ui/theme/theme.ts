import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

const petrol: MantineColorsTuple = [
  "#EEF5F8",
  "#E1ECF1",
  "#C5DCE6",
  "#9DBECC",
  "#86C5E0",
  "#2A7596",
  "#1B6080",
  "#144C66",
  "#123F55",
  "#0D2F40",
];
const alarm: MantineColorsTuple = [
  "#FBE9E6",
  "#F6D3CE",
  "#EBB9B3",
  "#FF8F83",
  "#F4574A",
  "#CC2F24",
  "#BE2117",
  "#9C1810",
  "#7A2F2A",
  "#391A19",
];
const caution: MantineColorsTuple = [
  "#FAEFD6",
  "#F6E1B4",
  "#F2BE57",
  "#F0B43A",
  "#E5A931",
  "#C99024",
  "#9A6500",
  "#714600",
  "#543400",
  "#35290F",
];
const gray: MantineColorsTuple = [
  "#F2F4F2",
  "#E9ECEA",
  "#DEE3E1",
  "#CBD2CF",
  "#A9B3B0",
  "#7C8884",
  "#566166",
  "#434D52",
  "#2D3639",
  "#161C1E",
];
const dark: MantineColorsTuple = [
  "#E7ECEE",
  "#B6C0C4",
  "#97A3A8",
  "#75838A",
  "#343E43",
  "#2A3337",
  "#1C2225",
  "#14181A",
  "#0F1315",
  "#0B0E10",
];

/** The Mantine theme in Telltale's design; the colours are in tokens.css. */
export const theme = createTheme({
  colors: { petrol, alarm, caution, gray, dark },
  primaryColor: "petrol",
  primaryShade: { light: 6, dark: 5 },
  white: "#FCFDFC",
  black: "#161C1E",
  fontFamily: "var(--font-sans)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "12.5px", sm: "14px", md: "15px", lg: "17px", xl: "20px" },
  lineHeights: { xs: "1.28", sm: "1.43", md: "1.34", lg: "1.3", xl: "1.4" },
  fontWeights: { regular: "400", medium: "500", bold: "600" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "28px" },
      h2: { fontSize: "18px", lineHeight: "24px" },
      h3: { fontSize: "15px", lineHeight: "20px" },
      h4: { fontSize: "14px", lineHeight: "20px" },
    },
  },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "20px", xl: "24px" },
  radius: { xs: "2px", sm: "3px", md: "4px", lg: "6px", xl: "6px" },
  defaultRadius: "sm",
  breakpoints: { xs: "30em", sm: "48em", md: "62em", lg: "80em", xl: "120em" },
  shadows: {
    xs: "var(--shadow-1)",
    sm: "var(--shadow-1)",
    md: "var(--shadow-2)",
    lg: "var(--shadow-3)",
    xl: "var(--shadow-3)",
  },
  focusRing: "auto",
  cursorType: "pointer",
  components: {
    Popover: { defaultProps: { radius: "md", shadow: "md", withArrow: false, offset: 4 } },
    Menu: { defaultProps: { radius: "md", shadow: "md", withArrow: false, offset: 4 } },
    // The list of options scrolls itself and is rendered inside the page's main landmark: a scroll area around it would be a region without name or
    // focus, and at the end of the document it would belong to no landmark. Above dialogs.
    Select: {
      defaultProps: { withScrollArea: false, comboboxProps: { zIndex: 300, portalProps: { target: "main" } } },
      styles: { options: { maxHeight: "220px", overflowY: "auto" } },
    },
    Table: { defaultProps: { verticalSpacing: 0, horizontalSpacing: 10, highlightOnHover: true } },
    Tooltip: {
      defaultProps: { openDelay: 400 },
      styles: { tooltip: { background: "var(--ink-fill)", color: "var(--on-ink)" } },
    },
    Notification: { defaultProps: { radius: "sm" } },
  },
});

/** Maps Mantine's CSS variables to the tokens. Input errors are amber: red is reserved for equipment. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    "--mantine-color-body": "var(--canvas)",
    "--mantine-color-text": "var(--text-1)",
    "--mantine-color-dimmed": "var(--text-2)",
    "--mantine-color-placeholder": "var(--text-3)",
    "--mantine-color-anchor": "var(--text-link)",
    "--mantine-color-default": "var(--surface)",
    "--mantine-color-default-hover": "var(--row-hover)",
    "--mantine-color-default-color": "var(--text-1)",
    "--mantine-color-default-border": "var(--border-strong)",
    "--mantine-color-error": "var(--caution-text)",
  };
  return { variables: {}, light: shared, dark: shared };
};
