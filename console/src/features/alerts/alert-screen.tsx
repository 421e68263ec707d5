import type { ReactNode } from "react";
import { Suspense } from "react";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { AlertLog } from "./log/alert-log.tsx";

const StandingList = lazyWithRetry(() => import("./standing/standing-list.tsx"), "StandingList");

/** ALERT: all of the log, what stands, or what of that nobody has confirmed. (spec 1 §2) */
export const AlertScreen = ({ view }: { view: string | undefined }): ReactNode =>
  view === "standing" || view === "unconfirmed" ? (
    <Suspense>
      <StandingList key={view} view={view} />
    </Suspense>
  ) : (
    <AlertLog />
  );
