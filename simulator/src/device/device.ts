import { isDeepStrictEqual } from "node:util";
import { Analog, type ChannelSettings, SensorType } from "@telltale/contract/channels";
import type { SharedAttributes } from "@telltale/contract/device-api";
import { DeviceType, Model } from "@telltale/contract/devices";
import type { FleetChannel, FleetDevice } from "../fleet.ts";
import { sensorFor } from "../instrument/sensor.ts";
import type { Battery } from "../plant/battery.ts";
import { between, type Random, random, seedFor } from "../plant/random.ts";
import type { SignalName } from "../plant/signals.ts";
import type { Station } from "../plant/station.ts";
import { createAlarmWatch } from "./alarms.ts";
import { createOutputs, type Outputs } from "./outputs.ts";
import { type Reporter, report, reporterFor, setReportInterval } from "./reporter.ts";

/** One device of the fleet: its channels, its outputs and what is wrong with it. */
export interface Device {
  readonly spec: FleetDevice;
  readonly isOnBattery: boolean;
  readonly outputs: Outputs;
  /** Names of the alarms of its inputs that are on. */
  alarms: (station: Station) => readonly string[];
  battery: Battery;
  firmwareVersion: string;
  /** Its link is gone: nothing it measures gets out. */
  isSilent: boolean;
  /** The channel whose probe has a broken wire. */
  brokenChannel: string | undefined;
  /** Channels that a wire can break of, thermistors first. */
  readonly probes: readonly string[];
  /** What there is to report of the moment, as JSON `{"ts":…,"values":{…}}`, and how many readings it holds. */
  sample: (station: Station) => { moment: string; readings: number } | undefined;
  setPace: (pace: Pace) => void;
  /** Takes the settings in force. */
  apply: (attributes: Partial<SharedAttributes>) => void;
}

/** Seconds between two reports of a quantity; undefined: as the settings say. A register that never changes has no quantity. */
export type Pace = (signal: SignalName | undefined) => number | undefined;

const defaultInterval = 60;

const probesOf = ({ channels }: FleetDevice): string[] => {
  const isTemperature = ({ code, settings }: FleetChannel) =>
    settings.analogId === Analog.temperature && code !== "TEMP";
  const isThermistor = ({ settings }: FleetChannel) => settings.sensorType === SensorType.ntc;
  const found = channels.filter(isTemperature).sort((a, b) => Number(isThermistor(b)) - Number(isThermistor(a)));
  return found.map(({ code }) => code);
};

/** Settings that are words; all others are numbers. */
const words: ReadonlySet<string> = new Set([
  "unit",
  "ntcType",
  "source",
  "sourceDevice",
] satisfies (keyof ChannelSettings)[]);

/** Keeps only the settings that a message holds in the right type; a device trusts nobody. */
const settingsIn = (received: Record<string, unknown>): Partial<ChannelSettings> =>
  Object.fromEntries(
    Object.entries(received).filter(([name, value]) =>
      words.has(name) ? typeof value === "string" : Number.isFinite(value),
    ),
  );

/** Builds a device. `pace` holds for a channel until the server changes that channel's own interval. */
export const createDevice = (spec: FleetDevice, seed: number, firstPace: Pace = () => undefined): Device => {
  const draw = random(seedFor(seed, spec.deviceSnId));
  const channels = new Map(spec.channels.map((channel) => [channel.code, channel]));
  const reporters = new Map<string, Reporter>();
  const outputs = createOutputs(spec, (code) => channels.get(code)?.settings ?? {});
  // An array: it is walked at every step of the plant.
  let walked: Reporter[] = [];
  let pace = firstPace;
  let deviceInterval = defaultInterval;
  const connect = (channel: FleetChannel): void => {
    const before = reporters.get(channel.code);
    const built = reporterFor(channel, sensorFor(spec, channel, outputs.state));
    reporters.set(channel.code, before ? { ...built, sent: before.sent, sentAt: before.sentAt } : built);
    walked = [...reporters.values()];
  };
  const setIntervals = (): void => {
    for (const { code, settings } of spec.channels) {
      const reporter = reporters.get(code);
      const now = channels.get(code)?.settings ?? settings;
      const paced = now.reportInterval === settings.reportInterval ? pace(reporter?.sensor.signal) : undefined;
      if (reporter) setReportInterval(reporter, paced ?? now.reportInterval ?? deviceInterval, now.staticData);
    }
  };
  for (const channel of spec.channels) connect(channel);
  setIntervals();
  const device: Device = {
    spec,
    isOnBattery: spec.deviceType === DeviceType.sub && spec.typeId !== Model.motorController,
    outputs,
    alarms: createAlarmWatch(spec.deviceSnId, () => walked),
    battery: { charge: between(draw, 58, 97), isFailing: false },
    firmwareVersion: "2.4.1",
    isSilent: false,
    brokenChannel: undefined,
    probes: probesOf(spec),
    sample: (station) => (device.isSilent ? undefined : sampleOf(walked, station, device.brokenChannel, draw)),
    setPace: (wanted) => {
      pace = wanted;
      setIntervals();
    },
    apply: ({ reportInterval, channels: received }) => {
      if (reportInterval && reportInterval > 0) deviceInterval = reportInterval;
      for (const [code, settings] of Object.entries(received ?? {})) {
        const channel = channels.get(code);
        if (!channel) continue;
        const changed = { ...channel, settings: { ...channel.settings, ...settingsIn(settings) } };
        if (isDeepStrictEqual(changed, channel)) continue;
        channels.set(code, changed);
        connect(changed);
      }
      setIntervals();
    },
  };
  return device;
};

const sampleOf = (reporters: readonly Reporter[], station: Station, broken: string | undefined, draw: Random) => {
  let values = "";
  let readings = 0;
  for (const reporter of reporters) {
    const value = report(reporter, station, broken === reporter.code, draw);
    if (value === undefined) continue;
    values += readings === 0 ? reporter.key + value : `,${reporter.key}${value}`;
    readings++;
  }
  return readings === 0 ? undefined : { moment: `{"ts":${Math.round(station.ts)},"values":{${values}}}`, readings };
};
