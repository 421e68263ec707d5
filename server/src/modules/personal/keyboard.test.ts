import { audit } from "@telltale/contract/domains/audit";
import { keyboard, type ShortcutTarget } from "@telltale/contract/domains/people/personal";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
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

const ask = () => server.as(owner);
const add = (keys: string, target: ShortcutTarget = "/devices") => ask()(keyboard.edit, { keys, target });

test("a shortcut is created, changed and deleted, and belongs to its user only", async () => {
  const { shortcutId } = await add("x d");
  expect(await ask()(keyboard.list)).toEqual({
    isOn: true,
    shortcuts: [{ shortcutId, keys: "x d", target: "/devices" }],
  });
  await ask()(keyboard.edit, { shortcutId, keys: "x x", target: "theme" });
  expect((await ask()(keyboard.list)).shortcuts).toEqual([{ shortcutId, keys: "x x", target: "theme" }]);
  const stranger = server.as(await anOwner(server.world));
  expect((await stranger(keyboard.list)).shortcuts).toEqual([]);
  await expect(stranger(keyboard.remove, { shortcutId })).rejects.toMatchObject({ code: 404 });
  await ask()(keyboard.remove, { shortcutId });
  expect((await ask()(keyboard.list)).shortcuts).toEqual([]);
  const { data } = await ask()(audit.list, { action: "shortcut" });
  expect(data.map(({ action }) => action)).toEqual(["shortcut.delete", "shortcut.edit", "shortcut.add"]);
});

test.each([
  ["g d", "g d is taken: Dashboard. No shortcut may begin another"],
  ["g", "g d is taken: Dashboard. No shortcut may begin another"],
  ["r x", "r is taken: Refresh this page. No shortcut may begin another"],
  ["x", "x y is taken: Devices. No shortcut may begin another"],
  ["X", "Press one to three keys"],
  ["a b c d", "Press one to three keys"],
  ["Enter", "Press one to three keys"],
  ["", "Press one to three keys"],
])("the keys %j are refused: %s", async (keys, msg) => {
  await add("x y");
  const payload = { keys, target: "/devices" };
  const answer = await server.app.inject({
    method: "POST",
    url: `${keyboard.edit.path}?token=${owner.token}`,
    payload,
  });
  expect(answer.json()).toMatchObject({ code: 422, msg });
});

test("what can't be opened is refused", async () => {
  await expect(add("x y", "/nowhere" as ShortcutTarget)).rejects.toMatchObject({
    code: 422,
    message: "Choose a page or an action",
  });
});

test("shortcuts are switched off and on again", async () => {
  await ask()(keyboard.enable, { isOn: false });
  expect((await ask()(keyboard.list)).isOn).toBe(false);
  await ask()(keyboard.enable, { isOn: true });
  expect((await ask()(keyboard.list)).isOn).toBe(true);
});
