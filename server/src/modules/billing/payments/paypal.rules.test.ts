import { amountText } from "@telltale/contract/domains/billing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isOfAmount } from "./paypal.rules.ts";

const paypalOrder = (value: string, currencyCode = "USD") => ({ purchaseUnits: [{ amount: { value, currencyCode } }] });

test("an amount is that of the order to the cent, whatever it is", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), (cents) => {
      const order = paypalOrder(amountText(cents));
      expect(isOfAmount(order, { cents, currency: "USD" })).toBe(true);
      expect(isOfAmount(order, { cents: cents + 1, currency: "USD" })).toBe(false);
      expect(isOfAmount(order, { cents, currency: "EUR" })).toBe(false);
    }),
  );
});

test("an order of several amounts, or of none, is not that of the order", () => {
  const amount = { cents: 4800, currency: "USD" };
  const { purchaseUnits } = paypalOrder("48.00");
  expect(isOfAmount({ purchaseUnits: [...purchaseUnits, ...purchaseUnits] }, amount)).toBe(false);
  expect(isOfAmount({}, amount)).toBe(false);
  expect(isOfAmount(paypalOrder("no number"), amount)).toBe(false);
});
