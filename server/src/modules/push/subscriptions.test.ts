import { Code } from "@telltale/contract/call/codes";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { push } from "@telltale/contract/domains/people/push";
import { signIns } from "@telltale/contract/domains/people/sign-ins";
import { users } from "@telltale/contract/domains/people/users";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { anAdmin, anOwner, aSupportView } from "../../test/test-people.ts";
import { type Pushing, startPushing } from "../../test/test-push.ts";

let pushing: Pushing;
beforeAll(async () => {
  pushing = await startPushing();
});
afterAll(() => pushing.close());
afterEach(() => pushing.reset());

const refusal = (code: number, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

describe("a subscription", () => {
  test.each([
    "https://push.example.com/a",
    "https://fcm.googleapis.com.example.com/a",
    "https://fcm.googleapis.com:8443/a",
    "http://fcm.googleapis.com/a",
    "https://user@fcm.googleapis.com/a",
    "http://127.0.0.1:1/a",
    "https://notify.windows.com.evil.example/a",
  ])("is refused at %s, which is no known push service", async (endpoint) => {
    const owner = await anOwner(pushing.server.world);
    await expect(pushing.server.as(owner)(push.subscribe, { ...pushing.aBrowser().input, endpoint })).rejects.toEqual(
      refusal(Code.invalid, "push service is not one"),
    );
  });

  test.each([
    "https://fcm.googleapis.com/fcm/send/a:b",
    "https://updates.push.services.mozilla.com/wpush/v2/a",
    "https://wns2-par02p.notify.windows.com/w/?token=a",
    "https://web.push.apple.com/a",
  ])("is accepted at %s", async (endpoint) => {
    const owner = await anOwner(pushing.server.world);
    const { pushId } = await pushing.server.as(owner)(push.subscribe, { ...pushing.aBrowser().input, endpoint });
    expect((await pushing.server.as(owner)(push.list)).browsers).toMatchObject([{ pushId, isCurrent: true }]);
  });

  test("whose key no message could be encrypted for is refused", async () => {
    const owner = await anOwner(pushing.server.world);
    const p256dh = Buffer.alloc(65, 4).toString("base64url");
    await expect(pushing.server.as(owner)(push.subscribe, { ...pushing.aBrowser().input, p256dh })).rejects.toEqual(
      refusal(Code.invalid, "incomplete"),
    );
  });

  test("of a browser is one, however often it subscribes, and ten are the most", async () => {
    const owner = await anOwner(pushing.server.world);
    const first = pushing.aBrowser().input;
    const { pushId } = await pushing.server.as(owner)(push.subscribe, first);
    expect(await pushing.server.as(owner)(push.subscribe, first)).toEqual({ pushId });
    for (let count = 1; count < 10; count++)
      await pushing.server.as(await pushing.elsewhere(owner))(push.subscribe, pushing.aBrowser().input);
    await expect(
      pushing.server.as(await pushing.elsewhere(owner))(push.subscribe, pushing.aBrowser().input),
    ).rejects.toEqual(refusal(Code.conflict, "At most 10"));
  });

  test("ends with the sign-out of its browser, here or elsewhere, and its waiting messages are skipped", async () => {
    const { owner, as, browser, raiseAlert } = await pushing.aSubscriber();
    await raiseAlert();
    const other = await pushing.elsewhere(owner);
    await as(accounts.signOut);
    expect((await pushing.server.as(other)(push.list)).browsers).toEqual([]);
    await pushing.run();
    expect(browser.notices()).toEqual([]);
    expect(await pushing.pushes()).toMatchObject([{ status: "skipped" }]);

    await pushing.server.as(await pushing.elsewhere(owner))(push.subscribe, pushing.aBrowser().input);
    const kept = await pushing.server.as(other)(push.subscribe, pushing.aBrowser().input);
    await pushing.server.as(other)(signIns.endOthers);
    expect((await pushing.server.as(other)(push.list)).browsers.map(({ pushId }) => pushId)).toEqual([kept.pushId]);
  });

  test("outlives its session, which ends after hours without use, and belongs to the next session of the browser", async () => {
    const { owner, browser, raiseAlert } = await pushing.aSubscriber();
    await pushing.server.world.db.deleteFrom("sign_ins").where("user_id", "=", owner.userId).execute();
    await raiseAlert();
    await pushing.run();
    expect(browser.notices()).toHaveLength(1);
    const again = await pushing.elsewhere(owner);
    const { endpoint } = browser.input;
    expect(await pushing.server.as(again)(push.resume, { endpoint })).toEqual({ isSubscribed: true });
    await pushing.server.as(again)(accounts.signOut);
    expect((await pushing.server.as(await pushing.elsewhere(owner))(push.list)).browsers).toEqual([]);
  });

  test("ends when another user signs in to the same browser, and with the account", async () => {
    const { owner, as, browser } = await pushing.aSubscriber();
    const stranger = await anOwner(pushing.server.world);
    const { endpoint } = browser.input;
    expect(await pushing.server.as(stranger)(push.resume, { endpoint })).toEqual({ isSubscribed: false });
    expect((await as(push.list)).browsers).toEqual([]);

    const admin = await anAdmin(pushing.server.world, owner);
    await pushing.server.as(admin)(push.subscribe, pushing.aBrowser().input);
    await as(users.remove, { accountId: admin.accountId });
    const left = pushing.server.world.db.selectFrom("push_subscriptions").where("account_id", "=", admin.accountId);
    expect(await left.selectAll().execute()).toEqual([]);
  });

  test("is its account's own: another account can't remove it, and a support view changes nothing", async () => {
    const { owner, as, pushId } = await pushing.aSubscriber();
    const admin = await anAdmin(pushing.server.world, owner);
    await expect(pushing.server.as(admin)(push.remove, { pushId })).rejects.toEqual(refusal(404, ""));
    const support = await aSupportView(pushing.server.world, owner);
    await expect(pushing.server.as(support)(push.remove, { pushId })).rejects.toEqual(refusal(403, ""));
    await as(push.remove, { pushId });
    expect((await as(push.list)).browsers).toEqual([]);
  });
});
