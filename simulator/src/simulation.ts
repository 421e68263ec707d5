import type { Pace } from "./device/channels.ts";
import { createDevice, type Device } from "./device/device.ts";
import type { FleetDevice } from "./fleet.ts";
import { pumpFor } from "./instrument/assign.ts";
import { stepBattery } from "./plant/battery.ts";
import { chosen, createCalendar, type Episode, Fault, influenceOf } from "./plant/episodes.ts";
import type { PumpNumber } from "./plant/signals.ts";
import type { Influence, Station } from "./plant/station.ts";
import { createTimeline, usualStep } from "./plant/timeline.ts";

/** Receives the readings of a device at one moment. */
export type Emit = (device: Device, moment: string, readings: number) => void;

/** The plant with the devices that measure it. */
export interface Simulation {
  readonly devices: readonly Device[];
  station: () => Station;
  /** Plant time, epoch milliseconds. */
  now: () => number;
  /** Schedules these episodes from now on. */
  plan: (episodes: Episode[]) => void;
  /** Advances time to `ts`, in steps of `seconds`. */
  advance: (ts: number, emit: Emit, seconds?: number) => void;
  setPace: (pace: Pace) => void;
  /** Called with each fault that begins or ends, with the affected device if it is a device's own fault. */
  onFault: (listener: (fault: Fault, isBeginning: boolean, device: Device | undefined) => void) => void;
}

/** Candidates for a fault: sub-devices that can fail on their own. */
const chooseFrom = (devices: readonly Device[], fault: Fault): Device[] => {
  if (fault === Fault.lowBattery) return devices.filter((device) => device.isOnBattery);
  if (fault === Fault.lostLink) return devices.filter((device) => device.spec.parentDeviceSnId);
  if (fault === Fault.openCircuit) return devices.filter((device) => device.probes.length > 0);
  return [];
};

/** The device affected by an episode; undefined for one of the station. */
const affectedDevice = (devices: readonly Device[], episode: Episode): Device | undefined => {
  const candidates = chooseFrom(devices, episode.fault);
  return candidates[chosen(episode, candidates.length)];
};

const strike = (device: Device, fault: Fault, isBeginning: boolean): void => {
  if (fault === Fault.lostLink) device.isSilent = isBeginning;
  if (fault === Fault.openCircuit) device.brokenChannel = isBeginning ? device.probes[0] : undefined;
  if (fault === Fault.lowBattery) device.battery = stepBattery(device.battery, 0, isBeginning);
};

/** Returns whether a fan's output is on. */
const fanWatch = (devices: readonly Device[]): (() => boolean) => {
  const fans = devices.flatMap(({ spec, outputs }) =>
    spec.channels
      .filter(({ code, name }) => /fan|ventilat/i.test(name) && outputs.levels.has(code))
      .map(({ code }) => ({ outputs, code })),
  );
  return () => fans.some(({ outputs, code }) => outputs.state(code) === 1);
};

/** Applies alarms to the outputs of devices: a device's own alarms and those of its master. */
const outputDriver = (devices: readonly Device[]): ((station: Station) => void) => {
  const byId = new Map(devices.map((device) => [device.spec.deviceSnId, device]));
  const driven = devices
    .filter(({ outputs }) => outputs.levels.size > 0)
    .map((device) => ({ device, master: byId.get(device.spec.parentDeviceSnId ?? "") }));
  return (station) => {
    for (const { device, master } of driven)
      device.outputs.drive(new Set([...device.alarms(station), ...(master?.alarms(station) ?? [])]));
  };
};

/** Pumps with a vibration sensor; both when there is none. */
const watchedPumps = (fleet: readonly FleetDevice[]): PumpNumber[] => {
  const isVibration = (code: string) => /^V[XYZ]$/.test(code);
  const pumps = fleet.flatMap((spec) =>
    spec.channels.filter(({ code }) => isVibration(code)).map((channel) => pumpFor(spec, channel)),
  );
  return pumps.length > 0 ? [...new Set(pumps)] : [0, 1];
};

/** Builds a fleet's plant at `from` (epoch milliseconds). */
export const createSimulation = (
  fleet: readonly FleetDevice[],
  { seed, from, pace }: { seed: number; from: number; pace?: Pace },
): Simulation => {
  const devices = fleet.map((spec) => createDevice(spec, seed, pace));
  const timeline = createTimeline(seed, from, influenceOf([], from));
  const listeners: ((fault: Fault, isBeginning: boolean, device: Device | undefined) => void)[] = [];
  const watched = watchedPumps(fleet);
  const driveOutputs = outputDriver(devices);
  const isFanOn = fanWatch(devices);
  let calendar = createCalendar([]);
  let active: readonly Episode[] = [];
  let hasFan = false;

  const log = (episode: Episode, isBeginning: boolean): void => {
    const device = affectedDevice(devices, episode);
    if (device) strike(device, episode.fault, isBeginning);
    for (const listener of listeners) listener(episode.fault, isBeginning, device);
  };
  const influenceAt = (ts: number): Influence => {
    const now = calendar.at(ts);
    if (now !== active) {
      for (const episode of active) if (!now.includes(episode)) log(episode, false);
      for (const episode of now) if (!active.includes(episode)) log(episode, true);
      active = now;
    }
    const influence = influenceOf(active, ts, watched);
    return hasFan ? { ...influence, hasFan } : influence;
  };

  return {
    devices,
    station: timeline.station,
    now: () => timeline.station().ts,
    plan: (episodes) => {
      calendar = createCalendar(episodes);
    },
    advance: (ts, emit, seconds = usualStep) => {
      for (let at = timeline.station().ts; at < ts; ) {
        const next = Math.min(ts, at + seconds * 1000);
        hasFan = isFanOn();
        const station = timeline.step(next, influenceAt(next));
        driveOutputs(station);
        for (const device of devices) {
          const sample = device.sample(station);
          if (sample) emit(device, sample.moment, sample.readings);
        }
        at = next;
      }
    },
    setPace: (wanted) => {
      for (const device of devices) device.setPace(wanted);
    },
    onFault: (listener) => listeners.push(listener),
  };
};
