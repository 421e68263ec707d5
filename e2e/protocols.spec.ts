import { httpPath, topics } from "@telltale/contract/device-api";
import { history } from "@telltale/contract/domains/readings/history";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession, openSignedIn } from "./people.ts";
import { deviceRow, tileOf, windowOf } from "./screen.ts";
import { sparkplugPayload } from "./sparkplug.ts";
import { addUnit, connectUnit, freshName, idsOf, type Unit } from "./unit.ts";

const post = (
  baseURL: string,
  { accessToken }: Pick<Unit, "accessToken">,
  kind: "telemetry" | "attributes",
  body: string,
) =>
  fetch(`${baseURL}${httpPath(accessToken, kind)}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });

test("a reading sent over HTTP is committed before the 200 answer, and appears on the screen", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  const client = await clientOf(server);
  await openSignedIn(page, server);
  const answer = await post(server.baseURL, unit, "telemetry", '{"AI1": 99}');
  expect(answer.status).toBe(200);
  const { channels } = await idsOf(client, unit.deviceSnId);
  const [period] = (await client(history.periods, { channelId: channels.AI1 ?? 0 })).data;
  const { data } = await client(history.points, { logId: period?.logGroupId ?? 0 });
  expect(data.map(({ value }) => value)).toEqual([99]);
  await expect(tileOf(page, "AI1", unit.name)).toContainText(/99\.00\s*bar/);
  await expect(windowOf(page, unit.name)).toContainText("High 99.00 bar");
});

test("HTTP refuses invalid input with a clear message", async ({ server }) => {
  const unit = await addUnit(server);
  const stranger = { accessToken: "nobody-has-this-token" };
  expect((await post(server.baseURL, stranger, "telemetry", '{"AI1": 1}')).status).toBe(401);
  expect((await post(server.baseURL, unit, "telemetry", "{not json")).status).toBe(400);
  const tooLarge = JSON.stringify({ AI1: 1, filling: "x".repeat(300_000) });
  expect((await post(server.baseURL, unit, "telemetry", tooLarge)).status).toBe(413);
  expect((await post(server.baseURL, unit, "telemetry", '{"AI1": 1, "NOPE": 2}')).status, "the rest is taken").toBe(
    200,
  );
});

test("MQTT refuses an unknown token, and restricts a device to its own topics", async ({ server }) => {
  await expect(connectUnit(server, { accessToken: "nobody-has-this-token" })).rejects.toThrow(
    /not authorized|bad user/i,
  );
  const unit = await addUnit(server);
  const device = await connectUnit(server, unit);
  const [granted] = await device.subscribeAsync("#").catch(() => [{ qos: 128 }]);
  expect(granted?.qos).toBe(128);
  await device.endAsync();
});

test("a device's reported attributes appear on its screen", async ({ page, server }) => {
  const unit = await addUnit(server, { model: "MIX" });
  const reported = { firmwareVersion: "9.8.7", temperature: 25, humidity: 41 };
  expect((await post(server.baseURL, unit, "attributes", JSON.stringify(reported))).status).toBe(200);
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  const misc = page.getByRole("main");
  for (const text of ["9.8.7", /77\.00\s*°F/, /41\s*%/]) await expect(misc).toContainText(text);
});

test("a master reports for its sub-device over the gateway topics", async ({ page, server }) => {
  const master = await addUnit(server, { name: freshName("Gateway"), model: "MIX" });
  const name = freshName("Behind the gateway");
  const [sub] = await server.telltale<Unit[]>(
    ...["devices", "add", "--model", "AIS", "--sub", "--parent", master.deviceSnId],
    ...["--owner", "owner@telltale.local", "--name", name],
  );
  if (!sub) throw new Error("No sub-device was made");
  const device = await connectUnit(server, master);
  const telemetry = { [sub.deviceSnId]: [{ ts: Date.now(), values: { AI1: 97 } }] };
  await device.publishAsync(topics.gateway.telemetry, JSON.stringify(telemetry), { qos: 1 });
  await device.endAsync();
  await openSignedIn(page, server);
  await expect(windowOf(page, name)).toContainText("High 97.00 bar");
});

test("a Sparkplug B node is shown from its birth, by aliases, to its death", async ({ page, server }) => {
  test.setTimeout(180_000);
  const unit = await addUnit(server, { name: freshName("Edge node") });
  const bdSeq = { name: "bdSeq", value: 1 };
  const will = {
    topic: "spBv1.0/plant/NDEATH/edge",
    payload: sparkplugPayload(0, [bdSeq]),
    qos: 1 as const,
    retain: false,
  };
  await openSignedIn(page, server);
  const node = await connectUnit(server, unit, { will, reconnectPeriod: 0 });
  const send = (type: string, payload: Buffer) => node.publishAsync(`spBv1.0/plant/${type}/edge`, payload, { qos: 1 });
  await send("NBIRTH", sparkplugPayload(0, [bdSeq, { name: "Inputs/AI1", alias: 1, value: 33.5 }]));
  const tile = tileOf(page, "AI1", unit.name);
  await expect(tile).toContainText(/33\.50\s*bar/);
  await send("NDATA", sparkplugPayload(1, [{ alias: 1, value: 88.25 }]));
  await expect(tile).toContainText(/ALERT.*88\.25\s*bar/);
  await expect(windowOf(page, unit.name)).toContainText("High 88.25 bar");
  node.stream.destroy();
  // Half a minute: a link that is back within that time does not count as lost.
  await expect(windowOf(page, unit.name).filter({ hasText: "Offline" })).toBeVisible({ timeout: 60_000 });
  await expect(await deviceRow(page, unit.deviceSnId)).toContainText("Offline");
});
