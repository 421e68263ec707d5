import { AlertEventKind } from "@telltale/contract/domains/alerting/entries";
import { MessageKind } from "@telltale/contract/notification-channels";
import { describe, expect, test } from "vitest";
import { notificationEvents } from "./notifications.rules.ts";

const { notified, escalated, backToNormal } = AlertEventKind;
const at = (seconds: number) => new Date(1_764_000_000_000 + seconds * 1000);
const message = (seconds: number, to: string, isBackToNormal = false) => ({
  ...{ written: at(seconds), isBackToNormal },
  delivery: { to, by: MessageKind.mail, status: "sent" as const, time: at(seconds), fault: "" },
});
const told = (...given: Parameters<typeof notificationEvents>) =>
  notificationEvents(...given).map(({ kind, time, deliveries }) => [kind, time, deliveries.map(({ to }) => to)]);

describe("the messages about an alert on its page", () => {
  test("are the first notification, each step that nobody had confirmed before, and the end", () => {
    const messages = [
      ...[message(0, "Rule"), message(0.4, "Plan"), message(300, "Duty"), message(300, "Manager")],
      ...[message(600, "Owner"), message(605, "Rule", true), message(605, "Owner", true)],
    ];
    expect(told(messages, [])).toEqual([
      [notified, at(0), ["Rule", "Plan"]],
      [escalated, at(300), ["Duty", "Manager"]],
      [escalated, at(600), ["Owner"]],
      [backToNormal, at(605), ["Rule", "Owner"]],
    ]);
  });

  test("begin again when a silence has ended by itself", () => {
    const messages = [message(0, "Plan"), message(900, "Plan"), message(1200, "Duty")];
    expect(told(messages, [at(900)]).map(([kind]) => kind)).toEqual([notified, notified, escalated]);
    expect(told([message(900, "Plan")], [at(900)]).map(([kind]) => kind)).toEqual([notified]);
  });
});
