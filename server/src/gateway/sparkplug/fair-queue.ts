import { setImmediate as nextTurn } from "node:timers/promises";
import type { Writer } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { DeviceMessage } from "../mqtt/device-message.ts";

interface Needs extends Pick<World, "log"> {
  writer: Pick<Writer, "waitForRoom" | "isFull" | "hold">;
}

/** Decodes and processes a message; returns its cost in metrics, at least 1. */
type Handle<T> = (message: DeviceMessage, topic: T) => Promise<number>;

/** Metrics of one device that are processed per turn of the event loop, at least one message. */
const metricsPerTurn = 1_000;

interface Place<T> {
  message: DeviceMessage;
  topic: T;
  /** Releases its share of the queue's limits. */
  release: () => void;
}

/**
 * Returns a fair queue: processes each device's messages in order, a bounded amount per turn of the event loop, and none while too much of the device
 * waits for its commit. A few bytes of a compressed payload hold thousands of readings: the sending device waits, and other devices' messages are
 * processed in between.
 */
export const fairQueue = <T>(
  { log, writer }: Needs,
  handle: Handle<T>,
): ((message: DeviceMessage, topic: T) => void) => {
  const lines = new Map<number, Place<T>[]>();
  const take = async ({ message, topic }: Place<T>): Promise<number> => {
    try {
      return await handle(message, topic);
    } catch (fault) {
      // A resend would fail again.
      log.error(
        { err: fault, deviceId: message.device.deviceId },
        "Unexpected fault in a Sparkplug message; the message is counted as refused",
      );
      message.done("refused");
      return 1;
    }
  };
  const work = async (line: Place<T>[]): Promise<void> => {
    for (let left = metricsPerTurn; left > 0; ) {
      const [next] = line;
      if (!next) return;
      const hasRoom = await writer.waitForRoom(next.message.device);
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
