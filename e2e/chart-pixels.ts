import { expect, type Locator, type Page } from "@playwright/test";

/** The chart of the device's detail screen; its label is the text alternative. */
export const chartOf = (page: Page): Locator => page.getByRole("tabpanel", { name: "GRAPHIC" }).getByRole("img");

/** What is painted in the chart: columns of a colour, as shares of the plot's width. */
export interface ChartPixels {
  /** The leftmost and rightmost position of the line and its points; undefined without any. */
  line: { first: number; last: number } | undefined;
  /** Positions of the slider's handles, in percent. */
  handles: number[];
}

/** Reads the chart's pixels. */
export const readChartPixels = (page: Page): Promise<ChartPixels> =>
  chartOf(page).evaluate((chart) => {
    const canvas = chart.querySelector("canvas");
    const pen = canvas?.getContext("2d");
    if (!canvas || !pen) return { line: undefined, handles: [] };
    const scale = canvas.width / canvas.clientWidth;
    const { width, height } = canvas;
    const { data } = pen.getImageData(0, 0, width, height);
    const colourOf = (token: string): number[] => {
      const one = document.createElement("canvas").getContext("2d");
      if (!one) throw new Error("No canvas");
      one.fillStyle = getComputedStyle(chart).getPropertyValue(token).trim();
      one.fillRect(0, 0, 1, 1);
      return [...one.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    // The right side is reserved for the names of the thresholds, unless the chart is narrow.
    const right = width - (width / scale < 620 ? 14 : 96) * scale;
    const columns = (token: string, top: number, bottom: number, least: number): number[] => {
      const colour = colourOf(token);
      const found: number[] = [];
      for (let x = 0; x < width; x += 1) {
        let count = 0;
        for (let y = Math.round(top); y < bottom; y += 1) {
          const at = (y * width + x) * 4;
          if ((data[at + 3] ?? 0) > 200 && colour.every((part, index) => Math.abs(part - (data[at + index] ?? 0)) < 24))
            count += 1;
        }
        if (count >= least) found.push(x);
      }
      return found;
    };
    const tall = height / scale;
    const handles = columns("--accent-fill", height - 42 * scale, height - 4 * scale, 12 * scale);
    const groups = handles.filter((x, index) => x - (handles[index - 1] ?? Number.NEGATIVE_INFINITY) > 4 * scale);
    const line = columns("--chart-line", 30 * scale, (tall - 77) * scale, 1).filter((x) => x <= right + 4 * scale);
    // Texts on the value axis would need more.
    const left = 46 * scale;
    const share = (x: number) => (x - left) / (right - left);
    return {
      line: line.length > 0 ? { first: share(line[0] ?? 0), last: share(line.at(-1) ?? 0) } : undefined,
      handles: groups.map((x) => Math.round(share(x + 4.5 * scale) * 100)),
    };
  });

/** The text beside the slider. */
export const zoomText = (page: Page): Locator => page.getByText(/^[\d.]+ ~ [\d.]+ %$/);

/** Asserts that the text beside the slider states the positions of its handles. */
export const expectZoomTextMatches = async (page: Page): Promise<void> => {
  await expect(async () => {
    const [start, end] = ((await zoomText(page).textContent()) ?? "").match(/[\d.]+/g)?.map(Number) ?? [];
    const { handles } = await readChartPixels(page);
    expect(Math.abs((handles[0] ?? -100) - (start ?? 0))).toBeLessThanOrEqual(2);
    expect(Math.abs((handles.at(-1) ?? -100) - (end ?? 0))).toBeLessThanOrEqual(2);
  }).toPass();
};
