import type { SimulatedClock } from "./clock.ts";
import type { Connection } from "./device/connection.ts";
import type { Device } from "./device/device.ts";
import { stepBattery } from "./plant/battery.ts";
import type { Simulation } from "./simulation.ts";

export interface LiveNeeds {
  simulation: Simulation;
  clock: SimulatedClock;
  connections: readonly Connection[];
  connectionOf: (deviceSnId: string) => Connection;
  /** Seconds of the plant's time between two measurements: 1 in real time. */
  step: number;
}

/** Devices measure on the second, as their clocks have it; a look at the clock four times in it keeps what they say fresh. */
const second = 1000;
const beat = 250;
/** Devices say how they are every five minutes of their time, milliseconds. */
const attributesEvery = 300_000;
/** After a longer sleep of the machine the devices have measured nothing in between. */
const longestGap = 3_600_000;

const stepBatteries = (devices: readonly Device[], seconds: number): void => {
  for (const device of devices) {
    if (device.isOnBattery) device.battery = stepBattery(device.battery, seconds, device.battery.isFailing);
  }
};

/** Runs the fleet in its own time until it is stopped. */
export const createLive = ({ simulation, clock, connections, connectionOf, step }: LiveNeeds) => {
  let timer: NodeJS.Timeout | undefined;
  let attributesAt = simulation.now();
  const send = (device: Device, moment: string, readings: number): void =>
    connectionOf(device.spec.deviceSnId).outbox.add(device.spec.deviceSnId, moment, readings);
  const tick = (): void => {
    const now = Math.floor(clock.now() / second) * second;
    if (now <= simulation.now()) return;
    const passed = now - simulation.now();
    if (passed > longestGap) simulation.advance(now - longestGap, () => undefined, 60);
    simulation.advance(now, send, step);
    if (now - attributesAt >= attributesEvery) {
      stepBatteries(simulation.devices, (now - attributesAt) / 1000);
      attributesAt = now;
      for (const connection of connections) connection.sendAttributes();
    }
    for (const { outbox } of connections) outbox.flush();
  };
  return {
    start: (): void => {
      tick();
      timer = setInterval(tick, beat);
    },
    stop: (): void => clearInterval(timer),
  };
};
