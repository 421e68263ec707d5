import type { Client } from "@telltale/contract/call/client";
import { alarms } from "@telltale/contract/domains/alarms";
import { plans, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import type { MailServer } from "../../e2e/mail-server.ts";
import type { RunningServer } from "../../e2e/server-process.ts";
import { addUnit, idsOf } from "../../e2e/unit.ts";
import { owner } from "../fleet.ts";
import { addContact } from "../mailed-device.ts";
import type { Random } from "../random.ts";
import { type AlarmedDevice, startAlarmedDevice } from "./alarmed-device.ts";
import { limit, type Watch, watches } from "./watch.ts";

/** Who is notified of a device's alerts, by their mail addresses. */
export interface Told {
  /** The recipient that the rules name. */
  own: string;
  /** Whom the plan's steps notify, by the minutes after the alert. */
  steps: readonly { after: number; email: string }[];
}

/** A device with its alarms. */
export interface AlarmedUnit {
  device: AlarmedDevice;
  told: Told;
  /** What is watched, by the id of its channel. */
  watched: ReadonlyMap<number, Watch>;
}

const minutesOfSteps = [0, 1, 2];

const seconds = (milliseconds: number): number => milliseconds / 1_000;

/** Adds a device whose alarms have a recipient and a plan of their own, so that not every address is flooded at once, and starts it. */
export const startAlarmedUnit = async (
  { server, client, mail }: { server: RunningServer; client: Client; mail: MailServer },
  number: number,
  random: Random,
): Promise<AlarmedUnit> => {
  const unit = await addUnit(server, { owner: owner.email, name: `Boiler ${number}` });
  const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
  const domain = `boiler${number}.example`;
  const told: Told = {
    own: `keeper@${domain}`,
    steps: minutesOfSteps.map((after) => ({ after, email: `after${after}@${domain}` })),
  };
  const own = await addContact(client, mail, told.own);
  const steps = [];
  for (const { after, email } of told.steps)
    steps.push({ after, to: [{ kind: TargetKind.contact, id: await addContact(client, mail, email) }] });
  const planName = `Plan ${number}`;
  const { planId } = await client(plans.add, {
    ...{ planName, steps, repeat: null, backToNormal: true, backToNormalBySms: false },
  });
  for (const { name, code, onDelay, offDelay, times, window } of watches)
    await client(alarms.add, {
      ...{ alarmName: name, alarmClass: AlertClass.custom, deviceId, deviceChannelId: channels[code] },
      ...{ type: AlertType.high, alarmValue: limit, alarmHysteresis: 1, notifyUserIds: [own], planId },
      ...{ onDelay: seconds(onDelay), offDelay: seconds(offDelay), times },
      ...(times > 1 ? { window: seconds(window) } : {}),
    });
  const device = await startAlarmedDevice(server, unit, random);
  return { device, told, watched: new Map(watches.map((watch) => [channels[watch.code] ?? 0, watch])) };
};
