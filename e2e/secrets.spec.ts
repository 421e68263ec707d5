import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@telltale/contract/call/client";
import { httpPath } from "@telltale/contract/device-api";
import { orders, paypal } from "@telltale/contract/domains/billing";
import { devices } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { passwords } from "@telltale/contract/domains/people/registration";
import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { expect, test } from "./harness.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";
import { type RunningServer, startServer } from "./server-process.ts";
import { addUnit, connectUnit, idsOf, publish, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

const email = "keeper@example.com";
/** All secrets that are issued to the operator or a user. */
const secrets = {
  password: "first-passw0rd-of-the-owner",
  newPassword: "second-passw0rd-of-the-owner",
  wrongPassword: "a-wrong-passw0rd-that-was-typed",
  wrongToken: "a-wrong-t0ken-of-a-device",
  mail: "mail-account-s3cret",
  sms: "sms-account-s3cret",
  paypal: "paypal-account-s3cret",
  metrics: "metrics-t0ken-of-the-operator",
};

/** A closed port: sending fails, and the failure is logged. */
const nowhere = "127.0.0.1:9";

const environment = (mail: MailServer): Record<string, string> => ({
  LOG_LEVEL: "trace",
  MAIL_URL: mail.url.replace("smtp://", `smtp://mailer:${secrets.mail}@`),
  SMS_URL: `twilio://AC00000000000000000000000000000000:${secrets.sms}@${nowhere}?from=+15551234567`,
  PAYPAL_URL: `http://${nowhere}`,
  PAYPAL_CLIENT_ID: "client",
  PAYPAL_SECRET: secrets.paypal,
  METRICS_TOKEN: secrets.metrics,
});

const ignore = (): undefined => undefined;

const clientAt = (server: RunningServer, token?: string) =>
  createClient({ baseUrl: server.baseURL, token: () => token });

/** Signs in with right and wrong passwords, sets up a second factor and a new password; returns the issued secrets. */
const useAccount = async (server: RunningServer, mail: MailServer): Promise<string[]> => {
  const nobody = clientAt(server);
  await nobody(accounts.login, { email, password: secrets.wrongPassword }).catch(ignore);
  const { token: first } = await nobody(accounts.login, { email, password: secrets.password });
  const { secret } = await clientAt(server, first)(secondFactor.begin, { password: secrets.password });
  await nobody(passwords.askReset, { email });
  const link = new URL((await mail.next(email)).links[0] ?? "");
  const accessToken = link.searchParams.get("accessToken") ?? "";
  await nobody(passwords.reset, { email, accessToken, newPwd: secrets.newPassword });
  const { token } = await nobody(accounts.login, { email, password: secrets.newPassword });
  await fetch(`${server.baseURL}/dashboard?accessToken=${token}`);
  await fetch(`${server.baseURL}/%zz?token=${token}`);
  await fetch(`${server.baseURL}/metrics?token=${secrets.metrics}`);
  return [first, secret, accessToken, token];
};

/** Connects a device with its token and with a wrong one, by MQTT and HTTP; returns its token. */
const useDevice = async (server: RunningServer, token: string): Promise<string> => {
  const unit = await addUnit(server, { owner: email });
  await reportOnce(server, unit, { AI1: 1 });
  await connectUnit(server, { accessToken: secrets.wrongToken }, { reconnectPeriod: 0 }).catch(ignore);
  for (const accessToken of [unit.accessToken, secrets.wrongToken])
    for (const body of ['{"AI1": 2}', "no JSON"])
      await fetch(server.baseURL + httpPath(accessToken, "telemetry"), { method: "POST", body });
  await pay(server, token, unit.deviceSnId);
  return unit.accessToken;
};

/** Attempts a purchase, which fails because PayPal can't be reached. */
const pay = async (server: RunningServer, token: string, deviceSnId: string): Promise<void> => {
  const client = clientAt(server, token);
  const { deviceId } = await idsOf(client, deviceSnId);
  const [option] = await client(orders.prices, { deviceId });
  if (!option) throw new Error("Nothing is for sale");
  const { orderSn } = await client(orders.create, { ...option, deviceId, year: 1 });
  await expect(client(paypal.createOrder, { orderSn })).rejects.toThrow();
};

/** Stops the database under calls, sign-ins and devices: all of them fail and are logged. */
const failAll = async (server: RunningServer, token: string, accessToken: string): Promise<void> => {
  const client = await connectUnit(server, { accessToken });
  const postmaster = await readFile(join(server.dataDir, "postgres", "postmaster.pid"), "utf8");
  process.kill(Number(postmaster.split("\n")[0]), "SIGKILL");
  const failing = [
    clientAt(server, token)(devices.list, {}),
    clientAt(server)(accounts.login, { email, password: secrets.newPassword }),
    clientAt(server)(passwords.reset, { email, accessToken: token, newPwd: secrets.newPassword }),
    fetch(server.baseURL + httpPath(accessToken, "attributes"), { method: "POST", body: "{}" }),
    publish(client, { AI1: 3 }),
  ];
  await Promise.allSettled(failing);
  await client.endAsync(true);
};

/** Encodings of a secret: plain, URL-encoded, and base64 as in HTTP or mail headers, with a user name before it or alone. */
const formsOf = (secret: string): string[] => {
  const names = ["", "client:", "AC00000000000000000000000000000000:", "\0mailer\0"];
  return [
    secret,
    encodeURIComponent(secret),
    ...names.map((name) =>
      Buffer.from(name + secret)
        .toString("base64")
        .replace(/=+$/, ""),
    ),
  ];
};

test("no log output of the server contains a secret, at the most verbose level and in every failure", async () => {
  const mail = await startMailServer();
  const server = await startServer({ demo: false, env: environment(mail) });
  try {
    await server.telltale("users", "add", "--email", email, "--password", secrets.password, "--owner");
    const handedOut = await useAccount(server, mail);
    const token = handedOut.at(-1) ?? "";
    const accessToken = await useDevice(server, token);
    await failAll(server, token, accessToken);
    const written = server.output();
    expect(written, "it is talkative").toContain('"level":50');
    for (const secret of [...Object.values(secrets), ...handedOut, accessToken]) {
      expect(secret.length).toBeGreaterThan(15);
      for (const form of formsOf(secret)) expect(written).not.toContain(form);
    }
  } finally {
    await server.stop();
    await mail.stop();
  }
});
