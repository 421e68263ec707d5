import { isDeepStrictEqual } from "node:util";
import type { ChannelSettings } from "@telltale/contract/channels";
import type { SharedAttributes } from "@telltale/contract/device-api";
import type { FleetChannel, FleetDevice } from "../fleet.ts";
import { sensorFor } from "../instrument/sensor.ts";
import type { SignalName } from "../plant/signals.ts";
import { type Reporter, reporterFor, setReportInterval } from "./reporter.ts";

/** Seconds between two reports of a quantity; undefined: as the settings say. A register that never changes has no quantity. */
export type Pace = (signal: SignalName | undefined) => number | undefined;

/** A device's channels with the settings that they work by. */
export interface Channels {
  settingsOf: (code: string) => Partial<ChannelSettings>;
  /** Those that are on, in their order. An array: it is walked at every step of the plant. */
  reporters: () => readonly Reporter[];
  setPace: (pace: Pace) => void;
  /** Takes settings: those of a channel replace the ones it had. */
  apply: (attributes: Partial<SharedAttributes>) => void;
}

const defaultInterval = 60;

/** Settings that are words; all others are numbers. */
const words: ReadonlySet<string> = new Set([
  "unit",
  "ntcType",
  "source",
  "sourceDevice",
] satisfies (keyof ChannelSettings)[]);

/** Keeps only the settings that a message holds in the right type; a device trusts nobody. */
const settingsIn = ({ channelSwitch: _, ...received }: Record<string, unknown>): Partial<ChannelSettings> =>
  Object.fromEntries(
    Object.entries(received).filter(([name, value]) =>
      words.has(name) ? typeof value === "string" : Number.isFinite(value),
    ),
  );

/** `firstPace` holds for a channel until the server changes that channel's own interval. */
export const createChannels = (spec: FleetDevice, outputState: (code: string) => number, firstPace: Pace): Channels => {
  const channels = new Map(spec.channels.map((channel) => [channel.code, channel]));
  const installed = new Map(channels);
  const reporters = new Map<string, Reporter>();
  const off = new Set<string>();
  let walked: Reporter[] = [];
  let pace = firstPace;
  let deviceInterval = defaultInterval;
  /** A channel that is set anew reports at once: what it said before says nothing under other settings. */
  const connect = (channel: FleetChannel): void => {
    const sensor = sensorFor(spec, channel, outputState, installed.get(channel.code));
    channels.set(channel.code, channel);
    reporters.set(channel.code, reporterFor(channel, sensor));
  };
  const refresh = (): void => {
    walked = [...reporters.values()].filter(({ code }) => !off.has(code));
    for (const { code, settings } of spec.channels) {
      const reporter = reporters.get(code);
      const now = channels.get(code)?.settings ?? settings;
      const paced = now.reportInterval === settings.reportInterval ? pace(reporter?.sensor.signal) : undefined;
      if (reporter) setReportInterval(reporter, paced ?? now.reportInterval ?? deviceInterval, now.staticData);
    }
  };
  for (const channel of spec.channels) connect(channel);
  refresh();
  return {
    settingsOf: (code) => channels.get(code)?.settings ?? {},
    reporters: () => walked,
    setPace: (wanted) => {
      pace = wanted;
      refresh();
    },
    apply: ({ reportInterval, channels: received }) => {
      if (reportInterval && reportInterval > 0) deviceInterval = reportInterval;
      for (const [code, settings] of Object.entries(received ?? {})) {
        const channel = channels.get(code);
        if (!channel) continue;
        const isBack = settings.channelSwitch !== 0 && off.delete(code);
        if (settings.channelSwitch === 0) off.add(code);
        const changed = { ...channel, settings: settingsIn(settings) };
        if (isBack || !isDeepStrictEqual(changed, channel)) connect(changed);
      }
      refresh();
    },
  };
};
