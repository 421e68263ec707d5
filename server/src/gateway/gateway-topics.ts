import { RefusalReason, topics } from "@telltale/contract/device-api";
import type { KnownDevice } from "../telemetry/known-device.ts";
import { type DeviceMessage, isRecord, payloadRecord, settle, type TopicNeeds } from "./device-message.ts";

const withSubDevice = async (
  { intake, refusals }: TopicNeeds,
  master: KnownDevice,
  deviceSnId: string,
  work: (sub: KnownDevice) => Promise<unknown>,
): Promise<void> => {
  const sub = await intake.subDevice(master, deviceSnId);
  if (sub) await work(sub);
  else refusals.count(master.deviceId, RefusalReason.unknownDevice, deviceSnId.slice(0, 64), "");
};

const storeAttributes = async (needs: TopicNeeds, message: DeviceMessage): Promise<void> => {
  for (const [deviceSnId, values] of Object.entries(payloadRecord(needs, message))) {
    if (!isRecord(values)) continue;
    await withSubDevice(needs, message.device, deviceSnId, async (sub) => {
      await needs.attributes.store(sub, values);
      await needs.intake.heard(sub);
    });
  }
};

const connectSubDevice = async (needs: TopicNeeds, message: DeviceMessage): Promise<void> => {
  const { device: deviceSnId } = payloadRecord(needs, message);
  if (typeof deviceSnId === "string") await withSubDevice(needs, message.device, deviceSnId, needs.intake.heard);
};

const takeAnswer = (needs: TopicNeeds, message: DeviceMessage): void => {
  const { id, data } = payloadRecord(needs, message);
  if (typeof id === "number") needs.commands.answered(message.device, id, data);
  message.done("stored");
};

/** What a master says for its sub-devices: the ThingsBoard gateway API. */
export const gatewayTopics = (needs: TopicNeeds): [string, (message: DeviceMessage) => void][] => [
  [
    topics.gateway.telemetry,
    ({ device, payload, delivery, done }) => needs.intake.gatewayTelemetry(device, payload, delivery, done),
  ],
  [topics.gateway.attributes, (message) => settle(needs, message, storeAttributes(needs, message))],
  [topics.gateway.connect, (message) => settle(needs, message, connectSubDevice(needs, message))],
  // A sub-device that leaves is offline when nothing was heard for its offline reporting time, like any other.
  [topics.gateway.disconnect, (message) => message.done("stored")],
  [topics.gateway.rpc, (message) => takeAnswer(needs, message)],
];
