import { useNavigate } from "@tanstack/react-router";
import { UnreachableError } from "@telltale/contract/client";
import { orders } from "@telltale/contract/orders";
import { type ReactNode, useEffect } from "react";
import { showFailure } from "../../session/query.ts";
import { rememberedPage } from "../../session/return-page.ts";
import { useCall } from "../../session/use-call.ts";
import { ErrorState } from "../../ui/message.tsx";
import { inform } from "../../ui/notify.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { Panel } from "../../ui/panel.tsx";
import classes from "./pay-result.module.css";

interface PayResultProps {
  /** As the provider gives them. */
  paymentId: string;
  payerId: string;
}

/**
 * Back from the provider: has the payment taken, says so and goes back to the page where it began, also when it is refused. A call
 * that got lost is sent again, which takes nothing twice. (spec 2 §2)
 */
export const PayResult = (returned: PayResultProps): ReactNode => {
  const navigate = useNavigate();
  const { data, error, refetch } = useCall(orders.settle, returned, { staleTime: Number.POSITIVE_INFINITY });
  const isLost = error instanceof UnreachableError;
  useEffect(() => {
    if (isLost || (!data && !error)) return;
    if (data) inform("Payment successful");
    else if (error) showFailure(error);
    void navigate({ href: rememberedPage(), replace: true });
  }, [data, error, isLost, navigate]);
  return (
    <>
      <PageTitle>Payment</PageTitle>
      <Panel>
        {isLost ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <p className={classes.waiting} role="status">
            {data ? "Payment successful" : "The payment is being confirmed"}
          </p>
        )}
      </Panel>
    </>
  );
};
