import { setImmediate as nextTurn } from "node:timers/promises";
import { RefusalReason } from "@telltale/contract/device-api";
import type { Writer } from "../../telemetry/writer.ts";
import type { World } from "../../world.ts";
import type { DeviceMessage } from "../device-message.ts";

interface Needs extends Pick<World, "log"> {
  writer: Pick<Writer, "room">;
}

/** Decodes and takes a message; gives how many metrics that was worth. */
type Handle<T> = (message: DeviceMessage, topic: T) => Promise<number>;

/** Metrics of one device that are decoded in one turn of the event loop, or one message with more. */
const metricsATurn = 1_000;
/** Bytes of a device's messages that may wait for their turns: many times what the broker reads from a connection before the first is acknowledged. */
const waitingLimit = 1024 * 1024;
/** Bytes that a message takes besides its payload, about. */
const overhead = 512;

interface Line<T> {
  messages: { message: DeviceMessage; topic: T }[];
  bytes: number;
}

const bytesOf = ({ payload }: DeviceMessage): number => payload.length + overhead;

/**
 * Takes each device's messages in their order, a bounded piece of work at a time, and none while too much of the device waits for its commit. A few bytes
 * of a compressed payload are thousands of readings: the device that sends them waits, and the others' messages are taken in between.
 */
export const inTurns = <T>({ log, writer }: Needs, handle: Handle<T>): ((message: DeviceMessage, topic: T) => void) => {
  const lines = new Map<number, Line<T>>();
  const take = async ({ message, topic }: Line<T>["messages"][number]): Promise<number> => {
    try {
      return await handle(message, topic);
    } catch (fault) {
      // Sent again it would only fail again.
      log.error({ err: fault, deviceId: message.device.deviceId }, "A Sparkplug message could not be handled");
      message.done("refused");
      return 0;
    }
  };
  const work = async (line: Line<T>): Promise<void> => {
    for (let left = metricsATurn; left > 0; ) {
      const [next] = line.messages;
      if (!next) return;
      if (await writer.room(next.message.device)) left -= await take(next);
      else next.message.done("stopped");
      line.messages.shift();
      line.bytes -= bytesOf(next.message);
    }
  };
  const run = async (deviceId: number, line: Line<T>): Promise<void> => {
    while (line.messages.length > 0) {
      await work(line);
      await nextTurn();
    }
    lines.delete(deviceId);
  };
  return (message, topic) => {
    const { deviceId } = message.device;
    const known = lines.get(deviceId);
    const line = known ?? { messages: [], bytes: 0 };
    if (line.bytes > waitingLimit) {
      message.refuse(RefusalReason.tooManyRequests);
      message.done("stopped");
      return;
    }
    line.messages.push({ message, topic });
    line.bytes += bytesOf(message);
    if (known) return;
    lines.set(deviceId, line);
    void run(deviceId, line);
  };
};
