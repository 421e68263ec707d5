import { Presets, SingleBar } from "cli-progress";

/** Shows the progress of long work. */
export interface Progress {
  /** Done of the total, and readings acknowledged so far. */
  update: (done: number, readings: number) => void;
  stop: () => void;
}

const figures = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A number with thousands separators. */
export const figure = (value: number): string => figures.format(value);

/** A bar on a terminal; elsewhere one line per tenth. `total` is in any unit. */
export const createProgress = (label: string, total: number): Progress => {
  const start = performance.now();
  const rate = (readings: number) => figure(readings / Math.max(0.001, (performance.now() - start) / 1000));
  if (process.stderr.isTTY) {
    const format = `${label} {bar} {percentage} % | {readings} readings | {rate}/s | {duration_formatted}`;
    const bar = new SingleBar({ format, hideCursor: true, stream: process.stderr }, Presets.shades_classic);
    bar.start(total, 0, { readings: "0", rate: "0" });
    return {
      update: (done, readings) => bar.update(done, { readings: figure(readings), rate: rate(readings) }),
      stop: () => bar.stop(),
    };
  }
  let tenths = 0;
  return {
    update: (done, readings) => {
      const now = total > 0 ? Math.floor((done / total) * 10) : 10;
      if (now <= tenths) return;
      tenths = now;
      process.stderr.write(`${label}: ${now * 10} %, ${figure(readings)} readings, ${rate(readings)}/s\n`);
    },
    stop: () => undefined,
  };
};
