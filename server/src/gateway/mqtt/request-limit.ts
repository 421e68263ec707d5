import { RefusalReason } from "@telltale/contract/device-api";
import { createOpenRequests } from "../thingsboard-http/open-requests.ts";
import { type DeviceMessage, settle, type TopicNeeds } from "./device-message.ts";

/** Requests of one device that are being answered at once: it asks for one thing after the other, and an answer is much longer than its request. */
export const requestLimit = 16;

/** Does the work that answers a message; one too many is refused. */
export type RequestLimit = (message: DeviceMessage, work: () => Promise<void>) => void;

/** Bounds the requests under way by device. */
export const createRequestLimit = (needs: Pick<TopicNeeds, "log">): RequestLimit => {
  const open = createOpenRequests(requestLimit);
  return (message, work) => {
    const end = open.begin(message.device.deviceId);
    if (!end) {
      message.refuse(RefusalReason.tooManyRequests);
      message.done("stored");
      return;
    }
    settle(
      needs,
      message,
      work()
        .then(() => 0)
        .finally(end),
    );
  };
};
