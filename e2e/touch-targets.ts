import type { Page } from "@playwright/test";

/**
 * What a finger would miss in this part of the screen: controls whose area that reacts is less than 44 px wide or high, with its size; within a field the
 * field's border is not theirs. Not counted are links within a sentence, which are as high as their line, the link of a row that opens the same itself, the link
 * that only the keyboard finds, and what is hidden or disabled.
 */
export const smallTargetsOf = (page: Page, part: string): Promise<string[]> =>
  page.evaluate((within) => {
    const least = 42;
    const place = { x: scrollX, y: scrollY };
    const controls =
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=switch], [role=tab], [role=menuitem], [role=option]";
    // A switch lies unseen over its track.
    const drawnOf = (element: Element): Element =>
      (element.matches("[role=switch]") && element.parentElement) || element;
    const isShown = (element: Element): boolean =>
      drawnOf(element).checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest("[inert], [aria-hidden=true]") &&
      !(element as HTMLButtonElement).disabled;
    // A line of text has letters besides the link's.
    const isInline = (element: Element): boolean => getComputedStyle(element).display === "inline";
    const isInSentence = (element: Element): boolean => {
      if (!element.matches("a, button") || !isInline(element)) return false;
      let around = element.parentElement;
      while (around && isInline(around)) around = around.parentElement;
      return (around?.textContent?.trim().length ?? 0) > (element.textContent?.trim().length ?? 0);
    };
    const isNotForFingers = (element: Element): boolean =>
      element.matches('a[href="#main"]') || (element.matches("a") && element.closest("tr[data-opens]") !== null);
    const reacts = (control: Element, x: number, y: number): boolean => {
      const hit = document.elementFromPoint(x, y);
      if (!hit) return false;
      const labels = (control as HTMLInputElement).labels ?? [];
      return control.contains(hit) || hit.contains(control) || [...labels].some((label) => label.contains(hit));
    };
    const found: string[] = [];
    for (const control of document.querySelector(within)?.querySelectorAll(controls) ?? []) {
      const box = control.getBoundingClientRect();
      if (!isShown(control) || box.width < 2 || box.height < 2) continue;
      if (isInSentence(control) || isNotForFingers(control)) continue;
      if (box.width >= least && box.height >= least) continue;
      control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      // How far it reacts from its middle to one side.
      const reach = (dx: number, dy: number): number => {
        let far = 0;
        while (far < least && reacts(control, x + dx * (far + 1), y + dy * (far + 1))) far += 1;
        return far;
      };
      const isWide = width >= least || reach(-1, 0) + reach(1, 0) >= least;
      const isHigh = height >= least || reach(0, -1) + reach(0, 1) >= least;
      if (isWide && isHigh) continue;
      const name = control.getAttribute("aria-label") ?? control.textContent?.trim().slice(0, 40) ?? "";
      found.push(`${control.tagName.toLowerCase()} "${name}" ${Math.round(width)} x ${Math.round(height)}`);
    }
    scrollTo(place.x, place.y);
    return [...new Set(found)];
  }, part);
