import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { test as base } from "./harness.ts";
import type { ReceivedMail } from "./mail-server.ts";
import type { RunningServer } from "./server-process.ts";

export { expect } from "@playwright/test";

/** `test` whose server has no demonstration plant and sends its mails, which `mail` receives. */
export const test = base.extend({
  server: [
    async ({ servers, mail }, use) => {
      await use(await servers.of("mail", { demo: false, env: { MAIL_URL: mail.url } }, true));
    },
    { scope: "test", timeout: 120_000 },
  ],
});

/** A unique address. */
export const freshEmail = (domain = "riverside.example"): string =>
  `m.okafor.${randomBytes(4).toString("hex")}@${domain}`;

/** The only link of a mail. */
export const linkOf = ({ links }: ReceivedMail): string => links[0] ?? "";

/** The ID of an unclaimed main device. */
export const freeDeviceId = async (server: RunningServer): Promise<string> => {
  const [unit] = await server.telltale<{ deviceSnId: string }[]>("devices", "add", "--model", "AIS");
  if (!unit) throw new Error("The command made no unit");
  return unit.deviceSnId;
};

/** Input of a user who registers. */
export interface Registering {
  email: string;
  deviceSnId: string;
  password: string;
}

/** Fills in the form and submits it with Enter. */
export const register = async (page: Page, { email, deviceSnId, password }: Registering): Promise<void> => {
  await page.goto("/register");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Device ID").fill(deviceSnId);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("checkbox").check();
  await page.getByLabel("Confirm password").press("Enter");
};

export const logIn = async (page: Page, email: string, password: string): Promise<void> => {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log IN" }).click();
};

/** A user with a plant and a password who has not completed onboarding. */
export const addOwner = async (server: RunningServer, password: string): Promise<string> => {
  const email = freshEmail();
  await server.telltale("users", "add", "--email", email, "--password", password, "--owner", "--plant", "North mill");
  return email;
};
