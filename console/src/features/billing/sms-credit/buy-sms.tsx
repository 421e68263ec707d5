import { Skeleton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { CallError } from "@telltale/contract/call/client";
import { orders, paymentsNotSetUp, type SmsPackage, sms } from "@telltale/contract/domains/billing";
import { count, nounOf } from "@telltale/contract/text/counted";
import { type ReactNode, useId, useState } from "react";
import { client } from "../../../session/client.ts";
import { showFailure } from "../../../session/query.ts";
import { rememberPage } from "../../../session/return-page.ts";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";
import { useHasPayments } from "../../../session/use-has-payments.ts";
import { Button } from "../../../ui/control/button.tsx";
import { dollars } from "../../../ui/format/money.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import classes from "./buy-sms.module.css";
import { PackageTiles, PackageTilesSkeleton } from "./package-tiles.tsx";

const order = async (packageId: number): Promise<string> => {
  const { orderSn } = await client(sms.create, { packageId });
  return (await client(orders.pay, { orderSn })).url;
};

/** Orders a package and redirects the browser to the payment. On an error a message is shown and nothing is bought. */
const useBuy = () =>
  useMutation<string, CallError, number>({
    mutationFn: order,
    onSuccess: (url) => {
      rememberPage();
      location.assign(url);
    },
    onError: showFailure,
  });

const Offer = ({ packages }: { packages: SmsPackage[] }): ReactNode => {
  const { can } = useSession();
  const formId = useId();
  const [packageId, choose] = useState<number>();
  const { mutate, isPending, isSuccess } = useBuy();
  const chosen = packages.find((each) => each.packageId === packageId) ?? packages[0];
  if (!chosen) return <p className={classes.none}>No packages are on offer.</p>;
  return (
    <form
      id={formId}
      className={classes.offer}
      onSubmit={(event) => {
        event.preventDefault();
        mutate(chosen.packageId);
      }}
    >
      <PackageTiles packages={packages} value={chosen.packageId} onChange={choose} />
      {can("devices.pay") && (
        <Button type="submit" loading={isPending || isSuccess} className={classes.pay ?? ""}>
          Pay {dollars(chosen.money)} with PayPal
        </Button>
      )}
      <p className={classes.what}>
        {count(chosen.smsNum)} SMS {nounOf(chosen.smsNum, "is", "are")} added to the balance as soon as{" "}
        {nounOf(chosen.smsNum, "it is", "they are")} paid.
      </p>
    </form>
  );
};

/** Placeholder for the offer while it loads, as high as that. */
const OfferSkeleton = (): ReactNode => {
  const { can } = useSession();
  return (
    <div className={classes.offer}>
      <PackageTilesSkeleton />
      {can("devices.pay") && <Skeleton className={classes.payStill} radius="sm" />}
      <Skeleton className={classes.whatStill} radius="sm" />
    </div>
  );
};

const Packages = (): ReactNode => {
  const { data, error, refetch } = useCall(sms.packages, {});
  if (data) return <Offer packages={data} />;
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <OfferSkeleton />;
};

/** The SMS packages, and the button that leads to the payment. */
export const BuySms = (): ReactNode => (
  <Panel title="Buy SMS">
    {useHasPayments() === false ? <EmptyState>{paymentsNotSetUp}</EmptyState> : <Packages />}
  </Panel>
);
