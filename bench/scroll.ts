import type { Page, Request } from "@playwright/test";

/** Result of scrolling through a list. */
export interface Scrolled {
  /** Milliseconds between consecutive frames. */
  frames: number[];
  /** Frames without a row in the middle of the screen. */
  blank: number;
  /** Frames before which the scroll position had changed unexpectedly. */
  jumps: number;
  /** Most rows rendered at once. */
  drawn: number;
  /** Rows of the list at the end. */
  rows: number;
  /** Pages requested, and how many of them more than once. */
  pages: number;
  repeated: number;
}

type Motion = Omit<Scrolled, "pages" | "repeated">;

/** Runs in the browser: scrolls down `speed` pixels per second, one step per frame, as long as there are rows. */
const scrollDown = ({ speed, seconds }: { speed: number; seconds: number }): Promise<Motion> =>
  new Promise((resolve) => {
    const seen: Motion = { frames: [], blank: 0, jumps: 0, drawn: 0, rows: 0 };
    const table = document.querySelector("table");
    const start = performance.now();
    let [last, target] = [start, window.scrollY];
    const look = (): void => {
      const middle = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2);
      if (!middle?.closest("tbody tr")) seen.blank += 1;
      if (Math.abs(window.scrollY - target) > 1) seen.jumps += 1;
      seen.drawn = Math.max(seen.drawn, table?.querySelectorAll("tbody tr").length ?? 0);
    };
    const step = (now: number): void => {
      seen.frames.push(now - last);
      look();
      if (now - start > seconds * 1000) {
        resolve({ ...seen, rows: Number(table?.getAttribute("aria-rowcount")) - 1 });
        return;
      }
      // A late frame must not make the next step longer than a wheel would.
      const wanted = window.scrollY + speed * Math.min((now - last) / 1000, 0.05);
      last = now;
      target = Math.round(Math.min(wanted, document.documentElement.scrollHeight - window.innerHeight));
      window.scrollTo({ top: target, behavior: "instant" });
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });

/** Scrolls for some seconds through the list that the page shows and the call at `path` loads. */
export const scrollThrough = async (
  page: Page,
  path: string,
  motion: { speed: number; seconds: number },
): Promise<Scrolled> => {
  const requested: string[] = [];
  const note = (request: Request) => {
    const url = new URL(request.url());
    if (url.pathname === path) requested.push(url.searchParams.get("page") ?? "1");
  };
  page.on("request", note);
  const seen = await page.evaluate(scrollDown, motion);
  page.off("request", note);
  const pages = new Set(requested).size;
  return { ...seen, pages, repeated: requested.length - pages };
};
