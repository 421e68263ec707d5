import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { AlertClass, AlertPriority, AlertType } from "@telltale/contract/domains/alerts";
import { push } from "@telltale/contract/domains/people/push";
import { MessageKind } from "@telltale/contract/notification-channels";
import { Registry } from "prom-client";
import { raise } from "../alarms/index.ts";
import { signIn } from "../modules/accounts/sign-in/sign-in.ts";
import { createDelivery } from "../notify/index.ts";
import { runIn } from "../platform/database/runner.ts";
import { aDevice } from "./test-devices.ts";
import { anOwner, type Person } from "./test-people.ts";
import { startTestServer } from "./test-server.ts";
import type { TestWorld } from "./test-world.ts";

/** What was posted to the push service. */
interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A browser's side of a subscription: its keys, and the decryption of RFC 8291. */
const browserOf = (address: string, received: readonly Received[]) => {
  const keys = createECDH("prime256v1");
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  const endpoint = `${address}/${randomBytes(8).toString("hex")}`;
  const derive = (ikm: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync("sha256", ikm, salt, info, length));
  const read = (body: Buffer): string => {
    const salt = body.subarray(0, 16);
    const senderKey = body.subarray(21, 21 + body.readUInt8(20));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]);
    const secret = derive(keys.computeSecret(senderKey), auth, info, 32);
    const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
    const cipher = createDecipheriv("aes-128-gcm", key, derive(secret, salt, "Content-Encoding: nonce\0", 12));
    const sealed = body.subarray(21 + senderKey.length);
    cipher.setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    return text.subarray(0, text.lastIndexOf(2)).toString();
  };
  const input = { endpoint, p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") };
  const notices = () =>
    received.filter(({ path }) => endpoint.endsWith(path)).map(({ body }) => JSON.parse(read(body)));
  return { input, notices };
};

/** A rule of P2, or the given priority, whose alerts notify its owner; returns how to raise one. */
const aRule = async (world: TestWorld, owner: Person, priority: AlertPriority = AlertPriority.medium) => {
  const { db, clock } = world;
  const { deviceId, channels } = await aDevice(world, owner, { name: "Sump station" });
  const channelId = Number(channels.AI1);
  const rule = { alarm_name: "Wet well high", alarm_class: AlertClass.custom, type: AlertType.high, priority };
  const place = { plant_id: owner.plantId, device_id: deviceId, channel_id: channelId, created_time: clock.date() };
  const { alarm_id: alarmId } = await db
    .insertInto("alarms")
    .values({
      ...rule,
      ...place,
      alarm_value: 3.2,
      alarm_hysteresis: 0.1,
      response: "Look at the inlet screens;\nrake them.",
    })
    .returning("alarm_id")
    .executeTakeFirstOrThrow();
  await db.insertInto("account_alarms").values({ account_id: owner.accountId, alarm_id: alarmId }).execute();
  const alert = {
    ...{ plantId: owner.plantId, deviceId, channelId, alarmId, alarmClass: AlertClass.custom, priority },
    ...{ alarmType: AlertType.high, value: 3.42, unit: "m", threshold: 3.2 },
  };
  const raiseAlert = async () => {
    const now = clock.now();
    await raise(runIn(db), [{ ...alert, at: now, key: `${alarmId} ${now}` }], now);
    const newest = db
      .selectFrom("alerts")
      .select("alert_id")
      .where("alarm_id", "=", alarmId)
      .orderBy("alert_id", "desc");
    return (await newest.limit(1).executeTakeFirstOrThrow()).alert_id;
  };
  return { raiseAlert };
};

/** Starts a push service on this machine, and a server that may post there. Close it in `afterAll`. */
export const startPushing = async () => {
  const received: Received[] = [];
  const answers: number[] = [];
  const service = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    received.push({ path: request.url ?? "", headers: request.headers, body });
    response.writeHead(answers.shift() ?? 201).end();
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const server = await startTestServer({ pushServices: [address] });
  const { world } = server;
  const aBrowser = () => browserOf(address, received);
  return {
    server,
    address,
    /** What was posted, in order. */
    received,
    /** How the service answers the next messages; then, that it accepts them. */
    answers,
    aBrowser,
    /** An owner whose browser is subscribed, and a rule that notifies the owner. */
    aSubscriber: async (priority?: AlertPriority) => {
      const owner = await anOwner(world);
      const browser = aBrowser();
      const as = server.as(owner);
      const { pushId } = await as(push.subscribe, browser.input);
      return { owner, as, browser, pushId, ...(await aRule(world, owner, priority)) };
    },
    /** The same user, signed in in another browser. */
    elsewhere: async (person: Person): Promise<Person> => {
      const { userId, accountId } = person;
      const visitor = { address: "192.0.2.2", userAgent: "another browser" };
      return { ...person, ...(await signIn(world.db, world.clock.date(), visitor, { userId, accountId })) };
    },
    /** Sends what is due. */
    run: () => createDelivery({ ...world, metrics: new Registry(), pushServices: [address] }).run(),
    /** The pushes of the outbox. */
    pushes: () =>
      world.db.selectFrom("outbox").selectAll().where("kind", "=", MessageKind.push).orderBy("message_id").execute(),
    reset: async (): Promise<void> => {
      received.length = 0;
      answers.length = 0;
      await world.db.deleteFrom("outbox").execute();
      await world.db.deleteFrom("push_subscriptions").execute();
    },
    close: async (): Promise<void> => {
      service.close();
      await server.close();
    },
  };
};

export type Pushing = Awaited<ReturnType<typeof startPushing>>;
