import { withServer } from "../bench-server.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";
import { few, measure } from "../fleet-load.ts";

const [second, day] = [1_000, 86_400_000];
/** How long each part is measured, seconds. */
const measured = 30;

/**
 * Readings per second of a fleet that was away for a month and sends what it has kept, a sample a second; then of readings between those, as an
 * import into hours that have readings already.
 */
export const backlog = (): Promise<Figure[]> =>
  withServer(few.devices, async ({ mqttPort, devices }) => {
    // From now on every reading of the past is older than the newest one.
    await measure(mqttPort, devices, { inFlight: few.inFlight, rate: 500 }, 1);
    const from = Math.floor(Date.now() / second) * second - 30 * day;
    const send = (offset: number) =>
      measure(mqttPort, devices, { inFlight: few.inFlight, past: { from: from + offset, step: second } }, measured);
    const [first, between] = [await send(0), await send(second / 2)];
    return [
      {
        name: `${few.name}: readings of the past, a sample a second`,
        goal: ">= 200,000/s",
        measured: count(first.perSecond, "readings/s"),
        baseline: `PUBACK p50 / p99: ${fixed(first.p50, 0, "ms")} / ${fixed(first.p99, 0, "ms")}`,
        ratio: "",
      },
      {
        name: `${few.name}: readings between those, in the same hours`,
        goal: ">= 200,000/s",
        measured: count(between.perSecond, "readings/s"),
        baseline: "compared with the first",
        ratio: ratio(between.perSecond, first.perSecond),
      },
    ];
  });
