import { RefusalReason } from "@telltale/contract/device-api";
import { createOpenRequests } from "../thingsboard-http/open-requests.ts";
import { type DeviceMessage, settle, type TopicNeeds } from "./device-message.ts";

/** Most concurrent requests of one device: a device asks for one thing after the other, and answers are much larger than requests. */
export const requestLimit = 16;

/** Runs `work` to answer a message, or refuses the message at the limit. */
export type RequestLimit = (message: DeviceMessage, work: () => Promise<void>) => void;

/** Limits concurrent requests by device. */
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
