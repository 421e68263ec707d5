import { Code } from "@telltale/contract/call/codes";
import { topics } from "@telltale/contract/device-api";
import { devices, Model } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { passwords, registration } from "@telltale/contract/domains/people/registration";
import type { FastifyInstance } from "fastify";
import { connectAsync } from "mqtt";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../app.ts";
import { createGateway, type Gateway } from "../gateway/gateway.ts";
import { hashPassword } from "../modules/accounts/passwords/password.ts";
import { createSupportLink } from "../modules/accounts/sign-in/support-view.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import { aDevice, type TestDevice } from "../test/test-devices.ts";
import { linkTo } from "../test/test-mail.ts";
import { clientsOf } from "../test/test-server.ts";
import { createTestWorld, type TestWorld } from "../test/test-world.ts";
import type { Closed } from "../world.ts";
import { type ClosedDemonstration, closedDemonstration } from "./closed.ts";
import { createDemonstration } from "./create.ts";
import { tokenOf } from "./plants/fleet.ts";
import { ids } from "./plants/measured.ts";
import { demonstrationPassword, unclaimed } from "./plants/plants.ts";

const owner = "owner@telltale.local";
const own = { email: "viewer@telltale.local", password: "a phrase of her own" };

let world: TestWorld;
let ownDevice: TestDevice;

/** A server on the same database, as it starts with or without the demonstration. */
const serve = async (closed: Closed) => {
  const part = { ...world, metrics: new Registry(), closed };
  const telemetry = createTelemetry(part);
  const gateway = createGateway({ ...part, telemetry }, { host: "127.0.0.1", mqttPort: 0 });
  await telemetry.start();
  await gateway.start();
  const app = await buildApp(part, { deviceApi: gateway.http });
  return {
    app,
    gateway,
    as: clientsOf(app),
    stop: async () => {
      await app.close();
      await gateway.stop();
      await telemetry.stop();
    },
  };
};

const connect = (gateway: Gateway, username: string) =>
  connectAsync(`mqtt://127.0.0.1:${gateway.mqttPort()}`, { username, reconnectPeriod: 0 });

const post = async (app: FastifyInstance, token: string) =>
  (await app.inject({ method: "POST", url: `/api/v1/${token}/telemetry`, payload: { AI1: 5 } })).statusCode;

const open: Closed = { userIds: new Set(), deviceSnIds: new Set() };
const login = (served: Awaited<ReturnType<typeof serve>>, email: string, password = demonstrationPassword) =>
  served.as()(accounts.login, { email, password });

let session: { token: string; userId: number; accountId: number };
let deviceToken: string;
let freeToken: string;
let resetLink: Awaited<ReturnType<typeof linkTo>>;
let closed: ClosedDemonstration;

beforeAll(async () => {
  world = await createTestWorld();
  expect(await closedDemonstration(world.db), "a database without it").toBeUndefined();
  await createDemonstration(world);
  const before = await serve(open);
  const info = await login(before, owner);
  const accountId = info.accounts.find(({ isShow }) => isShow === 1)?.accountId ?? 0;
  session = { token: info.token, userId: info.userId, accountId };
  deviceToken = (await tokenOf(world.db, ids.testBench)) ?? "";
  freeToken = (await tokenOf(world.db, unclaimed[0].deviceSnId)) ?? "";
  ownDevice = await aDevice(world, { plantId: accountId }, { name: "My own", model: Model.analog });
  await before.as()(passwords.askReset, { email: owner });
  resetLink = await linkTo(world, owner);
  await world.db
    .updateTable("users")
    .set({ password_hash: await hashPassword(own.password) })
    .where("email", "=", own.email)
    .execute();
  await before.stop();
  const found = await closedDemonstration(world.db);
  if (!found) throw new Error("The demonstration was not found");
  closed = found;
});
afterAll(() => world.close());

test("the public password is refused, and so are sessions and links opened with it", async () => {
  const served = await serve(closed);
  const refused = expect.objectContaining({ code: Code.notAllowed, message: expect.stringContaining("is off") });
  for (const name of ["owner", "admin", "manager", "installer"])
    await expect(login(served, `${name}@telltale.local`)).rejects.toEqual(refused);
  await expect(login(served, owner, "wrong")).rejects.toMatchObject({ code: Code.invalid });
  await expect(served.as(session)(accounts.info)).rejects.toMatchObject({ code: Code.notSignedIn });
  await expect(served.as(session)(devices.list)).rejects.toMatchObject({ code: Code.notSignedIn });
  const reset = { email: owner, newPwd: "taken over by link", accessToken: resetLink.accessToken };
  await expect(served.as()(passwords.reset, reset)).rejects.toMatchObject({ code: Code.invalid });
  const link = { ...session, plantId: session.accountId, madeBy: "operator" };
  const supportToken = await createSupportLink(world, link);
  await expect(served.as()(accounts.openSupportView, { supportToken })).rejects.toMatchObject({ code: Code.invalid });
  await served.stop();
});

test("a user who has changed the password is a real user, and is named at the start", async () => {
  const served = await serve(closed);
  expect(closed.withOwnPassword).toEqual([own.email]);
  await expect(login(served, own.email)).rejects.toMatchObject({ code: Code.invalid });
  expect((await login(served, own.email, own.password)).email).toBe(own.email);
  await served.stop();
});

test("the demonstration's tokens are refused by MQTT, HTTP and through a master; other devices of its plant go on", async () => {
  const served = await serve(closed);
  for (const token of [deviceToken, freeToken]) {
    await expect(connect(served.gateway, token)).rejects.toThrow("Connection refused");
    expect(await post(served.app, token)).toBe(401);
  }
  expect(await post(served.app, ownDevice.accessToken)).toBe(200);
  const client = await connect(served.gateway, ownDevice.accessToken);
  await client.publishAsync(topics.telemetry, '{"AI1": 7}', { qos: 1 });
  const before = await world.pool.query("SELECT sum(count)::int AS n FROM batches");
  const through = JSON.stringify({ [ids.driveEnd]: [{ ts: world.clock.now(), values: { VX: 1 } }] });
  await client.publishAsync(topics.gateway.telemetry, through, { qos: 1 });
  expect((await world.pool.query("SELECT sum(count)::int AS n FROM batches")).rows).toEqual(before.rows);
  await client.endAsync(true);
  await served.stop();
});

test("its units, whose IDs are public, cannot be used to open an account", async () => {
  const served = await serve(closed);
  const [{ deviceSnId }] = unclaimed;
  const viewer = await login(served, own.email, own.password);
  await expect(served.as(viewer)(devices.lookUp, { deviceSnId })).rejects.toMatchObject({ code: Code.notFound });
  const stranger = { email: "stranger@example.test", telltaleId: deviceSnId, password: "a long enough phrase" };
  await expect(served.as()(registration.register, stranger)).rejects.toMatchObject({ code: Code.notFound });
  await served.stop();
});

test("it is all there again when it is turned on again", async () => {
  const served = await serve(open);
  expect((await login(served, owner)).email).toBe(owner);
  expect((await served.as(session)(accounts.info)).email).toBe(owner);
  expect(await post(served.app, deviceToken)).toBe(200);
  const client = await connect(served.gateway, deviceToken);
  await client.endAsync(true);
  await served.stop();
});
