import type { Client } from "@telltale/contract/call/client";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { ContactStatus, contacts } from "@telltale/contract/domains/people/contacts";
import { expect, test } from "./harness.ts";
import { addOwner } from "./mailing.ts";
import { clientOf, injectSessionAs } from "./people.ts";
import { rowsOf } from "./screen.ts";
import { startServer } from "./server-process.ts";
import { type SmsServer, startSmsServer } from "./sms-server.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 240_000 });

const secret = "long enough";
const phone = "12025550147";

/** Adds the phone and enters the code that was sent to it. */
const verifiedPhone = async (client: Client, sms: SmsServer): Promise<number> => {
  const person = { type: 2 as const, firstName: "Nora", lastName: "Quist", contactInfo: phone };
  const { notifyUserId } = await client(contacts.add, person);
  const code = /\d{6}/.exec(await sms.next(phone))?.[0] ?? "";
  await client(contacts.verify, { notifyUserId, code });
  return notifyUserId;
};

test("an alert sends one SMS to a verified phone, despite a kill of the server, and none after the owner's STOP", async ({
  page,
}) => {
  const sms = await startSmsServer();
  const server = await startServer({ demo: false, env: { SMS_URL: sms.url } });
  try {
    const owner = await addOwner(server, secret);
    const client = await clientOf(server, owner, secret);
    const unit = await addUnit(server, { owner });
    const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
    const notifyUserId = await verifiedPhone(client, sms);
    const rule = { alarmName: "Boiler hot", alarmClass: AlertClass.custom, deviceId, deviceChannelId: channels.AI1 };
    const limit = { type: 1 as const, alarmValue: 70, alarmHysteresis: 1, notifyUserIds: [notifyUserId] };
    await client(alarms.add, { ...rule, ...limit } as never);

    await reportOnce(server, unit, { AI1: 71.5 });
    await server.kill9();
    await server.restart();
    // A process killed while sending holds its lease on the SMS for a minute.
    const text = await sms.next(phone, 90_000);
    expect(text).toMatch(/^High: .+ 71\.50 bar \(threshold 70\.00 bar\), Boiler/);
    expect(text.length).toBeLessThanOrEqual(160);

    sms.stopSmsTo(phone);
    await reportOnce(server, unit, { AI1: 20 });
    await reportOnce(server, unit, { AI1: 72.5 });
    const status = async () => (await client(contacts.choices))[0]?.status;
    await expect.poll(status, { timeout: 60_000 }).toBe(ContactStatus.refused);
    expect(sms.unread(phone), "no SMS comes twice").toBe(0);

    await injectSessionAs(page, server, owner, secret);
    await page.goto(`${server.baseURL}/configureAlarmNotifyUser`);
    const row = rowsOf(page, "Contacts", phone);
    await expect(row).toContainText("Refused");
    await row.getByRole("button", { name: `Ask ${phone} again` }).click();
    await expect(page.getByRole("alert")).toContainText(/Ask again from \d{4}-\d\d-\d\d/);
  } finally {
    await server.stop();
    await sms.stop();
  }
});
