import { IconAlertTriangle } from "@tabler/icons-react";
import type { DeviceDetail } from "@telltale/contract/domains/devices";
import { storage } from "@telltale/contract/domains/readings/storage";
import { type ReactNode, Suspense, useState } from "react";
import { useCall } from "../../../session/use-call.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import { HeadButton } from "../../../ui/page/head-button.tsx";

const StorageDialog = lazyWithRetry(() => import("./storage-dialog.tsx"), "StorageDialog");

/** What a device uses grows all the time: it is polled at this interval, in milliseconds. */
const refetchInterval = 60_000;

/** Opens what a device uses of its storage space; says so when that is used up. */
export const StorageButton = ({ device }: { device: DeviceDetail }): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const { data } = useCall(
    storage.ofDevice,
    { deviceId: device.deviceId },
    { placeholderData: undefined, refetchInterval },
  );
  if (!data) return null;
  const isFull = data.notice !== null;
  return (
    <>
      <HeadButton
        onClick={() => {
          setWasOpen(true);
          setOpen(true);
        }}
      >
        {isFull && <IconAlertTriangle size={16} aria-hidden />}
        {isFull ? "Storage used up" : "Storage"}
      </HeadButton>
      {wasOpen && (
        <Suspense>
          <StorageDialog device={device} storage={data} isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
