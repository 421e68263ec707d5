import { plans, type Step, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { AlertClass, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { Registry } from "prom-client";
import { clear, createEscalation, raise } from "../alarms/index.ts";
import { createDelivery } from "../notify/index.ts";
import { aDevice } from "./test-devices.ts";
import { anOwner, type Person } from "./test-people.ts";
import type { TestServer } from "./test-server.ts";

let count = 0;

/** A user as the target of a plan. */
export const toAccount = ({ accountId: id }: Pick<Person, "accountId">) => ({ kind: TargetKind.account, id });

/** A new plant with a device whose alerts are escalated and mailed as time passes. */
export const anEscalatingPlant = async (server: TestServer) => {
  const { world } = server;
  const owner = await anOwner(world);
  const device = await aDevice(world, owner, { name: "Pump house" });
  const sent: { to: string; text: string }[] = [];
  const needs = () => ({ ...world, metrics: new Registry() });
  const mail: NonNullable<Parameters<typeof createDelivery>[0]["mail"]> = {
    send: async ({ recipient, subject, letter, onHandOver }) => {
      await onHandOver();
      sent.push({ to: recipient, text: [subject, ...letter.paragraphs, ...(letter.facts ?? []).flat()].join("\n") });
    },
  };
  return {
    owner,
    device,
    /** Mails as they were sent. */
    sent,
    /** What jobs need. */
    needs,
    /** Lets time pass, and does what is due then: the plans' steps, at two nodes at once, and the sending. */
    after: async (minutes: number): Promise<void> => {
      world.clock.pass(minutes * 60_000);
      await Promise.all([createEscalation(needs()).run(), createEscalation(needs()).run()]);
      // A row that one of them had locked is left by the other.
      await createEscalation(needs()).run();
      await createDelivery({ ...needs(), mail }).run();
    },
    /** Subjects of the mails to somebody. */
    mailsTo: ({ email }: { email: string }) =>
      sent.filter(({ to }) => to === email).map(({ text }) => text.split("\n")[0]),
    /** Raises an alert of a channel; returns the key of its rule. */
    raise: async (more: object = {}): Promise<string> => {
      const at = world.clock.now();
      const key = `2:escalation:${++count}`;
      const alert = {
        ...{ plantId: owner.plantId, deviceId: device.deviceId, channelId: Number(device.channels.AI1), key, at },
        ...{ alarmClass: AlertClass.threshold, alarmType: AlertType.high, value: 9, unit: "bar", threshold: 8 },
        ...more,
      };
      await raise(world.pool, [alert], at);
      return key;
    },
    clear: (key: string) => clear(world.pool, [{ key, at: world.clock.now() }]),
    /** Id of the newest alert. */
    newest: async (): Promise<number> => {
      const [row] = (await server.as(owner)(alerts.log)).data;
      if (!row) throw new Error("No alert was raised");
      return row.alarmLogId;
    },
    /** Changes the plant's default plan. */
    plan: async (steps: Step[], more: object = {}): Promise<void> => {
      const [found] = await server.as(owner)(plans.list);
      if (!found) throw new Error("A plant has a default plan");
      const { planId, version } = found;
      const fields = { planName: "Pump station", steps, repeat: null, backToNormal: true, backToNormalBySms: false };
      await server.as(owner)(plans.update, { planId, version, ...fields, ...more });
    },
  };
};

export type EscalatingPlant = Awaited<ReturnType<typeof anEscalatingPlant>>;
