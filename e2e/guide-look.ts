import { createHash } from "node:crypto";
import type { Locator, Page } from "@playwright/test";

/** The parts of a picture that do not depend on the plant's readings. */
export interface Look {
  /** Headings, labels, buttons, columns: the screen's own texts, with `#` for figures. */
  words: string[];
  /** Digest of the console's style sheets used on screen, and the theme. */
  style: string;
}

interface Seen {
  words: string[];
  styles: string[];
}

/** Runs in the browser. Omits what comes from the plant: rows, tiles, alerts, times, drawings. */
const see = (root: Element): Seen => {
  const furniture =
    "h1, h2, h3, button, a, label, th, dt, legend, summary, [role=tab], [role=menuitem], [role=radio], [placeholder]";
  const changing = "tbody, article, time, output, canvas, svg, [role=log], [aria-live], [role=status], ol[aria-label]";
  const tiles = "[aria-label=Channels], [aria-label=Alarms]";
  const isOnScreen = (element: Element) => {
    const { top, bottom, width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && bottom > 0 && top < window.innerHeight;
  };
  const textOf = (element: Element) =>
    (element.getAttribute("placeholder") ?? element.getAttribute("aria-label") ?? element.textContent)
      .replace(/\d[\d.,:]*/g, "#")
      .replace(/\s+/g, " ")
      .trim();
  const words = [...root.querySelectorAll(furniture)]
    .filter((element) => isOnScreen(element) && !element.closest(`${changing}, ${tiles}`))
    .map((element) => `${element.getAttribute("role") ?? element.tagName.toLowerCase()} ${textOf(element)}`);
  // The build names a class by its name, a digest of its style sheet, and its line there. Only the digest is independent of states.
  const styles = [root, ...root.querySelectorAll("*")]
    .filter((element) => isOnScreen(element) && !element.closest(changing))
    .flatMap((element) => [...element.classList].map((name) => /^_\w+_(\w{5})_\d+$/.exec(name)?.[1] ?? ""));
  const theme = getComputedStyle(document.documentElement);
  const tokens = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .flatMap((rule) => (rule instanceof CSSStyleRule && rule.selectorText.includes(":root") ? [...rule.style] : []))
    .filter((name) => name.startsWith("--") && !name.startsWith("--mantine"))
    .map((name) => `${name}: ${theme.getPropertyValue(name)}`);
  return { words: [...new Set(words)].sort(), styles: [...new Set([...styles, ...tokens])].sort() };
};

/** The look of the current screen, or of this part of it. */
export const lookOf = async (page: Page, part: Locator | undefined): Promise<Look> => {
  const { words, styles } = await (part ?? page.locator("body")).evaluate(see);
  return { words, style: createHash("sha256").update(styles.join("\n")).digest("hex").slice(0, 16) };
};
