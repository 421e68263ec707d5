import type { Locator, Page } from "@playwright/test";
import { DeviceStatus, devices } from "@telltale/contract/devices";

/** A call of the contract, as far as its address goes. */
interface Called {
  path: string;
}

/** Any address of this call. */
export const addressesOf = ({ path }: Called): RegExp => new RegExp(`${path.replaceAll("/", "\\/")}(\\?|$)`);

/** Has this call answered with a code and a sentence, until `answerAgain`. */
export const refuse = (page: Page, call: Called, code: number, msg: string): Promise<unknown> =>
  page.route(addressesOf(call), (route) => route.fulfill({ json: { code, msg, result: null } }));

/** Has this call answered by an HTTP status, as a proxy in front of a broken server does. */
export const breakDown = (page: Page, call: Called, status = 503): Promise<unknown> =>
  page.route(addressesOf(call), (route) => route.fulfill({ status, body: "out of order" }));

/** Has this call not answered at all. */
export const cutOff = (page: Page, call: Called): Promise<unknown> =>
  page.route(addressesOf(call), (route) => route.abort("connectionrefused"));

/** Lets the server answer this call itself again. */
export const answerAgain = (page: Page, call: Called): Promise<void> => page.unroute(addressesOf(call));

/** Has every device of the lists wait for payment. */
export const letPaymentsBeDue = (page: Page): Promise<unknown> => {
  const patterns = [devices.list, devices.onDashboard].map(addressesOf);
  return page.route(
    (url) => patterns.some((pattern) => pattern.test(url.href)),
    async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { result?: { data: { status: number }[] } };
      for (const row of answer.result?.data ?? []) row.status = DeviceStatus.paymentDue;
      await route.fulfill({ response, json: answer });
    },
  );
};

/** A warning at the top right: the sentence and nothing else. */
export const warning = (page: Page, sentence: string): Locator =>
  page.getByRole("alert").filter({ hasText: new RegExp(`^${sentence}$`) });
