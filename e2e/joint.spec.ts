import type { Locator, Page } from "@playwright/test";
import { Message } from "@telltale/contract/call/codes";
import { topics } from "@telltale/contract/device-api";
import { AlertType } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { JointEnding, joint } from "@telltale/contract/domains/joint";
import type { MqttClient } from "mqtt";
import { refuseCall, warning } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession, openSupportView } from "./people.ts";
import { dialogOf, filterTags, openFilter, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, connectUnit, freshName, idsOf, publish, type Unit } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

const notice = (page: Page, sentence: string): Locator => page.getByText(sentence, { exact: true }).first();
const jointRow = (page: Page, name: string): Locator => rowsOf(page, "Joint controls", name);
const level = (value: number) => ({ channel: "DO1", value });

/** A unit whose AI1 has limits, and one with outputs. */
const aSensorAndRelays = async (server: RunningServer): Promise<{ sensor: Unit; relays: Unit }> => ({
  sensor: await addUnit(server, { name: freshName("Tank") }),
  relays: await addUnit(server, { name: freshName("Yard"), model: "DOS" }),
});

/** Connects a unit that executes and reports its commands; returns the received commands in order. */
const connectRelays = async (
  server: RunningServer,
  unit: Unit,
): Promise<{ client: MqttClient; received: unknown[] }> => {
  const client = await connectUnit(server, unit);
  const received: unknown[] = [];
  client.on("message", (topic, payload) => {
    const { params } = JSON.parse(payload.toString());
    received.push(params);
    const answer = JSON.stringify({ success: true });
    void client.publishAsync(topics.rpcResponse + topic.slice(topics.rpcRequest.length), answer);
    void publish(client, { [params.channel]: params.value });
  });
  await client.subscribeAsync(`${topics.rpcRequest}+`);
  return { client, received };
};

/** Creates a joint control by the call: DO1 of the relays is ON while AI1 of the sensor is High. */
const aJointControl = async (server: RunningServer, { sensor, relays }: { sensor: Unit; relays: Unit }, more = {}) => {
  const owner = await clientOf(server);
  const [from, to] = [await idsOf(owner, sensor.deviceSnId), await idsOf(owner, relays.deviceSnId)];
  const name = freshName("Siren");
  const source = { sourceChannelId: Number(from.channels.AI1), alarmType: AlertType.high };
  const rule = { name, ...source, outputChannelId: Number(to.channels.DO1), level: 1 as const, ...more };
  const { jointId } = await owner(joint.edit, rule);
  return { owner, rule, name, jointId };
};

/** Chooses in a list that is still being narrowed: rows may move under the pointer, so that the click hits another one. */
const choose = (radio: Locator): Promise<void> => expect(() => radio.check({ timeout: 2_000 })).toPass();

const fillIn = async (page: Page, { name, sensor, relays }: { name: string; sensor: Unit; relays: Unit }) => {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Search by channel, device or alert").fill(sensor.name);
  await choose(page.getByRole("radio", { name: "AI1, High, from 80 bar", description: sensor.name }));
  await page.getByLabel("Search by output, device name or device ID").fill(relays.name);
  await choose(page.getByRole("radio", { name: "DO1, DO1", description: relays.name }));
};

