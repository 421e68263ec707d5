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
}

/** A look at the plant every second of real time. */
const beat = 1000;
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
export const createLive = ({ simulation, clock, connections, connectionOf }: LiveNeeds) => {
  let timer: NodeJS.Timeout | undefined;
  let attributesAt = simulation.now();
  const send = (device: Device, moment: string, readings: number): void =>
    connectionOf(device.spec.deviceSnId).outbox.add(device.spec.deviceSnId, moment, readings);
  const tick = (): void => {
    const now = clock.now();
    const passed = now - simulation.now();
    if (passed > longestGap) simulation.advance(now - longestGap, () => undefined, 60);
    simulation.advance(now, send);
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
