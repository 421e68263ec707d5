import { accounts } from "@telltale/contract/domains/people/accounts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { createOwnerLink } from "./first-owner.ts";

let server: TestServer;

// Only a server without users creates a link.
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const input = (secret: string, email = "first@example.test") => ({
  secret,
  email,
  plantName: "Mill",
  password: "long enough",
  confirmPassword: "long enough",
  timeZoneId: "America/Chicago",
});
const aLink = async (): Promise<string> => {
  const secret = await createOwnerLink(server.world);
  if (secret === undefined) throw new Error("There are users already");
  return secret;
};
const tooOld = { code: 422, message: expect.stringContaining("used or is too old") };

test("the link makes one owner with a plant in the browser's time zone, who is signed in", async () => {
  const info = await server.as()(accounts.createFirstOwner, input(await aLink()));
  expect(info).toMatchObject({
    email: "first@example.test",
    isAdmin: false,
    accounts: [{ roleType: 1, alias: "Mill" }],
  });
  await expect(server.as(info)(accounts.info)).resolves.toMatchObject({ userId: info.userId });
  const credentials = { email: "first@example.test", password: "long enough" };
  await expect(server.as()(accounts.login, credentials)).resolves.toMatchObject({ userId: info.userId });
  const plants = await server.world.db.selectFrom("plants").select(["name", "time_zone_id"]).execute();
  expect(plants).toEqual([{ name: "Mill", time_zone_id: "America/Chicago" }]);
});

test("of two who open it at the same time one becomes the owner, and it never works again", async () => {
  const secret = await aLink();
  const tries = await Promise.allSettled(
    ["a@example.test", "b@example.test"].map((email) => server.as()(accounts.createFirstOwner, input(secret, email))),
  );
  expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(server.as()(accounts.createFirstOwner, input(secret))).rejects.toMatchObject(tooOld);
  expect(await createOwnerLink(server.world)).toBeUndefined();
});

test("an invented, replaced or expired link is refused, and any link once the command line has created a user", async () => {
  const replaced = await aLink();
  const current = await aLink();
  const open = (secret: string) => server.as()(accounts.createFirstOwner, input(secret));
  await expect(open("made-up")).rejects.toMatchObject(tooOld);
  await expect(open(replaced)).rejects.toMatchObject(tooOld);
  server.world.clock.pass(24 * 3_600_000);
  await expect(open(current)).rejects.toMatchObject(tooOld);
  const late = await aLink();
  const user = { email: "other@example.test", password_hash: "", created_time: new Date() };
  await server.world.db.insertInto("users").values(user).execute();
  await expect(open(late)).rejects.toMatchObject(tooOld);
});

test.each([
  ["an e-mail address", { email: "nobody" }, "Please enter a valid email address"],
  ["a plant", { plantName: " " }, "Plant name cannot be blank"],
  [
    "a long enough password",
    { password: "short", confirmPassword: "short" },
    "Password must be a minimum of 8 characters",
  ],
  ["the same password twice", { confirmPassword: "different one" }, "Passwords do not match"],
  ["a time zone that exists", { timeZoneId: "Mars/Olympus" }, "Unknown time zone"],
])("%s is asked for in words", async (_, wrong, message) => {
  const secret = await aLink();
  await expect(server.as()(accounts.createFirstOwner, { ...input(secret), ...wrong })).rejects.toMatchObject({
    code: 422,
    message,
  });
  await expect(server.as()(accounts.createFirstOwner, input(secret)), "the link is not used up").resolves.toBeDefined();
});
