import { IconCalendarTime } from "@tabler/icons-react";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { type ReactNode, Suspense } from "react";
import type { ChosenDevice } from "../../../domain/devices/device-field.tsx";
import { useRecordsRefetch } from "../../../session/live/use-live-refetch.ts";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import { useRecent } from "../../../ui/format/time.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import { HeadButton } from "../../../ui/page/head-button.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { serverNow } from "../../../ui/server-time.ts";
import classes from "./maintenance-button.module.css";

const WindowDialog = lazyWithRetry(() => import("./window-dialog.tsx"), "WindowDialog");

/** The next end of a window that the device is in, or the next beginning of one. */
const useWindow = (deviceId: number): string | undefined => {
  const { recentShort } = useRecent();
  useRecordsRefetch([silences.list], ["silence", "maintenance"]);
  const { data = [] } = useCall(silences.list, {}, { meta: { quiet: true } });
  const [next] = data
    .filter(({ kind, devices }) => kind === SilenceKind.maintenance && devices.some((d) => d.deviceId === deviceId))
    .toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime());
  if (!next) return undefined;
  return next.startTime.getTime() <= serverNow()
    ? `Maintenance until ${recentShort(next.endTime)}`
    : `Maintenance ${recentShort(next.startTime)}`;
};

/** Plans maintenance of a device; beside it what is planned, as a link to what is silent. */
export const MaintenanceButton = ({ device }: { device: ChosenDevice }): ReactNode => {
  const mayPlan = useSession().can("alerts.outOfService");
  const planned = useWindow(device.deviceId);
  const { open, count, isOpen, close } = useDialogSubject();
  return (
    <>
      {planned && (
        <Link className={classes.planned} to="/alarms/silent">
          {planned}
        </Link>
      )}
      {mayPlan && (
        <HeadButton onClick={() => open()}>
          <IconCalendarTime size={16} aria-hidden />
          Plan maintenance
        </HeadButton>
      )}
      {count > 0 && (
        <Suspense>
          <WindowDialog key={count} devices={[device]} isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
