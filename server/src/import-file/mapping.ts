import { readFile } from "node:fs/promises";
import type { Client } from "@telltale/contract/call/client";
import { type ImportDevice, imports } from "@telltale/contract/domains/readings/imports";
import { z } from "zod";
import { readYamlFile } from "../plant-file/read-yaml.ts";
import { typedFile } from "../platform/installed.ts";
import { BadSource, type SeriesName } from "./source.ts";

const names = z.record(z.string(), z.string()).optional();

/** A file that says where a source's names go. */
const MappingFile = z.strictObject({
  devices: names.describe("Device of the source: device here, by name or ID"),
  channels: names.describe("Channel of the source: channel here, by code or name, for every device"),
  series: names.describe("Device and channel of the source, with a slash: device and channel here, with a slash"),
});

/** Where a source's names go; what is not in it goes to its own name. */
export interface Mapping {
  devices: ReadonlyMap<string, string>;
  channels: ReadonlyMap<string, string>;
  series: ReadonlyMap<string, string>;
}

/** A single series as it is typed: `pump-01/flow=Pump house 2/AI1`. */
const typedSeries = (text: string): [string, string] => {
  const at = text.lastIndexOf("=");
  const [source, target] = [text.slice(0, at), text.slice(at + 1)];
  if (!target.includes("/"))
    throw new BadSource(`--map ${text}: write it as pump-01/flow="Pump house 2/AI1", the channel after the last slash`);
  return [source, target];
};

/** Reads what `--map` names: files, and single series. */
export const readMapping = async (given: readonly string[]): Promise<Mapping> => {
  const [devices, channels, series] = [0, 1, 2].map(() => new Map<string, string>());
  if (!devices || !channels || !series) throw new Error("unreachable");
  for (const text of given) {
    if (text.includes("=")) {
      series.set(...typedSeries(text));
      continue;
    }
    const { file } = readYamlFile(MappingFile, text, await readFile(typedFile(text), "utf8"));
    for (const [source, target] of Object.entries(file.devices ?? {})) devices.set(source, target);
    for (const [source, target] of Object.entries(file.channels ?? {})) channels.set(source, target);
    for (const [source, target] of Object.entries(file.series ?? {})) series.set(source, target);
  }
  return { devices, channels, series };
};

/** A series as a file calls it. */
export const calledIn = ({ device, channel }: SeriesName): string => (device === "" ? channel : `${device}/${channel}`);

/** What a series is called here: a device and any of these channels. */
interface Wanted {
  device: string;
  channels: readonly string[];
}

const wantedOf = (name: SeriesName, { devices, channels, series }: Mapping): Wanted => {
  const all = [name.channel, ...(name.also ?? [])];
  const calls = [...all.map((channel) => calledIn({ ...name, channel })), ...all];
  for (const call of calls) {
    const target = series.get(call);
    if (target === undefined) continue;
    const slash = target.lastIndexOf("/");
    return { device: target.slice(0, slash), channels: [target.slice(slash + 1)] };
  }
  const mapped = all.map((channel) => channels.get(channel)).find((channel) => channel !== undefined);
  return { device: devices.get(name.device) ?? name.device, channels: mapped === undefined ? all : [mapped] };
};

/** Where a series goes, or why it goes nowhere. */
export type Target = { channelId: number; shown: string } | { problem: string };

/** Devices that are asked for by one call: their names are in its address. */
const mostNames = 50;

const devicesBy = async (client: Client, wanted: ReadonlySet<string>): Promise<Map<string, ImportDevice[]>> => {
  const found = new Map<string, ImportDevice[]>();
  const all = [...wanted];
  for (let from = 0; from < all.length; from += mostNames) {
    const part = new Set(all.slice(from, from + mostNames));
    for (const device of await client(imports.devices, { names: [...part] }))
      for (const name of new Set([device.deviceName, device.deviceSnId]))
        if (part.has(name)) found.set(name, [...(found.get(name) ?? []), device]);
  }
  return found;
};

const targetIn = (devices: readonly ImportDevice[], { device, channels }: Wanted): Target => {
  const [only, other] = devices;
  if (device === "") return { problem: "the file does not name its device: name it by --device, or by --map" };
  if (!only) return { problem: `there is no device ${device}` };
  if (other) return { problem: `${devices.length} devices are called ${device}: map it to the ID of one` };
  if (only.refusal) return { problem: only.refusal };
  const channel =
    channels.map((name) => only.channels.find(({ channelCode }) => channelCode === name)).find(Boolean) ??
    channels.map((name) => only.channels.find(({ channelName }) => channelName === name)).find(Boolean);
  const shown = `${only.deviceName}/${channel?.channelCode}`;
  if (!channel) {
    const known = only.channels.map(({ channelCode }) => channelCode).join(", ");
    return { problem: `${only.deviceName} has no channel ${channels[0]}; it has ${known}` };
  }
  return channel.isOn
    ? { channelId: channel.deviceChannelId, shown }
    : { problem: `${shown} is off: switch it on first` };
};

/** Finds where series go, in their order. Two that would go to one channel are a problem of the second. */
export const targetsOf = async (client: Client, series: readonly SeriesName[], mapping: Mapping): Promise<Target[]> => {
  const wanted = series.map((name) => wantedOf(name, mapping));
  const devices = await devicesBy(client, new Set(wanted.map(({ device }) => device).filter((name) => name !== "")));
  const taken = new Map<number, SeriesName>();
  return wanted.map((each, at): Target => {
    const target = targetIn(devices.get(each.device) ?? [], each);
    const name = series[at];
    if ("problem" in target || !name) return target;
    const before = taken.get(target.channelId);
    if (before) return { problem: `${calledIn(before)} goes to ${target.shown} already` };
    taken.set(target.channelId, name);
    return target;
  });
};
