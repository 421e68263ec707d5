import type { Page } from "@playwright/test";

/**
 * What a finger would miss in this part of the screen: controls whose area that reacts is less than 44 px wide or high, with its size. Links within a
 * sentence are as high as their line and not counted, nor is what is hidden or disabled.
 */
export const smallTargetsOf = (page: Page, part: string): Promise<string[]> =>
  page.evaluate((within) => {
    const least = 44;
    const place = { x: scrollX, y: scrollY };
    const controls =
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=switch], [role=tab], [role=menuitem], [role=option]";
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest("[inert], [aria-hidden=true]") &&
      !(element as HTMLButtonElement).disabled;
    // A line of text has letters besides the link's.
    const isInSentence = (element: Element): boolean => {
      if (!getComputedStyle(element).display.startsWith("inline")) return false;
      const own = element.textContent?.trim().length ?? 0;
      return element.matches("a, button") && (element.parentElement?.textContent?.trim().length ?? 0) > own;
    };
    const reacts = (control: Element, x: number, y: number): boolean => {
      const hit = document.elementFromPoint(x, y);
      if (!hit) return false;
      const labels = (control as HTMLInputElement).labels ?? [];
      return control.contains(hit) || hit.contains(control) || [...labels].some((label) => label.contains(hit));
    };
    const found: string[] = [];
    for (const control of document.querySelector(within)?.querySelectorAll(controls) ?? []) {
      const box = control.getBoundingClientRect();
      if (!isShown(control) || box.width < 2 || box.height < 2 || isInSentence(control)) continue;
      if (box.width >= least && box.height >= least) continue;
      control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y, reach] = [left + width / 2, top + height / 2, least / 2 - 1];
      const isWide = width >= least || (reacts(control, x - reach, y) && reacts(control, x + reach, y));
      const isHigh = height >= least || (reacts(control, x, y - reach) && reacts(control, x, y + reach));
      if (isWide && isHigh) continue;
      const name = control.getAttribute("aria-label") ?? control.textContent?.trim().slice(0, 40) ?? "";
      found.push(`${control.tagName.toLowerCase()} "${name}" ${Math.round(width)} x ${Math.round(height)}`);
    }
    scrollTo(place.x, place.y);
    return [...new Set(found)];
  }, part);
