import { type ReactNode, Suspense } from "react";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import classes from "./log-tabs.module.css";

const AlertTabs = lazyWithRetry(() => import("./alert-tabs.tsx"), "AlertTabs");
const AlertViews = lazyWithRetry(() => import("./alert-views.tsx"), "AlertViews");

/** The tabs of ALERT above the log; they load after it. */
export const LogTabs = (): ReactNode => (
  <Suspense fallback={<div className={classes.tabs} />}>
    <AlertTabs current="LOG" />
  </Suspense>
);

/** The switch between what stands and all of the log; it loads after the log. */
export const LogViews = ({ passed }: { passed: ReactNode }): ReactNode => (
  <Suspense fallback={<div className={classes.views} />}>
    <AlertViews view="all" passed={passed} />
  </Suspense>
);
