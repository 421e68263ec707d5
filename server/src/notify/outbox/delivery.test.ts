import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { MessageKind } from "@telltale/contract/notification-channels";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { anOwner } from "../../test/test-people.ts";
import { anSmtpServer, type ReceivedMail } from "../../test/test-smtp.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { createMailSender, type MailSender } from "../channels/mail.ts";
import type { Letter } from "../letters/letter.ts";
import { createDelivery } from "./delivery.ts";
import { queueMail, queueText } from "./outbox.ts";

let world: TestWorld;
let count = 0;

beforeAll(async () => {
  world = await createTestWorld();
});
afterAll(() => world.close());

const letter: Letter = {
  subject: "Pump 3 <b>&</b> Überlauf",
  paragraphs: ["Level is high: 4.2 m > 4.0 m."],
  action: { label: "Open", url: "https://telltale.test/alarms?a=1&b=2" },
};

/** Accepts connections and never answers. */
const aSilentServer = async () => {
  const connections: Socket[] = [];
  const server = createServer((socket) => connections.push(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = (): void => {
    for (const socket of connections) socket.destroy();
    server.close();
  };
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
};

const deliveryBy = (mail: MailSender | undefined) => createDelivery({ ...world, metrics: new Registry(), mail });
const senderTo = (url: string) => createMailSender(url, "plant@telltale.test");

const aMail = async (change: Partial<Letter> = {}): Promise<string> => {
  const recipient = `reader.${++count}@example.test`;
  await queueMail(world.db, { recipient, letter: { ...letter, ...change }, now: world.clock.date() });
  return recipient;
};
const stateOf = (recipient: string) =>
  world.db.selectFrom("outbox").selectAll().where("recipient", "=", recipient).executeTakeFirstOrThrow();

/** Plants with this many mails that are due, oldest first; returns their ids. */
const plantsWithMails = async (plants: number, mails: number): Promise<number[]> => {
  const due = world.clock.date();
  const ids: number[] = [];
  for (let plant = 0; plant < plants; plant++) ids.push((await anOwner(world)).plantId);
  for (const plantId of ids)
    for (let mail = 0; mail < mails; mail++)
      await queueMail(world.db, { recipient: `flood.${plantId}@example.test`, letter, now: due, plantId });
  return ids;
};

describe("a mail in the outbox", () => {
  test("is sent once, readable as text and HTML, and its text is forgotten then", async () => {
    const smtp = await anSmtpServer();
    const recipient = await aMail();
    const delivery = deliveryBy(senderTo(smtp.url));
    await Promise.all([delivery.run(), deliveryBy(senderTo(smtp.url)).run()]);
    await delivery.run();
    expect(smtp.received.map(({ to }) => to)).toEqual([[recipient]]);
    const { text } = smtp.received[0] as ReceivedMail;
    expect(text).toContain("From: plant@telltale.test");
    expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(text).toContain("Level is high: 4.2 m > 4.0 m.");
    expect(text).toContain("Level is high: 4.2 m &gt; 4.0 m.");
    expect(await stateOf(recipient)).toMatchObject({ status: "sent", body: {} });
  });

  test("written in a transaction that is rolled back is never sent", async () => {
    const smtp = await anSmtpServer();
    const failing = world.db.transaction().execute(async (trx) => {
      await queueMail(trx, { recipient: "nobody@example.test", letter, now: world.clock.date() });
      throw new Error("something else went wrong");
    });
    await expect(failing).rejects.toThrow();
    await deliveryBy(senderTo(smtp.url)).run();
    expect(smtp.received).toEqual([]);
  });

  test("does not wait for the mails of other plants that have many", async () => {
    const smtp = await anSmtpServer();
    const flooded = await plantsWithMails(7, 20);
    world.clock.pass(1_000);
    const [account, [own]] = [await aMail(), await plantsWithMails(1, 1)];
    await deliveryBy(senderTo(smtp.url)).run();
    const order = smtp.received.flatMap(({ to }) => to);
    expect(order).toHaveLength(7 * 20 + 2);
    const firstRounds = order.slice(0, 10);
    expect(firstRounds).toContain(account);
    expect(firstRounds).toContain(`flood.${own}@example.test`);
    expect(firstRounds).toContain(`flood.${flooded[0]}@example.test`);
  });

  test("waits while the mail server is unavailable, and is sent when it is back", async () => {
    const away = await anSmtpServer();
    await away.stop();
    const recipient = await aMail();
    await deliveryBy(senderTo(away.url)).run();
    expect(await stateOf(recipient)).toMatchObject({ status: "waiting", tries: 1 });
    const smtp = await anSmtpServer();
    const delivery = deliveryBy(senderTo(smtp.url));
    await delivery.run();
    expect(smtp.received).toEqual([]);
    world.clock.pass(5_000);
    await delivery.run();
    expect(smtp.received.map(({ to }) => to)).toEqual([[recipient]]);
  });

  test("that the mail server refuses is not retried and keeps the answer; a temporary refusal is retried", async () => {
    const answers = [550, 451];
    const smtp = await anSmtpServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error("No"), { responseCode: answers.shift() })),
    });
    const [refused, deferred] = [await aMail(), await aMail()];
    const delivery = deliveryBy({ send: (mail) => senderTo(smtp.url).send(mail) });
    await delivery.run();
    const states = [await stateOf(refused), await stateOf(deferred)];
    expect(states.map(({ status }) => status).toSorted()).toEqual(["failed", "waiting"]);
    expect(states.find(({ status }) => status === "failed")?.fault).toContain("550");
  });

  test("whose connection is lost after the last byte is not sent again", async () => {
    const smtp = await anSmtpServer();
    const recipient = await aMail();
    const dying: MailSender = {
      send: async (mail) => {
        await mail.onHandOver();
        throw new Error("Connection closed");
      },
    };
    await deliveryBy(dying).run();
    expect(await stateOf(recipient)).toMatchObject({ status: "failed", handed_over: true });
    world.clock.pass(86_400_000);
    await deliveryBy(senderTo(smtp.url)).run();
    expect(smtp.received.flatMap(({ to }) => to)).not.toContain(recipient);
  });

  test("whose sender was killed before the last byte is sent by the next one, after a minute", async () => {
    const smtp = await anSmtpServer();
    const recipient = await aMail();
    void deliveryBy({ send: () => new Promise(() => undefined) }).run();
    await expect.poll(async () => (await stateOf(recipient)).status).toBe("sending");
    const next = deliveryBy(senderTo(smtp.url));
    await next.run();
    expect(smtp.received).toEqual([]);
    world.clock.pass(60_000);
    await next.run();
    expect(smtp.received).toHaveLength(1);
  });

  test("whose sender stood still for longer than its lease is sent by the other one only", async () => {
    const smtp = await anSmtpServer();
    const recipient = await aMail();
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
    const asleep = deliveryBy({ send: (mail) => woken.then(() => senderTo(smtp.url).send(mail)) }).run();
    await expect.poll(async () => (await stateOf(recipient)).status).toBe("sending");
    world.clock.pass(60_000);
    await deliveryBy(senderTo(smtp.url)).run();
    wake();
    await asleep;
    expect(smtp.received.map(({ to }) => to)).toEqual([[recipient]]);
    expect(await stateOf(recipient)).toMatchObject({ status: "sent", fault: "" });
  });

  test("cannot carry an injected header, in its subject or its recipient", async () => {
    const smtp = await anSmtpServer();
    await aMail({ subject: "Plant\r\nBcc: everybody@example.test" });
    await deliveryBy(senderTo(smtp.url)).run();
    expect(smtp.received[0]?.text).not.toMatch(/^Bcc:/m);
    expect(smtp.received[0]?.to).toHaveLength(1);
  });

  test("is kept when no mail server is configured", async () => {
    const recipient = await aMail();
    await deliveryBy(undefined).run();
    expect(await stateOf(recipient)).toMatchObject({ status: "kept", body: { subject: letter.subject } });
  });
});

test("an SMS is sent at once while a mail server does not answer", async () => {
  const smtp = await aSilentServer();
  const mails = await Promise.all(Array.from({ length: 7 }, () => aMail()));
  const sms = "12025550123";
  await queueText(world.db, {
    kind: MessageKind.sms,
    recipient: sms,
    text: "High",
    now: world.clock.date(),
    plantId: 1,
  });
  const sent: string[] = [];
  const delivery = createDelivery({
    ...world,
    metrics: new Registry(),
    mail: senderTo(smtp.url),
    sms: { send: async ({ recipient }) => void sent.push(recipient) },
  });
  onTestFinished(() => {
    smtp.stop();
    return delivery.stop();
  });
  delivery.start();
  await expect.poll(() => sent, { timeout: 5_000 }).toEqual([sms]);
  const late = "12025550124";
  await queueText(world.db, {
    kind: MessageKind.sms,
    recipient: late,
    text: "High",
    now: world.clock.date(),
    plantId: 1,
  });
  await expect.poll(() => sent, { timeout: 5_000 }).toEqual([sms, late]);
  const states = await Promise.all(mails.map(stateOf));
  expect(states.map(({ status }) => status)).not.toContain("sent");
});
