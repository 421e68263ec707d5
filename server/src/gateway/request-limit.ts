import { RefusalReason } from "@telltale/contract/device-api";
import { type DeviceMessage, settle, type TopicNeeds } from "./device-message.ts";

/** Requests of one device that are being answered at once: it asks for one thing after the other, and an answer is much longer than its request. */
const requestLimit = 16;

/** Does the work that answers a message; one too many is refused. */
export type RequestLimit = (message: DeviceMessage, work: () => Promise<void>) => void;

/** Bounds the requests under way by device. */
export const createRequestLimit = (needs: Pick<TopicNeeds, "log">): RequestLimit => {
  const open = new Map<number, number>();
  const end = (deviceId: number): void => {
    const left = (open.get(deviceId) ?? 1) - 1;
    if (left > 0) open.set(deviceId, left);
    else open.delete(deviceId);
  };
  return (message, work) => {
    const { deviceId } = message.device;
    const count = open.get(deviceId) ?? 0;
    if (count >= requestLimit) {
      message.refuse(RefusalReason.tooManyRequests);
      message.done("stored");
      return;
    }
    open.set(deviceId, count + 1);
    settle(
      needs,
      message,
      work()
        .then(() => 0)
        .finally(() => end(deviceId)),
    );
  };
};
