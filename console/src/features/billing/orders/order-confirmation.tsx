import { IconCircleCheck } from "@tabler/icons-react";
import { Code } from "@telltale/contract/call/codes";
import { PaymentStatus, type Purchase, paypal } from "@telltale/contract/domains/billing";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { showFailure } from "../../../session/query.ts";
import { confirmationPath, rememberPage } from "../../../session/return-page.ts";
import { useAction, useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import { ReceiptLink } from "../receipt-link.tsx";
import classes from "./order-confirmation.module.css";
import { Review } from "./review.tsx";
import { Unpaid } from "./unpaid.tsx";

/** The confirmation of a paid order. (spec 2 §2) */
const Bought = ({ orderSn }: { orderSn: string }): ReactNode => (
  <div className={classes.bought} role="status">
    <h2>
      <IconCircleCheck size={22} aria-hidden /> CONFIRMATION
    </h2>
    <dl>
      <dt>Order ID</dt>
      <dd className={classes.id}>{orderSn}</dd>
      <dt>Status</dt>
      <dd>COMPLETED</dd>
    </dl>
    <div className={classes.actions}>
      <ReceiptLink orderSn={orderSn} />
      <Button component={Link} to="/devices" variant="default" size="compact-sm">
        Go to devices
      </Button>
    </div>
  </div>
);

/** Polling interval of a payment that is pending at the provider, milliseconds. */
const pendingPause = 5_000;

const words: Partial<Record<PaymentStatus, string>> = {
  PENDING: "The provider is still working on this payment. It counts as soon as the money is there.",
  VOIDED: "This payment can no longer be made, and nothing was paid. Please buy again.",
};

/** Pays: redirects the browser to the approval, or captures an approved payment. When the provider refuses, goes back to the devices. (spec 2 §4) */
const useBuy = (id: string, purchase: Purchase | undefined) => {
  const navigate = useNavigate();
  const capture = useAction(paypal.captureOrder, { invalidates: [paypal.queryOrder], isQuiet: true });
  const buy = () => {
    if (purchase?.url) {
      rememberPage(`${confirmationPath}?${new URLSearchParams({ id, buy: "1" })}`);
      location.assign(purchase.url);
      return;
    }
    capture.mutate(
      { id },
      {
        onError: (error) => {
          showFailure(error);
          if (error.code === Code.invalid) void navigate({ to: "/devices", replace: true });
        },
      },
    );
  };
  return { buy, isBuying: capture.isPending, hasFailed: capture.isError };
};

interface OrderConfirmationProps {
  /** The provider's payment id. */
  id: string;
  /** The user pressed BUY NOW before the approval. */
  isBuying: boolean;
}

/** Reviews a purchase before it is paid, and confirms it afterwards. (spec 2 §2) */
export const OrderConfirmation = ({ id, isBuying }: OrderConfirmationProps): ReactNode => {
  const { data, error, refetch } = useCall(
    paypal.queryOrder,
    { id },
    {
      placeholderData: undefined,
      meta: { isShownInPlace: true },
      refetchInterval: (query) => (query.state.data?.status === PaymentStatus.pending ? pendingPause : false),
    },
  );
  const { buy, isBuying: isTaking, hasFailed } = useBuy(id, data);
  const goOn = useEffectEvent(buy);
  const isApproved = data?.status === PaymentStatus.approved;
  useEffect(() => {
    if (isBuying && isApproved) goOn();
  }, [isBuying, isApproved]);
  const isOpen = isApproved || data?.status === PaymentStatus.created;
  return (
    <>
      <PageTitle>Purchase</PageTitle>
      <Panel className={classes.panel ?? ""}>
        {data?.status === PaymentStatus.completed && <Bought orderSn={data.orderSn} />}
        {data && isOpen && (
          <Review purchase={data} isTaking={isTaking || (isBuying && isApproved && !hasFailed)} onBuy={buy} />
        )}
        {data && words[data.status] && (
          <p className={classes.words} role="status">
            {words[data.status]}
          </p>
        )}
        {!data && error && <Unpaid error={error} onRetry={() => void refetch()} />}
        {!data && !error && <div className={classes.waiting} aria-busy="true" />}
      </Panel>
    </>
  );
};
