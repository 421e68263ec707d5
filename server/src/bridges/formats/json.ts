import { ReadingStatus } from "@telltale/contract/domains/channels";
import { alertEvent } from "../../notify/index.ts";
import { type Block, eachRun, type Run } from "../../readings/index.ts";
import type { BridgedChannel, BridgedDevice } from "../devices.ts";
import { type BridgedDevices, type Format, type Message, statusText, topicLevel } from "./format.ts";

/** What the messages of one channel have in common. */
interface Source {
  prefix: string;
  device: BridgedDevice;
  channel: BridgedChannel;
}

const messagesOf = function* ({ prefix, device, channel }: Source, run: Run): Iterable<Message> {
  const topic = `${prefix}/${topicLevel(device.deviceSnId)}/${topicLevel(channel.code)}`;
  for (let at = 0; at < run.times.length; at++) {
    const status = run.statuses[at] ?? ReadingStatus.noData;
    const reading = {
      time: new Date(run.times[at] ?? 0).toISOString(),
      value: status === ReadingStatus.noData ? null : run.values[at],
      unit: channel.unit,
      status: statusText[status],
      device: device.deviceSnId,
      // Left out where there is none.
      serial: device.serial ?? undefined,
      deviceName: device.deviceName,
      channel: channel.code,
      name: channel.name,
    };
    yield { topic, payload: JSON.stringify(reading), count: 1 };
  }
};

const messagesOfBlock = function* (prefix: string, block: Block, devices: BridgedDevices): Iterable<Message> {
  const runs: [channelId: number, run: Run][] = [];
  eachRun(block, (channelId, run) => runs.push([channelId, run]));
  for (const [index, [channelId, run]] of runs.entries()) {
    const device = devices.get(block.deviceIds[index] ?? 0);
    const channel = device?.channels.get(channelId);
    if (device && channel) yield* messagesOf({ prefix, device, channel }, run);
  }
};

/** A message for each reading, and one for each alert as webhooks get it, in JSON. */
export const jsonFormat = (prefix: string, publicUrl: string): Format => ({
  readings: async (block, devices) => messagesOfBlock(prefix, block, devices),
  alert: async (facts, time) => {
    const topic = `${prefix}/${topicLevel(facts.deviceSnId)}/alerts`;
    return [{ topic, payload: JSON.stringify(alertEvent(facts, time, publicUrl)), count: 1 }];
  },
});
