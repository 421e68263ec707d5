import type { Client } from "@telltale/contract/call/client";
import { Key } from "@telltale/contract/channel-types/keys";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { check } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { freshEmail } from "./mailing.ts";
import { clientOf, openSignedInAs } from "./people.ts";
import { dialogOf } from "./screen.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

test.use({ demo: false, own: "first run" });

const secret = "as long as it lasts";

interface Given {
  deviceId: number;
  deviceChannelId: number;
}

/** What somebody sets by whom an alert is to be raised. */
const ways: Readonly<Record<string, (client: Client, given: Given) => Promise<unknown>>> = {
  "a limit of a channel": (client, { deviceId, deviceChannelId }) => {
    const channelKeys = { [Key.higherAlarm]: 60, [Key.higherHysteresis]: 2 };
    return client(channelSettings.modify, { deviceId, payload: [{ channelId: deviceChannelId, channelKeys }] });
  },
  "a custom alert": async (client, of) => {
    const person = { type: 1, firstName: "Nora", lastName: "Quist", contactInfo: freshEmail() } as const;
    const { notifyUserId } = await client(contacts.add, person);
    const limit = { type: AlertType.high, alarmValue: 60, alarmHysteresis: 2, notifyUserIds: [notifyUserId] };
    return client(alarms.add, { alarmName: "Flow high", alarmClass: AlertClass.custom, ...of, ...limit });
  },
};

for (const [what, set] of Object.entries(ways))
  test(`an empty plant shows the steps to its first tile, each ticked when it is done, and none when ${what} is set`, async ({
    page,
    server,
  }) => {
    const owner = freshEmail();
    await server.telltale("users", "add", "--email", owner, "--password", secret, "--owner");
    await openSignedInAs(page, server, owner, secret);
    const steps = page.getByRole("region", { name: /has no devices yet|to the first alert/ });
    const step = (title: string) => steps.getByRole("listitem").filter({ hasText: title });
    await expect(steps).toContainText("has no devices yet");
    await expect(step("Add a device")).toHaveAttribute("aria-current", "step");
    await check(page, "first run");
    await step("Add a device").getByRole("button", { name: "Add the first device" }).click();
    await expect(dialogOf(page, "Add device").getByLabel("Device ID")).toBeVisible();
    await page.keyboard.press("Escape");

    const unit = await addUnit(server, { owner });
    await expect(step("Add a device").getByLabel("Done")).toBeVisible();
    await expect(step("Let it speak")).toHaveAttribute("aria-current", "step");
    await reportOnce(server, unit, { AI1: 20 });
    await expect(step("Let it speak").getByLabel("Done")).toBeVisible();
    await expect(step("Set a limit"), "the unit's own limits are nobody's choice").toHaveAttribute(
      "aria-current",
      "step",
    );
    await expect(step("Set a limit").getByRole("link", { name: "Set a limit" })).toBeVisible();
    const client = await clientOf(server, owner, secret);
    const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
    await set(client, { deviceId, deviceChannelId: Number(channels.AI3) });
    await expect(steps).toHaveCount(0);
  });
