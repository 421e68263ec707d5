import type { Page } from "@playwright/test";
import { createLoad } from "../../simulator/src/load/create-load.ts";
import { withServer } from "../bench-server.ts";
import { heapOf, withPage } from "../browser.ts";
import { count, type Figure, fixed } from "../figure.ts";
import { fillDashboard, openDashboard, tiles } from "../full-dashboard.ts";

const senders = 50;
/** Messages per second, of ten readings each. */
const rate = 500;
/** Longest time between two frames of a moving picture, milliseconds. */
const smooth = 33;

/** Milliseconds between frames, over this many seconds. */
const framesOf = (page: Page, seconds: number): Promise<number[]> =>
  page.evaluate(
    (length) =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = [];
        const start = performance.now();
        let last = start;
        const step = (now: number): void => {
          frames.push(now - last);
          last = now;
          if (now - start < length) requestAnimationFrame(step);
          else resolve(frames);
        };
        requestAnimationFrame(step);
      }),
    seconds * 1000,
  );

interface Seen {
  frames: number[];
  /** JavaScript heap of the page after each part of the time, megabytes. */
  heaps: number[];
}

const parts = 10;

const watch = (page: Page, seconds: number): Promise<Seen> =>
  Array.from({ length: parts }).reduce<Promise<Seen>>(
    async (before) => {
      const { frames, heaps } = await before;
      const next = await framesOf(page, seconds / parts);
      return { frames: frames.concat(next), heaps: [...heaps, await heapOf(page)] };
    },
    Promise.resolve({ frames: [], heaps: [] }),
  );

const figuresOf = ({ frames, heaps }: Seen, seconds: number): Figure[] => {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  const [first = 0] = heaps;
  const middle = heaps[Math.floor(heaps.length / 2)] ?? 0;
  return [
    {
      name: `${tiles} tiles: frame, p50 / p95`,
      goal: `p95 <= ${smooth} ms`,
      measured: `${fixed(at(0.5), 0, "ms")} / ${fixed(at(0.95), 0, "ms")}`,
      baseline: `over ${smooth} ms: ${count(frames.filter((frame) => frame > smooth + 1).length, "frames")} of ${count(frames.length, "frames")}`,
      ratio: "",
    },
    {
      name: `${tiles} tiles: JavaScript heap after ${seconds} s`,
      goal: "not growing",
      measured: fixed(heaps.at(-1) ?? 0, 1, "MB"),
      baseline: `after a tenth: ${fixed(first, 1, "MB")}, after half: ${fixed(middle, 1, "MB")}`,
      ratio: "",
    },
  ];
};

/** The dashboard in a real browser while its plant sends 5,000 readings a second, ten of each channel. */
export const tilesScenario = (seconds: number): Promise<Figure[]> =>
  withServer(senders, async (server) => {
    const { token } = await server.signIn();
    await fillDashboard(server, token);
    const load = createLoad({
      ...{ host: "127.0.0.1", port: server.mqttPort, devices: server.devices, readingsPerMessage: 10 },
      ...{ inFlight: 100, rate },
    });
    await load.start();
    try {
      return await withPage(server.baseURL, token, async (page) => {
        await openDashboard(page);
        return figuresOf(await watch(page, seconds), seconds);
      });
    } finally {
      await load.stop();
    }
  });
