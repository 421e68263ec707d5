import { LiveCommand } from "@telltale/contract/live";
import type { Bus } from "../live/bus.ts";
import type { JudgedBatch } from "./judge.ts";
import type { KnownDevice } from "./known-device.ts";

/** Tells who watches what a committed batch changed. A device whose service has ended shows no live values. (decisions §1) */
export const announceBatch = (bus: Bus, batch: JudgedBatch, now: number): void => {
  for (const channel of batch.newest) {
    const { plantId, serviceEnd } = channel.device;
    if (plantId === null || (serviceEnd !== null && serviceEnd <= now)) continue;
    const { value, status, ts } = channel.state;
    const message = { cmd: LiveCommand.value, deviceChannelId: channel.channelId, value, status, updateTime: ts };
    bus.emit("live", { plantId, message });
  }
  const alerted = new Set<KnownDevice>([...batch.raised, ...batch.cleared].map((alert) => alert.channel.device));
  for (const device of batch.cameOnline) alerted.add(device);
  for (const { plantId, deviceId } of alerted) {
    if (plantId !== null) bus.emit("live", { plantId, message: { cmd: LiveCommand.alertChange, deviceId } });
  }
  for (const { plantId, deviceId } of batch.cameOnline) {
    if (plantId !== null) bus.emit("live", { plantId, message: { cmd: LiveCommand.dashboardChange, deviceId } });
  }
};
