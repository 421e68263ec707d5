import type { NotificationRow } from "@telltale/contract/domains/alerts";
import { type ReactNode, Suspense } from "react";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { useRemembered } from "../../ui/remembered.ts";
import classes from "./log-head.module.css";

const AlertTabs = lazyWithRetry(() => import("./alert-tabs.tsx"), "AlertTabs");
const AlertViews = lazyWithRetry(() => import("./alert-views.tsx"), "AlertViews");
const NotificationStrip = lazyWithRetry(() => import("./notifications/notification-strip.tsx"), "NotificationStrip");

/** The tabs of ALERT above the log; they load after it. What says that devices are to be paid has its place at once where it was there at the last visit. */
export const LogTabs = (): ReactNode => {
  const [hadDue, noteDue] = useRemembered("telltale-payment-due", false);
  const place = (
    <>
      <div className={classes.tabs} />
      {hadDue && <div className={classes.due} />}
    </>
  );
  return (
    <Suspense fallback={place}>
      <AlertTabs current="LOG" hadDue={hadDue} onDue={noteDue} />
    </Suspense>
  );
};

/** The switch between what stands and all of the log; it loads after the log. */
export const LogViews = ({ passed }: { passed: ReactNode }): ReactNode => (
  <Suspense fallback={<div className={classes.views} />}>
    <AlertViews view="all" passed={passed} />
  </Suspense>
);

/** The newest notification above the log; its content comes with the list. */
export const LogStrip = (props: { notifications: readonly NotificationRow[] | undefined }): ReactNode => (
  <Suspense fallback={<div className={classes.strip} />}>
    <NotificationStrip {...props} />
  </Suspense>
);
