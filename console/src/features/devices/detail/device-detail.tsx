import { Code } from "@telltale/contract/call/codes";
import { type DeviceDetail as Device, devices } from "@telltale/contract/domains/devices";
import type { ReactNode } from "react";
import { useCall } from "../../../session/use-call.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { useIsPhone } from "../../../ui/use-is-phone.ts";
import { CurrentValueSkeleton, ReadingsSkeleton } from "../readings/readings-skeleton.tsx";
import type { Address } from "../trend/use-address.ts";
import { Columns } from "./columns.tsx";
import { DeviceGeneralSkeleton, type OnPay } from "./device-general.tsx";
import { DeviceTitleSkeleton, type OnDownload } from "./device-title.tsx";
import { LoadedDevice } from "./loaded-device.tsx";

/** Placeholder of the screen while the device loads. On a phone what is known of the device stands below its readings. */
const Waiting = ({ isPhone }: { isPhone: boolean }) => (
  <div aria-busy="true">
    {!isPhone && <DeviceGeneralSkeleton />}
    <Columns list={<Panel>{null}</Panel>}>
      <CurrentValueSkeleton />
      <ReadingsSkeleton />
    </Columns>
  </div>
);

/** The climate that a device reports is not sent live: it is polled at this interval, in milliseconds. */
const refetchInterval = 60_000;

interface DeviceDetailProps {
  deviceId: number;
  address: Address;
  /** Opens the purchase for the device; absent for accounts that may not buy. */
  onPay: OnPay;
  onDownload: OnDownload;
  /** More buttons of the device. */
  actions: (device: Device) => ReactNode;
  /** Content below, for the selected channel: its alerts. */
  children: (deviceChannelId: number) => ReactNode;
}

/** A device, its channels and the readings of the selected one. (spec 1 §2) */
export const DeviceDetail = ({ deviceId, ...rest }: DeviceDetailProps) => {
  const { data, error, refetch } = useCall(
    devices.detail,
    { deviceId },
    // Another device must not be used as placeholder data.
    { placeholderData: undefined, refetchInterval, meta: { silentCode: Code.notFound } },
  );
  const isPhone = useIsPhone();
  if (data) return <LoadedDevice key={deviceId} {...rest} device={data.device} info={data.deviceInfo} />;
  return (
    <>
      <DeviceTitleSkeleton isPhone={isPhone} />
      {error ? (
        <Panel>
          {error.code === Code.notFound ? (
            <EmptyState action={<Link to="/">Start page</Link>}>{error.message}</EmptyState>
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )}
        </Panel>
      ) : (
        <Waiting isPhone={isPhone} />
      )}
    </>
  );
};
