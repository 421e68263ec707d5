import { WebhookFormat, webhooks } from "@telltale/contract/domains/alerting/webhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anOwner } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const fields = (url: string, enabled: 0 | 1 = 1) => ({
  ...{ webhookName: "Control room", format: WebhookFormat.standard, url, enabled },
  ...{ mayConfirm: 0 as const, alarmIds: [] },
});

test("an address that the operator does not allow is refused when it is saved, unless the webhook is switched off", async () => {
  const as = server.as(await anOwner(server.world));
  for (const [url, said] of [
    ["http://hooks.example.com/1", /must begin with https:\/\/.*WEBHOOK_PRIVATE=1/],
    ["https://192.168.1.20/hook", /private network.*WEBHOOK_PRIVATE=1/],
    ["https://[::ffff:127.0.0.1]/hook", /private network/],
    ["https://ops.localhost/hook", /private network/],
  ] as const)
    await expect(as(webhooks.add, fields(url))).rejects.toThrow(said);
  const { webhookId } = await as(webhooks.add, fields("https://10.0.0.5/hook", 0));
  await expect(as(webhooks.update, { webhookId, ...fields("https://10.0.0.5/hook") })).rejects.toThrow("private");
  await as(webhooks.update, { webhookId, ...fields("https://hooks.example.com/1") });
  expect((await as(webhooks.list, {})).data).toMatchObject([{ url: "https://hooks.example.com/1", enabled: true }]);
});
