import { RefusalReason, topics } from "@telltale/contract/device-api";
import type { KnownDevice } from "../telemetry/known-device.ts";
import { type DeviceMessage, isRecord, payloadRecord, settle, type TopicNeeds } from "./device-message.ts";

/** Does the work for every sub-device named; counts those that are not the master's. */
const withSubDevices = async (
  { intake, refusals }: TopicNeeds,
  master: KnownDevice,
  deviceSnIds: readonly string[],
  work: (sub: KnownDevice, deviceSnId: string) => Promise<unknown>,
): Promise<void> => {
  const known = await intake.subDevices(master, deviceSnIds);
  for (const deviceSnId of deviceSnIds) {
    const sub = known.get(deviceSnId);
    if (sub) await work(sub, deviceSnId);
    else refusals.count(master.deviceId, RefusalReason.unknownDevice, deviceSnId.slice(0, 64), "");
  }
};

const storeAttributes = async (needs: TopicNeeds, message: DeviceMessage): Promise<void> => {
  const payload = payloadRecord(needs, message);
  const deviceSnIds = Object.keys(payload).filter((id) => isRecord(payload[id]));
  await withSubDevices(needs, message.device, deviceSnIds, async (sub, deviceSnId) => {
    await needs.attributes.store(sub, payload[deviceSnId] as Record<string, unknown>);
    await needs.intake.heard(sub);
  });
};

const connectSubDevice = async (needs: TopicNeeds, message: DeviceMessage): Promise<void> => {
  const { device: deviceSnId } = payloadRecord(needs, message);
  if (typeof deviceSnId !== "string") return;
  await withSubDevices(needs, message.device, [deviceSnId], async (sub) => {
    await needs.intake.heard(sub);
    needs.tellSettings(sub.deviceId);
  });
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
