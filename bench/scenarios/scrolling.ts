import { alerts } from "@telltale/contract/domains/alerts";
import { devices } from "@telltale/contract/domains/devices";
import { heapOf, withPage } from "../browser.ts";
import { count, type Figure, fixed } from "../figure.ts";
import { alertCount, deviceCount, type LongLists, withLongLists } from "../long-lists.ts";
import { type Scrolled, scrollThrough } from "../scroll.ts";

/** A fast wheel scroll: six to eight pages of the list per second. */
const speed = 6_000;
const seconds = 60;
/** Longest time between two frames without visible stutter, milliseconds. */
const smooth = 50;

interface List {
  name: string;
  screen: string;
  /** The call that loads its pages. */
  path: string;
}

const lists: readonly List[] = [
  { name: count(deviceCount, "devices"), screen: "/devices", path: devices.list.path },
  { name: count(alertCount, "alerts"), screen: "/alarms", path: alerts.log.path },
];

interface Measured extends Scrolled {
  /** JavaScript heap of the page, megabytes. */
  heapBefore: number;
  heapAfter: number;
}

const measure = ({ baseURL, token }: LongLists, { screen, path }: List): Promise<Measured> =>
  withPage(baseURL, token, async (page) => {
    await page.goto(screen);
    await page.locator("tbody tr[data-index]").first().waitFor();
    await page.waitForLoadState("networkidle");
    const heapBefore = await heapOf(page);
    const scrolled = await scrollThrough(page, path, { speed, seconds });
    return { ...scrolled, heapBefore, heapAfter: await heapOf(page) };
  });

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

const figuresOf = ({ name }: List, seen: Measured): Figure[] => {
  const slow = seen.frames.filter((frame) => frame > smooth).length;
  const scrolled = `${name}, scrolled for ${seconds} s`;
  return [
    {
      name: `${scrolled}: frame, p50 / p95`,
      goal: `p95 <= ${smooth} ms`,
      measured: `${fixed(percentile(seen.frames, 0.5), 0, "ms")} / ${fixed(percentile(seen.frames, 0.95), 0, "ms")}`,
      baseline: `over ${smooth} ms: ${slow} of ${count(seen.frames.length, "frames")}`,
      ratio: "",
    },
    {
      name: `${scrolled}: frames without rows / jumps`,
      goal: "none",
      measured: `${seen.blank} / ${seen.jumps}`,
      baseline: "",
      ratio: "",
    },
    {
      name: `${scrolled}: pages asked for twice`,
      goal: "none",
      measured: `${seen.repeated} of ${seen.pages}`,
      baseline: "",
      ratio: "",
    },
    {
      name: `${scrolled}: most rows drawn at once`,
      goal: "<= 100",
      measured: count(seen.drawn, "rows"),
      baseline: `rows scrolled through: ${count(seen.rows, "rows")}`,
      ratio: "",
    },
    {
      name: `${scrolled}: JavaScript heap at the end`,
      goal: "<= 50 MB",
      measured: fixed(seen.heapAfter, 0, "MB"),
      baseline: `at the first page: ${fixed(seen.heapBefore, 0, "MB")}`,
      ratio: "",
    },
  ];
};

/** Scrolls the longest lists in a real browser without a pause. */
export const scrolling = (): Promise<Figure[]> =>
  withLongLists(async (plant) => {
    const figures: Figure[] = [];
    for (const list of lists) figures.push(...figuresOf(list, await measure(plant, list)));
    return figures;
  });
