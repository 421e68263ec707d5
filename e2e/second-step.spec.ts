import { profile } from "@telltale/contract/domains/people/profile";
import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { type TOTP, URI } from "otpauth";
import { addOwner, expect, logIn, test } from "./mailing.ts";
import { clientOf } from "./people.ts";

const password = "long enough";
/** Milliseconds for which a code of the app is valid. */
const step = 30_000;

test("a user with a second factor enters a code after the password, or a recovery code", async ({ page, server }) => {
  const email = await addOwner(server, password);
  const client = await clientOf(server, email, password);
  const info = { company: "Riverside Works", industry: "Other", firstName: "Mary", lastName: "Okafor" } as const;
  await client(profile.introduce, info);
  const { uri } = await client(secondFactor.begin, { password });
  const app = URI.parse(uri) as TOTP;
  const { recoveryCodes } = await client(secondFactor.turnOn, { code: app.generate() });

  await page.goto("/login");
  await logIn(page, email, password);
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByLabel("Password", { exact: true }), "kept").toHaveValue(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Enter the code of your authenticator app");
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("The code is not right");
  // Each code works once: the one that turned it on is used up.
  await code.fill(app.generate({ timestamp: Date.now() + step }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DASHBOARD");

  await page.evaluate(() => localStorage.clear());
  await page.goto("/login");
  await logIn(page, email, password);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await expect(page.getByLabel("Recovery code")).toBeFocused();
  await page.getByLabel("Recovery code").fill((recoveryCodes[0] ?? "").toLowerCase());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DASHBOARD");
});
