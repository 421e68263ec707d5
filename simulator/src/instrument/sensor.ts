import { Analog, ChannelType } from "@telltale/contract/domains/channels";
import type { FleetChannel, FleetDevice } from "../fleet.ts";
import type { Random } from "../plant/random.ts";
import { type PumpNumber, type Signal, type SignalName, signalOf } from "../plant/signals.ts";
import type { Station } from "../plant/station.ts";
import { pumpFor, signalFor } from "./assign.ts";
import { registerOf } from "./registers.ts";
import { instrumentFor, registerInstrument } from "./transmitter.ts";

/** What a channel's input is connected to. */
export interface Sensor {
  /** A contact is reported when it changes; any other value when its report is due. */
  isDiscrete: boolean;
  /** The measured quantity; undefined for an output and for a constant register. */
  signal: SignalName | undefined;
  /** The value without noise, in the channel's unit, compared with alarm limits. */
  truth: (station: Station) => number;
  /** The sent value. */
  measure: (station: Station, draw: Random) => number;
  /** The sent value when the wire is broken. */
  broken: number;
}

const discrete: ReadonlySet<SignalName> = new Set([
  "pumpRunning",
  "isUnderCurrent",
  "door",
  "floatSwitch",
  "highWater",
] satisfies SignalName[]);

const constant = (value: number): Sensor => ({
  isDiscrete: false,
  signal: undefined,
  truth: () => value,
  measure: () => value,
  broken: value,
});

/** A digital output, which has no sensor: the device itself holds its state. */
export const isOutput = ({ code, channelType, settings }: FleetChannel): boolean =>
  channelType === ChannelType.digitalOutput || settings.analogId === Analog.digitalOutput || /^DO\d+$/.test(code);

/** A contact wired so that ON means an open contact is inverted. */
const inverted = ({ settings }: FleetChannel): boolean => settings.userDefinedOn === 0;

const discreteSensor = (
  signal: SignalName | undefined,
  read: (station: Station) => number,
  isInverted: boolean,
): Sensor => {
  const level = isInverted ? (station: Station) => 1 - read(station) : read;
  return { isDiscrete: true, signal, truth: level, measure: level, broken: 0 };
};

/** A channel as installed in the plant, and the offset of its counter against the plant's. */
export interface Installed {
  channel: FleetChannel;
  ahead?: number;
}

/** A counter continues from its value when the fleet was stopped. */
const aheadOf = (station: Station, signal: Signal, pump: PumpNumber, installed: Installed): number => {
  if (!signal.isCounter || installed.channel.counted === undefined) return 0;
  installed.ahead ??= installed.channel.counted - signal.read(station, pump);
  return installed.ahead;
};

/**
 * Connects a channel to the plant, possibly with `installed` settings that differ from its current ones; an output reads the state held by the
 * device.
 */
export const sensorFor = (
  device: FleetDevice,
  channel: FleetChannel,
  outputState: (code: string) => number,
  installed: Installed = { channel },
): Sensor => {
  if (isOutput(channel)) return discreteSensor(undefined, () => outputState(channel.code), false);
  const register = channel.signal ? undefined : registerOf(channel.code);
  if (register?.fixed !== undefined) return constant(register.fixed);
  const name = register?.signal ?? signalFor(device, channel);
  const signal = signalOf(name);
  const pump = pumpFor(device, channel);
  const read = (station: Station) => signal.read(station, pump) + aheadOf(station, signal, pump, installed);
  if (discrete.has(name)) return discreteSensor(name, read, !register && inverted(channel));
  const instrument = register
    ? registerInstrument(signal, register.decimals)
    : instrumentFor(signal, channel, installed.channel);
  let held: number | undefined;
  return {
    isDiscrete: false,
    signal: name,
    truth: (station) => instrument.engineering(read(station)),
    measure: (station, draw) => {
      if (held === undefined || (signal.isMeasured?.(station, pump) ?? true))
        held = instrument.transmit(read(station), draw);
      return held;
    },
    broken: instrument.broken,
  };
};
