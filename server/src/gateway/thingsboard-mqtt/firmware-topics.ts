import { RefusalReason, topics } from "@telltale/contract/device-api";
import { type ChunkAnswer, readChunk } from "../../modules/firmware/index.ts";
import { isRecord, parseJson } from "../core/telemetry-payload.ts";
import type { DeviceMessage, TopicHandler, TopicNeeds } from "../mqtt/device-message.ts";
import type { RequestLimit } from "../mqtt/request-limit.ts";

const request = /^v2\/(fw|sw)\/request\/([^/]{1,64})\/chunk\/([^/]{1,64})$/;

/** The device whose chunk is requested, and the chunk size in bytes. */
interface RequestedChunk {
  /** A sub-device; the sender if absent. */
  deviceSnId?: string;
  size?: number;
}

/** Parses a request: empty, a number as text, or `{device, size}` from a master. NaN stands for an invalid size. */
const requestIn = (payload: Buffer): RequestedChunk => {
  if (payload.length === 0) return {};
  const reported = payload.length > 200 ? undefined : parseJson(payload);
  if (!isRecord(reported)) return { size: typeof reported === "number" ? reported : Number.NaN };
  const { device, size } = reported;
  return {
    ...(typeof device === "string" ? { deviceSnId: device } : {}),
    ...(size === undefined ? {} : { size: typeof size === "number" ? size : Number.NaN }),
  };
};

const answerFor = async (needs: TopicNeeds, message: DeviceMessage, chunk: number): Promise<ChunkAnswer> => {
  const { deviceSnId, size } = requestIn(message.payload);
  if (deviceSnId === undefined) return readChunk(needs, message.device.deviceId, { chunk, size });
  const sub = (await needs.intake.subDevices(message.device, [deviceSnId])).get(deviceSnId);
  if (sub) return readChunk(needs, sub.deviceId, { chunk, size });
  return {
    refusal: `${deviceSnId.slice(0, 64)} does not report through this device`,
    reason: RefusalReason.unknownDevice,
  };
};

const answer = async (needs: TopicNeeds, message: DeviceMessage, requestId: string, chunk: string): Promise<void> => {
  const found = await answerFor(needs, message, /^\d+$/.test(chunk) ? Number(chunk) : Number.NaN);
  if ("bytes" in found) {
    message.reply(`${topics.firmware.response}${requestId}/chunk/${chunk}`, found.bytes);
    return;
  }
  message.refuse(found.reason, "", message.payload.subarray(0, 64).toString());
  message.reply(topics.firmware.error, Buffer.from(found.refusal));
};

/** ThingsBoard distinguishes software from firmware; only firmware is supported here. */
const refuseSoftware = (message: DeviceMessage): void => {
  message.refuse(RefusalReason.notOffered, "software");
  message.reply("v2/sw/error", Buffer.from("No software is offered to this device: updates are firmware (v2/fw/…)"));
  message.done("stored");
};

/** Handles the ThingsBoard device API's firmware topics: a chunk is requested by number, and sent or refused. */
export const firmwareTopics =
  (needs: TopicNeeds, limit: RequestLimit): TopicHandler =>
  (message) => {
    const [, kind, requestId, chunk] = request.exec(message.topic) ?? [];
    if (requestId === undefined || chunk === undefined) return false;
    if (kind === "sw") refuseSoftware(message);
    else limit(message, () => answer(needs, message, requestId, chunk));
    return true;
  };
