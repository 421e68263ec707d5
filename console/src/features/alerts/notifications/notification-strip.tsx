import { IconChevronRight, IconInfoCircle } from "@tabler/icons-react";
import type { NotificationRow } from "@telltale/contract/domains/alerts";
import type { ReactNode } from "react";
import { momentSearch } from "../../../domain/alerts/alert-text.ts";
import { maskedId } from "../../../ui/format/masked-id.ts";
import { recent } from "../../../ui/format/time.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./notification-strip.module.css";

const Newest = (notification: NotificationRow) => {
  const { msg, createdTime, deviceName, deviceSnId } = notification;
  return (
    <>
      <span className={classes.message}>{msg}</span>
      <span className={classes.source}>
        <time dateTime={createdTime.toISOString()}>{recent(createdTime)}</time>
        <span>
          {deviceName}{" "}
          <Link className={classes.id} to="/devicesDetail" search={momentSearch(notification)}>
            {maskedId(deviceSnId)}
          </Link>
        </span>
      </span>
    </>
  );
};

/** The newest notification above the log; undefined while it loads. 'See more' leads to all of them. (spec 1 §2) */
export const NotificationStrip = ({
  notifications,
}: {
  notifications: readonly NotificationRow[] | undefined;
}): ReactNode => {
  const [newest] = notifications ?? [];
  return (
    <section className={classes.strip} aria-label="Notification" aria-busy={notifications === undefined}>
      <span className={classes.gutter}>
        <IconInfoCircle size={18} aria-hidden />
      </span>
      <b>Notification</b>
      {newest ? <Newest {...newest} /> : <span className={classes.message}>{notifications && "No notifications"}</span>}
      <Link className={classes.more} to="/alarms/notifications">
        See more
        <IconChevronRight size={16} aria-hidden />
      </Link>
    </section>
  );
};
