import { type ReactNode, Suspense } from "react";
import { useSession } from "../../../session/session.ts";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import type { PaidDevice } from "./purchase-dialog.tsx";

const PurchaseDialog = lazyWithRetry(() => import("./purchase-dialog.tsx"), "PurchaseDialog");

/** The purchase dialog of a page: `ask` opens it for a device, `dialog` can be rendered anywhere on the page. */
export interface Purchasing {
  /** Absent for accounts that may not buy: the pay icon is then hidden. */
  ask: ((device: PaidDevice) => void) | undefined;
  dialog: ReactNode;
}

/** 'Purchase network services', for owners and admins. (spec 1 §6) */
export const usePurchase = (): Purchasing => {
  const { can } = useSession();
  const { open: ask, subject: device, isOpen, close } = useDialogSubject<PaidDevice>();
  return {
    ask: can("devices.pay") ? ask : undefined,
    dialog: device && (
      <Suspense>
        <PurchaseDialog key={device.deviceId} device={device} isOpen={isOpen} onClose={close} />
      </Suspense>
    ),
  };
};
