import { conflict } from "../http/refusal.ts";
import type { World } from "../world.ts";

const notSold =
  "SMS can't be bought: this server sends real SMS, and its sandbox checkout takes no money for them. Its operator has to set PAYPAL_CLIENT_ID and PAYPAL_SECRET";

/** Refuses to sell SMS where they would be given away at the operator's expense. */
export const checkSmsSale = ({ payments }: Pick<World, "payments">): void => {
  if (!payments.sellsSms) throw conflict(notSold);
};
