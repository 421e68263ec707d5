import { UnreachableError } from "@telltale/contract/call/client";
import { orders } from "@telltale/contract/domains/billing";
import { type ReactNode, useEffect } from "react";
import { showFailure } from "../../../session/query.ts";
import { confirmationPath, rememberedPage } from "../../../session/return-page.ts";
import { useCall } from "../../../session/use-call.ts";
import { inform } from "../../../ui/dialog/messages.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import classes from "./pay-result.module.css";

interface PayResultProps {
  /** The ids as the provider sends them. */
  paymentId: string;
  payerId: string;
}

/**
 * The return from the provider: captures the payment, shows the result and returns to the page where the purchase began, also on failure. A lost
 * call is repeated, which is idempotent. (spec 2 §2)
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

/** Navigates to another page of the console. */
const Back = ({ page }: { page: string }): ReactNode => {
  const navigate = useNavigate();
  useEffect(() => void navigate({ href: page, replace: true }), [navigate, page]);
  return null;
};

interface PayResultSearch {
  paymentId: string | undefined;
  token: string | undefined;
  PayerID: string | undefined;
  cancelled: boolean;
}

/**
 * /payResult?paymentId=&PayerID= is where a payment provider redirects the buyer; PayPal calls the payment `token`. A buyer who comes from the order
 * confirmation pays there instead, and one who has cancelled goes back. (spec 2 §2)
 */
export const PayResultScreen = ({ paymentId, token, PayerID, cancelled: isCancelled }: PayResultSearch) => {
  const page = rememberedPage();
  if (isCancelled || page.startsWith(`${confirmationPath}?`)) return <Back page={page} />;
  return <PayResult paymentId={paymentId ?? token ?? ""} payerId={PayerID ?? ""} />;
};
