import { audit } from "@telltale/contract/domains/audit";
import { ContactStatus, contacts } from "@telltale/contract/domains/people/contacts";
import { ContactType, MessageKind } from "@telltale/contract/notification-channels";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aContact } from "../../test/test-contacts.ts";
import { linkTo, mailsTo } from "../../test/test-mail.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { refusePhone } from "./answer.ts";

let server: TestServer;
let owner: Person;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
});
afterAll(() => server.close());

const { mail, phone } = ContactType;
const { pending, verified, refused } = ContactStatus;
const asOwner = () => server.as(owner);
/** Advances the clock and keeps sessions alive. */
const pass = async (milliseconds: number): Promise<void> => {
  server.world.clock.pass(milliseconds);
  await server.world.db.updateTable("sign_ins").set({ used_time: server.world.clock.date() }).execute();
};
const minute = 60_000;
const day = 86_400_000;

const someone = (type: ContactType, contactInfo?: string) => {
  count += 1;
  const info =
    contactInfo ?? (type === mail ? `nora.${count}@mill.example` : `4915112345${String(count).padStart(3, "0")}`);
  return { type, firstName: "Nora", lastName: "Quist", contactInfo: info };
};
const add = async (type: ContactType, contactInfo?: string) => {
  const input = someone(type, contactInfo);
  return { ...input, ...(await asOwner()(contacts.add, input)) };
};
const listed = async (filter = {}) => (await asOwner()(contacts.list, filter)).data;
const statusOf = async (notifyUserId: number) =>
  (await asOwner()(contacts.choices)).find((contact) => contact.notifyUserId === notifyUserId)?.status;
