import { type Checkout, noMoneyMoves, sandbox } from "@telltale/contract/domains/billing";
import type { ReactNode } from "react";
import { rememberedPage } from "../../../session/return-page.ts";
import { useAction, useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { dollars } from "../../../ui/format/money.ts";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import classes from "./sandbox-checkout.module.css";
import { Unpaid } from "./unpaid.tsx";

type Service = NonNullable<Checkout["service"]>;

const ServiceLines = ({ service }: { service: Service }): ReactNode => (
  <>
    <dt>Device</dt>
    <dd>
      {service.deviceName} <span className={classes.id}>{service.deviceSnId}</span>
    </dd>
    <dt>Package</dt>
    <dd>
      {service.reportIntervalLimit} s report interval, {service.storageSpace} GB storage space
    </dd>
    <dt>Years</dt>
    <dd>{service.years}</dd>
  </>
);

const Bill = ({ checkout }: { checkout: Checkout }): ReactNode => (
  <dl className={classes.bill}>
    {checkout.service && <ServiceLines service={checkout.service} />}
    {checkout.smsNum !== null && (
      <>
        <dt>SMS</dt>
        <dd>{checkout.smsNum}</dd>
      </>
    )}
    <dt>Order</dt>
    <dd>{checkout.orderSn}</dd>
    <dt>Total</dt>
    <dd className={classes.total}>{dollars(checkout.total)}</dd>
  </dl>
);

const Decision = ({ paymentId }: { paymentId: string }): ReactNode => {
  const navigate = useNavigate();
  const { mutate, isPending, isSuccess } = useAction(sandbox.approve, {
    onDone: ({ url }) => void navigate({ href: url, replace: true }),
  });
  return (
    <div className={classes.actions}>
      <Button variant="default" onClick={() => void navigate({ href: rememberedPage(), replace: true })}>
        Cancel
      </Button>
      <Button variant="ink" loading={isPending || isSuccess} onClick={() => mutate({ paymentId })}>
        Approve
      </Button>
    </div>
  );
};

/** Replaces a payment provider's pages: shows the purchase and lets the buyer approve or cancel. No money moves. (decisions §6) */
export const SandboxCheckout = ({ paymentId }: { paymentId: string }): ReactNode => {
  const { data, error, refetch } = useCall(
    sandbox.checkout,
    { paymentId },
    { placeholderData: undefined, meta: { isShownInPlace: true } },
  );
  return (
    <>
      <PageTitle>Sandbox checkout</PageTitle>
      <Panel className={classes.panel}>
        {data && (
          <>
            <p className={classes.note}>{noMoneyMoves}</p>
            <Bill checkout={data} />
            <Decision paymentId={paymentId} />
          </>
        )}
        {!data && error && <Unpaid error={error} onRetry={() => void refetch()} />}
        {!data && !error && <div className={classes.waiting} aria-busy="true" />}
      </Panel>
    </>
  );
};

/** /sandboxCheckout?paymentId= approves a purchase on a server without a payment provider. */
export const SandboxCheckoutScreen = ({ paymentId }: { paymentId: string }) => (
  <SandboxCheckout paymentId={paymentId} />
);
