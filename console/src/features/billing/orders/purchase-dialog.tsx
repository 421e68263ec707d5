import { SegmentedControl } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Input } from "@telltale/contract/call/call";
import type { CallError } from "@telltale/contract/call/client";
import { orders, orderTotal, type PayOption, paymentsNotSetUp, serviceYears } from "@telltale/contract/domains/billing";
import { counted } from "@telltale/contract/text/counted";
import { type ReactNode, useId, useState } from "react";
import { client } from "../../../session/client.ts";
import { showFailure } from "../../../session/query.ts";
import { rememberPage } from "../../../session/return-page.ts";
import { useCall } from "../../../session/use-call.ts";
import { useHasPayments } from "../../../session/use-has-payments.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { dollars } from "../../../ui/format/money.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PackageField, PackagesSkeleton } from "./package-field.tsx";
import classes from "./purchase-dialog.module.css";

/** The total price for the years. (spec 1 §9) */
export const Total = ({ money, years }: { money: number; years: number }): ReactNode => (
  <p className={classes.total} aria-live="polite">
    <span>Total</span> <b>{dollars(orderTotal(money, years))}</b>
  </p>
);

type Choice = Input<typeof orders.create>;

/** Creates the order and its payment; returns the address where it is paid. */
const order = async (choice: Choice): Promise<string> => {
  const { orderSn } = await client(orders.create, choice);
  const { url } = await client(orders.pay, { orderSn });
  return url;
};

/** Orders the selection and redirects the browser to the payment. On an error a message is shown and nothing is bought. */
export const useCheckout = () =>
  useMutation<string, CallError, Choice>({
    mutationFn: order,
    onSuccess: (url) => {
      rememberPage();
      location.assign(url);
    },
    onError: showFailure,
  });

const choices = serviceYears.map((years) => ({
  value: String(years),
  label: counted(years, "year"),
}));

interface YearsFieldProps {
  value: number;
  onChange: (years: number) => void;
}

/** The number of years. (spec 1 §9) */
export const YearsField = ({ value, onChange }: YearsFieldProps): ReactNode => (
  <SegmentedControl
    aria-label="Years"
    fullWidth
    data={choices}
    value={String(value)}
    onChange={(years) => onChange(Number(years))}
    classNames={{ root: classes.years, control: classes.control, label: classes.label, indicator: classes.indicator }}
  />
);

/** The device that services are bought for. */
export interface PaidDevice {
  deviceId: number;
  deviceName: string;
  deviceSnId: string;
}

interface Offer {
  options: PayOption[];
  chosen: PayOption;
  onChoose: (packageId: number) => void;
  years: number;
  onYears: (years: number) => void;
}

const OfferFields = ({ options, chosen, onChoose, years, onYears }: Offer): ReactNode => (
  <>
    <PackageField options={options} value={chosen.packageId} onChange={onChoose} />
    <YearsField value={years} onChange={onYears} />
    <Total money={chosen.money} years={years} />
  </>
);

interface PurchaseDialogProps {
  device: PaidDevice;
  isOpen: boolean;
  onClose: () => void;
}

/** The selection from the offer; defaults to the first package. */
const useOffer = (deviceId: number, isOpen: boolean) => {
  const { data, error, refetch } = useCall(
    orders.prices,
    { deviceId },
    { enabled: isOpen, placeholderData: undefined },
  );
  const [packageId, setPackageId] = useState<number>();
  const [years, setYears] = useState(1);
  const chosen = data?.find((option) => option.packageId === packageId) ?? data?.[0];
  const offer: Offer | undefined = data &&
    chosen && { options: data, chosen, onChoose: setPackageId, years, onYears: setYears };
  return { offer, error, retry: () => void refetch() };
};

/** 'Purchase network services' for a device: a package and a number of years; then the browser goes to the payment. (spec 1 §2) */
export const PurchaseDialog = ({ device, isOpen, onClose }: PurchaseDialogProps): ReactNode => {
  const { deviceId, deviceName, deviceSnId } = device;
  const formId = useId();
  const hasPayments = useHasPayments();
  const { offer, error, retry } = useOffer(deviceId, isOpen && hasPayments === true);
  const { mutate, isPending, isSuccess, reset } = useCheckout();
  const submit = () => {
    if (!offer) return;
    const { packageId, storageSpace } = offer.chosen;
    mutate({ deviceId, packageId, storageSpace, year: offer.years });
  };
  const leave = () => {
    reset();
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={leave}
      title="Purchase network services"
      footer={
        <>
          <Button variant="default" onClick={leave}>
            {hasPayments === false ? "Close" : "Cancel"}
          </Button>
          {hasPayments !== false && (
            <Button type="submit" form={formId} disabled={!offer} loading={isPending || isSuccess}>
              Continue to payment
            </Button>
          )}
        </>
      }
    >
      <p className={classes.device}>
        <b>{deviceName}</b> <span>{deviceSnId}</span>
      </p>
      <form
        id={formId}
        className={classes.form}
        aria-busy={!offer && !error && hasPayments !== false}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {offer && <OfferFields {...offer} />}
        {hasPayments === false && <EmptyState>{paymentsNotSetUp}</EmptyState>}
        {!offer &&
          hasPayments !== false &&
          (error ? <ErrorState error={error} onRetry={retry} /> : <PackagesSkeleton />)}
      </form>
    </Dialog>
  );
};
