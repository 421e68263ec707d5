import { IconCreditCard } from "@tabler/icons-react";
import { paypal } from "@telltale/contract/domains/billing";
import type { ReactNode } from "react";
import { confirmationPath } from "../../../session/return-page.ts";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import classes from "./pay-button.module.css";

/** One order, and the button to pay it. (decisions §4) */
export const PayButton = ({ orderSn }: { orderSn: string }): ReactNode => {
  const navigate = useNavigate();
  const { mutate, isPending, isSuccess, error } = useAction(paypal.createOrder, {
    isQuiet: true,
    onDone: ({ id }) => void navigate({ href: `${confirmationPath}?${new URLSearchParams({ id })}` }),
  });
  return (
    <>
      <PageTitle>Payment</PageTitle>
      <Panel className={classes.panel ?? ""}>
        <div className={classes.order}>
          <p>
            Order <b>{orderSn || "--"}</b>
          </p>
          {error && (
            <p role="alert" className={classes.refusal}>
              {error.message}
            </p>
          )}
          <Button
            leftSection={<IconCreditCard size={18} aria-hidden />}
            loading={isPending || isSuccess}
            disabled={orderSn === ""}
            onClick={() => mutate({ orderSn })}
          >
            Pay with PayPal
          </Button>
        </div>
      </Panel>
    </>
  );
};
