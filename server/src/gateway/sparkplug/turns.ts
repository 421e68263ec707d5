import { setImmediate as nextTurn } from "node:timers/promises";
import type { Writer } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { DeviceMessage } from "../mqtt/device-message.ts";

interface Needs extends Pick<World, "log"> {
  writer: Pick<Writer, "room" | "isFull" | "hold">;
}

/** Decodes and takes a message; gives how many metrics that was worth. */
type Handle<T> = (message: DeviceMessage, topic: T) => Promise<number>;

/** Metrics of one device that are decoded in one turn of the event loop, or one message with more. */
const metricsATurn = 1_000;

interface Place<T> {
  message: DeviceMessage;
  topic: T;
  /** Ends its count among what waits. */
  release: () => void;
}

/**
 * Takes each device's messages in their order, a bounded piece of work at a time, and none while too much of the device waits for its commit. A few bytes
 * of a compressed payload are thousands of readings: the device that sends them waits, and the others' messages are taken in between.
 */
export const inTurns = <T>({ log, writer }: Needs, handle: Handle<T>): ((message: DeviceMessage, topic: T) => void) => {
  const lines = new Map<number, Place<T>[]>();
  const take = async ({ message, topic }: Place<T>): Promise<number> => {
    try {
      return await handle(message, topic);
    } catch (fault) {
      // Sent again it would only fail again.
      log.error({ err: fault, deviceId: message.device.deviceId }, "A Sparkplug message could not be handled");
      message.done("refused");
      return 0;
    }
  };
  const work = async (line: Place<T>[]): Promise<void> => {
    for (let left = metricsATurn; left > 0; ) {
      const [next] = line;
      if (!next) return;
      const hasRoom = await writer.room(next.message.device);
      next.release();
      if (hasRoom) left -= await take(next);
      else next.message.done("stopped");
      line.shift();
    }
  };
  const run = async (deviceId: number, line: Place<T>[]): Promise<void> => {
    while (line.length > 0) {
      await work(line);
      await nextTurn();
    }
    lines.delete(deviceId);
  };
  return (message, topic) => {
    const { device } = message;
    if (writer.isFull(device)) {
      message.done("stopped");
      return;
    }
    const release = writer.hold(device, { readings: 0, bytes: message.payload.length });
    const line = lines.get(device.deviceId);
    if (line) {
      line.push({ message, topic, release });
      return;
    }
    const first = [{ message, topic, release }];
    lines.set(device.deviceId, first);
    void run(device.deviceId, first);
  };
};
