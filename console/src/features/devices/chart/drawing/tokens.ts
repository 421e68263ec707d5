const names = {
  line: "--chart-line",
  grid: "--chart-grid",
  axis: "--chart-axis",
  threshold: "--chart-threshold",
  span: "--chart-span",
  zoom: "--chart-zoom",
  accent: "--accent",
  accentFill: "--accent-fill",
  alarmText: "--alarm-text",
  surface: "--surface",
  surface2: "--surface-2",
  gap: "--gap-hatch",
  mark: "--mark-line",
  text1: "--text-1",
  border: "--border",
  borderStrong: "--border-strong",
  text2: "--text-2",
  font: "--font-sans",
} as const;

/** The design's colours and fonts for drawing: a canvas cannot use CSS custom properties. */
export type ChartTokens = Record<keyof typeof names, string>;

/** Reads the current tokens of the theme from this element. */
export const readTokens = (element: Element): ChartTokens => {
  const style = getComputedStyle(element);
  const read = Object.entries(names).map(([key, name]) => [key, style.getPropertyValue(name).trim()]);
  return Object.fromEntries(read) as ChartTokens;
};

/** The hatch of windows without data, at device resolution. */
export const hatch = ({ gap }: ChartTokens): HTMLCanvasElement => {
  const canvas = document.createElement("canvas");
  const size = 8;
  canvas.width = size;
  canvas.height = size;
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  pen.strokeStyle = gap;
  pen.lineWidth = 1.4;
  for (const from of [-size, 0, size]) {
    pen.moveTo(from, size);
    pen.lineTo(from + size, 0);
  }
  pen.stroke();
  return canvas;
};

/** The alarm diamond with its exclamation mark as in the glyph sprite, at device resolution. */
export const alarmDiamond = ({ threshold, surface }: ChartTokens, size: number): HTMLCanvasElement => {
  const canvas = document.createElement("canvas");
  const scale = (size * 2) / 16;
  canvas.width = size * 2;
  canvas.height = size * 2;
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  pen.scale(scale, scale);
  pen.fillStyle = threshold;
  pen.fill(new Path2D("M8 .7 15.3 8 8 15.3 .7 8Z"));
  pen.strokeStyle = surface;
  pen.lineWidth = 1.9;
  pen.stroke(new Path2D("M8 4.2v4.6M8 10.1v1.9"));
  return canvas;
};
