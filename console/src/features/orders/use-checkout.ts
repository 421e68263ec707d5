import { useMutation } from "@tanstack/react-query";
import type { Input } from "@telltale/contract/call";
import type { CallError } from "@telltale/contract/client";
import { orders } from "@telltale/contract/orders";
import { client } from "../../session/client.ts";
import { showFailure } from "../../session/query.ts";
import { rememberPage } from "../../session/return-page.ts";

type Choice = Input<typeof orders.create>;

/** Orders, and asks where to pay. */
const order = async (choice: Choice): Promise<string> => {
  const { orderSn } = await client(orders.create, choice);
  const { url } = await client(orders.pay, { orderSn });
  return url;
};

/** Orders what was chosen and sends the browser to where it is paid. A refusal is shown, and nothing was bought. */
export const useCheckout = () =>
  useMutation<string, CallError, Choice>({
    mutationFn: order,
    onSuccess: (url) => {
      rememberPage();
      location.assign(url);
    },
    onError: showFailure,
  });
