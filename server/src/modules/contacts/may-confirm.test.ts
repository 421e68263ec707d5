import { audit } from "@telltale/contract/domains/audit";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { ContactType } from "@telltale/contract/notification-channels";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
});
afterAll(() => server.close());

const asOwner = () => server.as(owner);
const nora = { firstName: "Nora", lastName: "Quist" };
const someone = () => ({ type: ContactType.mail, ...nora, contactInfo: `nora.${owner.plantId}@mill.example` });
const listed = async () => (await asOwner()(contacts.list, {})).data;
const refusal = (code: number, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

describe("a contact's right to confirm alerts", () => {
  test("is off by default, is changed with the name, and is in the audit log with before and after", async () => {
    const { contactInfo } = someone();
    const { notifyUserId } = await asOwner()(contacts.add, someone());
    expect(await listed()).toMatchObject([{ notifyUserId, mayConfirm: false, version: 1 }]);
    await asOwner()(contacts.update, { notifyUserId, ...nora, lastName: "Berg", mayConfirm: 1, version: 1 });
    expect(await listed()).toMatchObject([{ name: "Nora Berg", contactInfo, mayConfirm: true, version: 2 }]);
    const [entry] = (await asOwner()(audit.list, {})).data;
    expect(entry).toMatchObject({ action: "contact.edit", target: `Nora Berg, ${contactInfo}` });
    expect(entry?.changes).toEqual([
      { field: "name", before: "Nora Quist", after: "Nora Berg" },
      { field: "mayConfirm", before: "No", after: "Yes" },
    ]);
  });

  test("stays as it is for a client that does not know it, and the second of two changes is refused", async () => {
    const { notifyUserId } = await asOwner()(contacts.add, { ...someone(), mayConfirm: 1 });
    await asOwner()(contacts.update, { notifyUserId, ...nora, version: 1 });
    expect(await listed()).toMatchObject([{ mayConfirm: true, version: 2 }]);
    await expect(asOwner()(contacts.update, { notifyUserId, ...nora, mayConfirm: 0, version: 1 })).rejects.toEqual(
      refusal(409, "in the meantime"),
    );
    await expect(
      server.as(await anOwner(server.world))(contacts.update, { notifyUserId, ...nora, mayConfirm: 0 }),
    ).rejects.toEqual(refusal(404, ""));
  });
});