const answer = async (email: string, status: Exclude<ContactStatus, 0>) => {
  const { accessToken } = await linkTo(server.world, email);
  return server.as()(contacts.answer, { accessToken, email, status });
};
const smsTo = async (recipient: string): Promise<string[]> => {
  const rows = server.world.db.selectFrom("outbox").select("body").where("recipient", "=", recipient);
  const sms = await rows.where("kind", "=", MessageKind.sms).orderBy("message_id").execute();
  return sms.map(({ body }) => (body as { text: string }).text);
};
const codeOf = async (recipient: string): Promise<string> =>
  /\d{6}/.exec((await smsTo(recipient)).at(-1) ?? "")?.[0] ?? "";
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const refusal = (code: number, message: string | RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

describe("a mail contact", () => {
  test("is pending until the mailed link was opened and confirmed by a button, once", async () => {
    const { notifyUserId, contactInfo } = await add(mail);
    expect(await statusOf(notifyUserId)).toBe(pending);
    const link = await linkTo(server.world, contactInfo);
    expect(link).toMatchObject({ pathname: "/contact", email: contactInfo });
    const { accessToken, email } = link;
    for (const _scanner of [1, 2])
      expect(await server.as()(contacts.request, { accessToken, email })).toEqual({
        plantName: `Plant of ${owner.email}`,
        name: "Nora Quist",
        status: pending,
      });
    expect(await statusOf(notifyUserId)).toBe(pending);
    await server.as()(contacts.answer, { accessToken, email, status: verified });
    expect(await statusOf(notifyUserId)).toBe(verified);
    await expect(server.as()(contacts.request, { accessToken, email })).rejects.toEqual(
      refusal(422, "used or is too old"),
    );
    await expect(asOwner()(contacts.ask, { notifyUserId })).rejects.toEqual(refusal(409, "verified already"));
  });

  test("says who asks and for what, and names the way to refuse", async () => {
    const { contactInfo } = await add(mail);
    const [letter] = await mailsTo(server.world, contactInfo);
    const asker = `“Olga Tester” (${owner.email})`;
    expect(letter?.paragraphs[0]).toContain(`${asker} wants to send you alerts of “Plant of `);
    expect(letter?.leave?.url).toContain("&stop=1");
  });

  test("has seven days to answer, and can be asked again", async () => {
    const { notifyUserId, contactInfo } = await add(mail);
    const first = await linkTo(server.world, contactInfo);
    await asOwner()(contacts.ask, { notifyUserId });
    await pass(7 * day);
    const last = await linkTo(server.world, contactInfo);
    for (const { accessToken, email } of [first, last])
      await expect(server.as()(contacts.answer, { accessToken, email, status: verified })).rejects.toEqual(
        refusal(422, "used or is too old"),
      );
    await asOwner()(contacts.ask, { notifyUserId });
    await answer(contactInfo, verified);
    expect(await statusOf(notifyUserId)).toBe(verified);
  });

  test("that refuses is not asked again for 90 days, deleted and added or not; other plants may ask", async () => {
    const { notifyUserId, contactInfo } = await add(mail);
    await answer(contactInfo, refused);
    expect(await statusOf(notifyUserId)).toBe(refused);
    const again = refusal(409, /refused the alerts of this plant.*again from \d{4}-\d\d-\d\d/);
    await expect(asOwner()(contacts.ask, { notifyUserId })).rejects.toEqual(again);
    await asOwner()(contacts.remove, { notifyUserId });
    await pass(day);
    await expect(add(mail, contactInfo.toUpperCase())).rejects.toEqual(again);
    const sent = (await mailsTo(server.world, contactInfo)).length;
    await server.as(await anOwner(server.world))(contacts.add, someone(mail, contactInfo));
    expect(await mailsTo(server.world, contactInfo)).toHaveLength(sent + 1);
    await pass(90 * day);
    await add(mail, contactInfo);
  });

  test("that is verified stops alerts by the link in any of them, and can't be verified by it", async () => {
    const { notifyUserId, contactInfo } = await add(mail);
    await answer(contactInfo, verified);
    const { stop_key: accessToken } = await server.world.db
      .selectFrom("contacts")
      .select("stop_key")
      .where("contact_id", "=", notifyUserId)
      .executeTakeFirstOrThrow();
    const link = { accessToken, email: contactInfo };
    await server.as()(contacts.answer, { ...link, status: refused });
    expect(await statusOf(notifyUserId)).toBe(refused);
    await expect(server.as()(contacts.answer, { ...link, status: verified })).rejects.toMatchObject({ code: 422 });
    await expect(
      server.as()(contacts.answer, { accessToken, email: "else@mill.example", status: refused }),
    ).rejects.toMatchObject({ code: 422 });
  });
});

describe("a phone contact", () => {
  test("is verified by the code of its SMS", async () => {
    const { notifyUserId, contactInfo } = await add(phone);
    const [text] = await smsTo(contactInfo);
    expect(text).toMatch(/^Telltale: \d{6} is the code to get alerts of /);
    expect(text?.length).toBeLessThanOrEqual(160);
    const code = await codeOf(contactInfo);
    await expect(asOwner()(contacts.verify, { notifyUserId, code: wrong(code) })).rejects.toEqual(
      refusal(422, "The code is not right"),
    );
    expect(await statusOf(notifyUserId)).toBe(pending);
    await asOwner()(contacts.verify, { notifyUserId, code });
    expect(await statusOf(notifyUserId)).toBe(verified);
    const kept = await server.world.db.selectFrom("contact_codes").selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(code);
  });

  test("takes five codes, however many are tried at once, then another is needed", async () => {
    const { notifyUserId, contactInfo } = await add(phone);
    const code = await codeOf(contactInfo);
    const guesses = Array.from({ length: 12 }, () =>
      asOwner()(contacts.verify, { notifyUserId, code: wrong(code) }).catch((fault: Error) => fault.message),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter((sentence) => /not right/.test(String(sentence)))).toHaveLength(5);
    await expect(asOwner()(contacts.verify, { notifyUserId, code })).rejects.toEqual(refusal(422, "no longer valid"));
    await asOwner()(contacts.ask, { notifyUserId });
    await expect(asOwner()(contacts.verify, { notifyUserId, code })).rejects.toMatchObject({ code: 422 });
    await asOwner()(contacts.verify, { notifyUserId, code: await codeOf(contactInfo) });
    expect(await statusOf(notifyUserId)).toBe(verified);
  });

  test("has fifteen minutes for a code", async () => {
    const { notifyUserId, contactInfo } = await add(phone);
    await pass(15 * minute);
    const late = asOwner()(contacts.verify, { notifyUserId, code: await codeOf(contactInfo) });
    await expect(late).rejects.toEqual(refusal(422, "no longer valid"));
  });

  test("whose owner replied STOP is refused in every plant", async () => {
    const { notifyUserId, contactInfo } = await add(phone);
    const code = await codeOf(contactInfo);
    const stranger = await anOwner(server.world);
    const other = await aContact(server.world, stranger, { type: phone, contactInfo });
    await refusePhone(server.world, contactInfo);
    const { data } = await asOwner()(audit.list);
    expect(data[0]).toMatchObject({ action: "contact.refuse", isContact: true });
    expect(await statusOf(notifyUserId)).toBe(refused);
    expect(await server.as(stranger)(contacts.choices)).toMatchObject([{ notifyUserId: other, status: refused }]);
    await expect(asOwner()(contacts.ask, { notifyUserId })).rejects.toMatchObject({ code: 409 });
    await expect(asOwner()(contacts.verify, { notifyUserId, code })).rejects.toEqual(refusal(422, "no longer valid"));
    expect(await statusOf(notifyUserId)).toBe(refused);
  });
});

describe("requests are limited", () => {
  test.each([mail, phone])(
    "by asking a contact of type %i again: three times an hour, six times a day",
    async (type) => {
      const { notifyUserId, contactInfo } = await add(type);
      const ask = () => asOwner()(contacts.ask, { notifyUserId });
      await ask();
      await ask();
      await expect(ask()).rejects.toEqual(refusal(429, "try again in 60 minutes"));
      await asOwner()(contacts.remove, { notifyUserId });
      await expect(add(type, contactInfo)).rejects.toMatchObject({ code: 429 });
      const elsewhere = server.as(await anOwner(server.world))(contacts.add, someone(type, contactInfo));
      await expect(elsewhere).rejects.toMatchObject({ code: 429 });
      for (const _hour of [1, 2, 3]) {
        await pass(61 * minute);
        const again = await add(type, contactInfo).catch(() => undefined);
        if (again) await asOwner()(contacts.remove, { notifyUserId: again.notifyUserId });
      }
      await pass(61 * minute);
      await expect(add(type, contactInfo)).rejects.toMatchObject({ code: 429 });
      await pass(day);
      await add(type, contactInfo);
    },
  );

  test("by a plant that adds one contact after the other: sixty an hour", async () => {
    for (let added = 0; added < 60; added += 1) await add(mail);
    await expect(add(mail)).rejects.toMatchObject({ code: 429 });
    await server.as(await anOwner(server.world))(contacts.add, someone(mail));
  });

  test("concurrent requests cannot exceed the limits", async () => {
    const { notifyUserId, contactInfo } = await add(mail);
    const input = Array.from({ length: 8 }, () => asOwner()(contacts.ask, { notifyUserId }).catch(() => undefined));
    await Promise.all(input);
    expect(await mailsTo(server.world, contactInfo)).toHaveLength(3);
  });
});

describe("the plant's contacts", () => {
  test("are listed the latest first, by status and type", async () => {
    const first = await add(mail);
    await pass(minute);
    const second = await add(phone);
    expect((await listed()).map(({ notifyUserId }) => notifyUserId)).toEqual([second.notifyUserId, first.notifyUserId]);
    expect(await listed({ type: [phone] })).toMatchObject([
      { type: phone, name: "Nora Quist", contactInfo: second.contactInfo, status: pending },
    ]);
    await answer(first.contactInfo, verified);
    expect(await listed({ status: [verified, refused] })).toMatchObject([{ notifyUserId: first.notifyUserId }]);
  });

  test("have no duplicates", async () => {
    const { contactInfo } = await add(mail);
    await expect(add(mail, contactInfo.toUpperCase())).rejects.toEqual(refusal(409, "added already"));
    const fresh = someone(mail);
    const both = await Promise.allSettled([asOwner()(contacts.add, fresh), asOwner()(contacts.add, fresh)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await mailsTo(server.world, fresh.contactInfo)).toHaveLength(1);
  });

  test.each([
    [{ firstName: " " }, "First name cannot be blank"],
    [{ lastName: "" }, "Last name cannot be blank"],
    [{ contactInfo: "nora" }, "Enter the correct email address"],
    [{ contactInfo: "" }, "Enter the correct email address"],
    [{ type: phone, contactInfo: "nora@mill.example" }, "Enter the correct phone number"],
    [{ type: phone, contactInfo: "+4915112345678" }, "Enter the correct phone number"],
    [{ type: phone, contactInfo: "015112345678" }, "Enter the correct phone number"],
    [{ type: phone, contactInfo: "1234567890123456" }, "Enter the correct phone number"],
  ])("take no %j", async (change, message) => {
    await expect(asOwner()(contacts.add, { ...someone(mail), ...change })).rejects.toMatchObject({
      code: 422,
      message,
    });
  });

  test("are not visible to other plants", async () => {
    const { notifyUserId } = await add(phone);
    const stranger = server.as(await anOwner(server.world));
    expect(await stranger(contacts.choices)).toEqual([]);
    for (const call of [contacts.remove, contacts.ask])
      await expect(stranger(call, { notifyUserId })).rejects.toMatchObject({ code: 404 });
    await expect(stranger(contacts.verify, { notifyUserId, code: "000000" })).rejects.toMatchObject({ code: 404 });
  });

  test("leave who did what to them in the audit log, and no secret", async () => {
    const { notifyUserId, contactInfo } = await add(phone);
    const code = await codeOf(contactInfo);
    await asOwner()(contacts.verify, { notifyUserId, code });
    await asOwner()(contacts.remove, { notifyUserId });
    const answered = await add(mail);
    await answer(answered.contactInfo, refused);
    const { data } = await asOwner()(audit.list);
    expect(data.map(({ action, target, email, isContact }) => [action, target, email, isContact])).toEqual([
      ["contact.refuse", `Nora Quist, ${answered.contactInfo}`, "", true],
      ["contact.add", `Nora Quist, ${answered.contactInfo}`, owner.email, false],
      ["contact.delete", `Nora Quist, ${contactInfo}`, owner.email, false],
      ["contact.verify", `Nora Quist, ${contactInfo}`, owner.email, false],
      ["contact.add", `Nora Quist, ${contactInfo}`, owner.email, false],
    ]);
    expect(data[0]?.changes).toEqual([{ field: "status", before: "Pending", after: "Refused" }]);
    expect(JSON.stringify(data)).not.toContain(code);
  });
});
