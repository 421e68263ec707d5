import { setTimeout as sleep } from "node:timers/promises";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { ContactStatus, contacts } from "@telltale/contract/domains/people/contacts";
import { expect, test } from "./harness.ts";
import { startMailServer } from "./mail-server.ts";
import { addOwner, freshEmail, linkOf } from "./mailing.ts";
import { clientOf } from "./people.ts";
import { startServer } from "./server-process.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 360_000 });

const secret = "long enough";

test("an alert of an acknowledged reading is mailed once, whenever the server is killed", async () => {
  const mail = await startMailServer();
  const server = await startServer({ demo: false, env: { MAIL_URL: mail.url } });
  try {
    const owner = await addOwner(server, secret);
    const client = await clientOf(server, owner, secret);
    const unit = await addUnit(server, { owner });
    const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
    const email = freshEmail();
    const person = { type: 1 as const, firstName: "Nora", lastName: "Quist", contactInfo: email };
    const { notifyUserId } = await client(contacts.add, person);
    const { searchParams } = new URL(linkOf(await mail.next(email)));
    const link = { email, accessToken: searchParams.get("accessToken") ?? "" };
    await client(contacts.answer, { ...link, status: ContactStatus.verified });
    const rule = { alarmName: "Boiler hot", alarmClass: AlertClass.custom, deviceId, deviceChannelId: channels.AI1 };
    const limit = { type: 1 as const, alarmValue: 70, alarmHysteresis: 1, notifyUserIds: [notifyUserId] };
    await client(alarms.add, { ...rule, ...limit } as never);

    const over: string[] = [];
    for (const pause of [0, 600, 1_200]) {
      const value = 71 + pause / 100_000;
      await reportOnce(server, unit, { AI1: 20 });
      await reportOnce(server, unit, { AI1: value });
      // The outbox is polled once a second: before, during and after sending.
      await sleep(pause);
      await server.kill9();
      await server.restart();
      // A process killed while sending holds its lease on the mail for a minute.
      for (;;) {
        const { text } = await mail.next(email, 90_000);
        const isOver = text.includes("is back to normal");
        over.push(...(isOver ? [text] : []));
        if (isOver) continue;
        expect(text).toContain(`Value: ${value.toFixed(2)} bar`);
        break;
      }
    }
    // The first two are over, and the recipient learns that once of each.
    while (over.length < 2) over.push((await mail.next(email, 90_000)).text);
    expect(over.map((text) => text.includes("is back to normal"))).toEqual([true, true]);
    await sleep(2_500);
    expect(mail.unread(email), "no mail comes twice").toBe(0);
  } finally {
    await server.stop();
    await mail.stop();
  }
});