test("a joint control is created from ALERT, drives a real output while the alert is open, releases it, and keeps a log", async ({
  page,
  server,
}) => {
  const units = await aSensorAndRelays(server);
  const [tank, yard] = [await connectUnit(server, units.sensor), await connectRelays(server, units.relays)];
  await publish(yard.client, { DO1: 0 });
  await injectSession(page, server);
  await page.goto("/alarms");
  await page.getByRole("link", { name: "Joint control" }).click();
  await expect(page).toHaveURL("/joint");
  await page.getByRole("link", { name: "Add joint control" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  for (const validationError of ["Joint control name cannot be blank", "Choose what triggers it", "Choose an output"])
    await expect(page.getByText(validationError)).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  const name = freshName("Siren");
  await fillIn(page, { name, ...units });
  await expect(page.getByRole("main")).toContainText(
    `When AI1 of ${units.sensor.name} is in alert (High, from 80 bar), DO1 of ${units.relays.name} ON; afterwards back to OFF.`,
  );
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Add success")).toBeVisible();
  await expect(jointRow(page, name)).toContainText("Normal");
  await expect(jointRow(page, name)).toContainText("Never yet");

  await publish(tank, { AI1: 99 });
  await expect(jointRow(page, name)).toContainText("In alert");
  await expect(jointRow(page, name)).toContainText("Confirmed by the device");
  await expect(jointRow(page, name).getByRole("cell").nth(4), "as the device reports it").toContainText("ON");
  expect(yard.received).toEqual([level(1)]);
  await publish(tank, { AI1: 20 });
  await expect(jointRow(page, name)).toContainText("Normal");
  await expect(jointRow(page, name).getByRole("cell").nth(4)).toContainText("OFF");
  expect(yard.received).toEqual([level(1), level(0)]);

  await page.getByRole("link", { name }).click();
  const log = page.getByRole("table", { name: "Commands" }).getByRole("row");
  await expect(log.nth(1)).toContainText(/OFF.*Confirmed by the device/);
  await expect(log.nth(2)).toContainText(/ON.*Confirmed by the device/);
  await Promise.all([tank.endAsync(), yard.client.endAsync()]);
});

test("a command waits for an offline device, and a disabled or deleted joint control releases its output", async ({
  page,
  server,
}) => {
  const units = await aSensorAndRelays(server);
  const { name, owner, jointId } = await aJointControl(server, units);
  const tank = await connectUnit(server, units.sensor);
  await injectSession(page, server);
  await page.goto("/joint");
  await publish(tank, { AI1: 99 });
  await expect(jointRow(page, name)).toContainText("Waiting for the device");
  const yard = await connectRelays(server, units.relays);
  await expect(jointRow(page, name)).toContainText("Confirmed by the device");
  expect(yard.received).toEqual([level(1)]);

  const enabled = page.getByRole("switch", { name: `Enabled: ${name}` });
  const ask = async (title: string, consequence: string, answer: string) => {
    await enabled.click({ force: true });
    const confirmation = dialogOf(page, title);
    await expect(confirmation).toContainText(name);
    await expect(confirmation).toContainText(consequence);
    await confirmation.getByRole("button", { name: answer, exact: true }).click();
    await expect(confirmation).toBeHidden();
  };
  await ask("Disable joint control", "Its alert is open now: DO1 goes back to OFF.", "Cancel");
  await expect(enabled).toBeChecked();
  expect(yard.received, "nothing is driven unasked").toEqual([level(1)]);
  await ask("Disable joint control", "Its alert is open now: DO1 goes back to OFF.", "Disable");
  await expect(jointRow(page, name)).toContainText("Disabled");
  await expect.poll(() => yard.received).toEqual([level(1), level(0)]);
  await ask("Enable joint control", "DO1 goes ON at once", "Enable");
  await expect(enabled).toBeChecked();
  await expect.poll(() => yard.received).toEqual([level(1), level(0), level(1)]);
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  const question = dialogOf(page, "Delete joint control");
  await expect(question).toContainText("Are you sure that you want to delete this joint control?");
  await expect(question).toContainText("Its alert is open now: DO1 goes back to OFF.");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(notice(page, "Delete successful")).toBeVisible();
  await expect(jointRow(page, name)).toHaveCount(0);
  await expect.poll(() => yard.received).toEqual([level(1), level(0), level(1), level(0)]);
  await expect(owner(joint.info, { jointId })).rejects.toMatchObject({ message: Message.notFound });
  const { data } = await owner(audit.list, { action: "joint" });
  expect(data.filter(({ target }) => target === name).map(({ action }) => action)).toEqual([
    "joint.delete",
    "joint.enable",
    "joint.disable",
    "joint.add",
  ]);
  await Promise.all([tank.endAsync(), yard.client.endAsync()]);
});

test("when two users edit, the second sees the conflict, keeps the input, and can save on top of the first", async ({
  page,
  server,
}) => {
  const units = await aSensorAndRelays(server);
  const { owner, rule, name, jointId } = await aJointControl(server, units);
  await injectSession(page, server);
  await page.goto(`/jointAdd?jointId=${jointId}`);
  const mine = freshName("Mine");
  await page.getByLabel("Name", { exact: true }).fill(mine);
  await page.getByRole("radio", { name: "leave it ON" }).check();
  await owner(joint.edit, { ...rule, jointId, name: `${name} theirs` });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(warning(page, Message.changedMeanwhile)).toBeVisible();
  expect((await owner(joint.info, { jointId })).name).toBe(`${name} theirs`);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(mine);
  await expect(page.getByRole("radio", { name: "leave it ON" })).toBeChecked();
  const review = dialogOf(page, "Changed in the meantime");
  const save = review.getByRole("button", { name: "Save" });
  await expect(save, "both have named it").toBeDisabled();
  await expect(review.getByRole("radio", { name: `Keep theirs: ${name} theirs` })).toBeVisible();
  await review.getByRole("radio", { name: `Save yours: ${mine}` }).check();
  await save.click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  await expect(jointRow(page, mine)).toContainText("stays ON");
});

test("a joint control that contradicts another, or triggers itself, is refused with a message that names the other", async ({
  page,
  server,
}) => {
  const units = await aSensorAndRelays(server);
  const { name } = await aJointControl(server, units);
  await injectSession(page, server);
  await page.goto("/jointAdd");
  await fillIn(page, { name: freshName("Dark"), ...units, relays: units.relays });
  await expect(page.getByText(`driven by ${name}`)).toBeVisible();
  await page.getByRole("group", { name: "to", exact: true }).getByRole("radio", { name: "OFF" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText(`“${name}” drives this output ON already`);
  await expect(page).toHaveURL("/jointAdd");
  await page.getByRole("switch", { name: "Enabled" }).click({ force: true });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Add success")).toBeVisible();
});

test("the list follows other users' changes, can be searched by name, and shows empty and error states", async ({
  page,
  server,
}) => {
  const { owner, rule, name, jointId } = await aJointControl(server, await aSensorAndRelays(server));
  await injectSession(page, server);
  await page.goto("/configureAlarm");
  await page.getByRole("link", { name: "Joint control" }).click();
  await expect(jointRow(page, name)).toContainText("back to OFF");
  await owner(joint.edit, { ...rule, jointId, ending: JointEnding.stay });
  await expect(jointRow(page, name), "changed by another user").toContainText("stays ON");
  const filter = await openFilter(page, "NAME");
  await filter.getByRole("textbox").fill(name);
  await filter.getByRole("textbox").press("Enter");
  await expect(filterTags(page)).toContainText(name);
  await expect(jointRow(page, name)).toBeVisible();
  await page.goto("/joint?name=nowhere");
  await expect(page.getByText("No joint controls match these filters")).toBeVisible();
  await refuseCall(page, joint.list, 500, "Server is busy");
  await page.goto("/joint");
  await expect(page.getByRole("main")).toContainText("Server is busy");
});

test("a support view can read joint controls but not change them", async ({ page, server }) => {
  const { name, jointId } = await aJointControl(server, await aSensorAndRelays(server));
  await openSupportView(page, server);
  await page.goto("/joint");
  await expect(jointRow(page, name)).toContainText("Yes");
  await expect(page.getByRole("link", { name: "Add joint control" })).toHaveCount(0);
  await expect(page.getByRole("switch")).toHaveCount(0);
  await page.goto(`/jointAdd?jointId=${jointId}`);
  await expect(page.getByRole("main")).toContainText("is in alert (High, from 80 bar)");
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
});
