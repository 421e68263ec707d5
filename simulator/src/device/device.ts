import type { SharedAttributes } from "@telltale/contract/device-api";
import { Analog, SensorType } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import type { FleetChannel, FleetDevice } from "../fleet.ts";
import type { Battery } from "../plant/battery.ts";
import { between, type Random, random, seedFor } from "../plant/random.ts";
import type { Station } from "../plant/station.ts";
import { createAlarmWatch } from "./alarms.ts";
import { type Channels, createChannels, type Pace } from "./channels.ts";
import type { FirmwareFault } from "./firmware-fault.ts";
import { createOutputs, type Outputs } from "./outputs.ts";
import { type Reporter, report } from "./reporter.ts";

/** One device of the fleet: its channels, outputs and faults. */
export interface Device {
  readonly spec: FleetDevice;
  readonly isOnBattery: boolean;
  readonly outputs: Outputs;
  /** Keys of the active alarms of its inputs. */
  alarms: (station: Station) => readonly string[];
  battery: Battery;
  firmwareVersion: string;
  /** The fault injected into its next update. */
  firmwareFault: FirmwareFault | undefined;
  /** The applied settings version; undefined until it received one. */
  settingsVersion: number | undefined;
  /** Its link is lost: nothing it measures is sent. */
  isSilent: boolean;
  /** The channel whose probe has a broken wire. */
  brokenChannel: string | undefined;
  /** Channels whose wire can break, thermistors first. */
  readonly probes: readonly string[];
  /** The readings due at this moment, as JSON `{"ts":…,"values":{…}}`, and their number. */
  sample: (station: Station) => { moment: string; readings: number } | undefined;
  /** When it is installed, changes settings or goes silent for good: the next of these after a time; Infinity for never. */
  nextChange: (ts: number) => number;
  /** The shortest report interval of its channels, milliseconds. */
  shortestInterval: () => number;
  setPace: (pace: Pace) => void;
  /** Applies the current settings; those of a channel replace its previous ones. */
  apply: (attributes: Partial<SharedAttributes>) => void;
}

const probesOf = ({ channels }: FleetDevice): string[] => {
  const isTemperature = ({ code, settings }: FleetChannel) =>
    settings.analogId === Analog.temperature && code !== "TEMP";
  const isThermistor = ({ settings }: FleetChannel) => settings.sensorType === SensorType.ntc;
  const found = channels.filter(isTemperature).sort((a, b) => Number(isThermistor(b)) - Number(isThermistor(a)));
  return found.map(({ code }) => code);
};

/** Whether a device is installed and has not gone silent for good. */
export const isInstalled = (
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: FleetDevice,
  ts: number,
) => since <= ts && ts < until;

const ahead =
  (ts: number) =>
  (moment = Number.POSITIVE_INFINITY): number =>
    moment > ts ? moment : Number.POSITIVE_INFINITY;

/** Creates a device. `firstPace` applies to a channel until the server changes that channel's own interval. */
export const createDevice = (spec: FleetDevice, seed: number, firstPace: Pace = () => undefined): Device => {
  const draw = random(seedFor(seed, spec.deviceSnId));
  const outputs = createOutputs(spec, (code) => channels.settingsOf(code));
  const channels: Channels = createChannels(spec, outputs.state, firstPace);
  const device: Device = {
    spec,
    isOnBattery: spec.deviceType === DeviceType.sub && spec.typeId !== Model.motorController,
    outputs,
    alarms: createAlarmWatch(spec.deviceSnId, channels.reporters),
    battery: { charge: between(draw, 58, 97), isFailing: false },
    firmwareVersion: spec.firmwareVersion ?? "2.4.1",
    firmwareFault: undefined,
    settingsVersion: undefined,
    isSilent: false,
    brokenChannel: undefined,
    probes: probesOf(spec),
    sample: (station) => {
      if (device.isSilent || !isInstalled(spec, station.ts)) return undefined;
      channels.advance(station.ts);
      return sampleOf(channels.reporters(), station, device.brokenChannel, draw);
    },
    nextChange: (ts) => Math.min(...[spec.since, spec.until, channels.nextChange()].map(ahead(ts))),
    shortestInterval: () => Math.min(...channels.reporters().map(({ interval }) => interval)),
    setPace: channels.setPace,
    apply: (attributes) => {
      const { settingsVersion } = attributes;
      if (Number.isInteger(settingsVersion)) device.settingsVersion = settingsVersion;
      channels.apply(attributes);
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
