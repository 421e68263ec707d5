import { expect, type Locator, type Page, type Request, type Route } from "@playwright/test";
import { DeviceStatus, devices } from "@telltale/contract/domains/devices";

/** The part of a contract's call that determines its address. */
interface Called {
  path: string;
}

/** Matches any address of this call. */
export const addressesOf = ({ path }: Called): RegExp => new RegExp(`${path.replaceAll("/", "\\/")}(\\?|$)`);

/** Answers this call with an error code and a sentence, until `restoreCall`. */
export const refuseCall = (page: Page, call: Called, code: number, msg: string): Promise<unknown> =>
  page.route(addressesOf(call), (route) => route.fulfill({ json: { code, msg, result: null } }));

/** Answers this call with an HTTP status, as a proxy in front of a failed server does. */
export const failCall = (page: Page, call: Called, status = 503): Promise<unknown> =>
  page.route(addressesOf(call), (route) => route.fulfill({ status, body: "out of order" }));

/** Aborts this call without an answer. */
export const abortCall = (page: Page, call: Called): Promise<unknown> =>
  page.route(addressesOf(call), (route) => route.abort("connectionrefused"));

/** Lets the server answer this call itself again. */
export const restoreCall = (page: Page, call: Called): Promise<void> => page.unroute(addressesOf(call));

/**
 * Retries with the button of an error while the call still fails, then lets the server answer. A screen that is notified of a change refetches by
 * itself in the meantime; then there is no button left to press.
 */
export const tryAgain = async (page: Page, call: Called, failure: Locator): Promise<void> => {
  const button = failure.getByRole("button", { name: "Try again" });
  const isOfCall = (request: Request): boolean => addressesOf(call).test(request.url());
  const refused = Promise.race([
    page.waitForEvent("requestfinished", isOfCall),
    page.waitForEvent("requestfailed", isOfCall),
  ]);
  await button.click();
  await refused;
  // While it loads there is no button either: if the server answered before this error is shown, that would look like the end.
  await expect(button).toBeVisible();
  await restoreCall(page, call);
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 1000 });
    await expect(button).toHaveCount(0, { timeout: 2000 });
  }).toPass();
};

const payLater = async (route: Route): Promise<void> => {
  const response = await route.fetch();
  const answer = (await response.json()) as { result?: { data: { status: number }[] } };
  for (const row of answer.result?.data ?? []) row.status = DeviceStatus.paymentDue;
  await route.fulfill({ response, json: answer });
};

/** Makes all devices of the lists payment due. */
export const showPaymentsDue = (page: Page): Promise<unknown> => {
  const patterns = [devices.list, devices.onDashboard].map(addressesOf);
  return page.route(
    (url) => patterns.some((pattern) => pattern.test(url.href)),
    // A page that was left no longer waits for its answers.
    (route) => payLater(route).catch(() => route.abort().catch(() => undefined)),
  );
};

/** A warning at the top right with exactly this sentence. */
export const warning = (page: Page, sentence: string): Locator =>
  page.getByRole("alert").filter({ hasText: new RegExp(`^${sentence}$`) });
