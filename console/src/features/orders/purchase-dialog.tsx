import { Button } from "@mantine/core";
import { orders, type PayOption, paymentsNotSetUp } from "@telltale/contract/orders";
import { type ReactNode, useId, useState } from "react";
import { useCall } from "../../session/use-call.ts";
import { useHasPayments } from "../../session/use-has-payments.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState, ErrorState } from "../../ui/message.tsx";
import { PackageField, StillPackages } from "./package-field.tsx";
import classes from "./purchase-dialog.module.css";
import { Total } from "./total.tsx";
import { useCheckout } from "./use-checkout.ts";
import { YearsField } from "./years-field.tsx";

/** What services are bought for. */
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

/** What is chosen of the offer; the first package stands for the choice that was not made. */
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

/** 'Purchase network services' for a device: a package, for some years; then the browser goes to where it is paid. (spec 1 §2) */
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
        {!offer && hasPayments !== false && (error ? <ErrorState error={error} onRetry={retry} /> : <StillPackages />)}
      </form>
    </Dialog>
  );
};
