import { Suspense } from "react";
import { useConfirmAlert, useConfirmAll } from "../../features/alerts/use-confirm.tsx";
import { AlertBanner, AlertCount, ConfirmAllButton } from "../../features/dashboards/view/alert-banner.tsx";
import { BelowTiles, Dashboard } from "../../features/dashboards/view/dashboard.tsx";
import { useLostAt } from "../../session/live/live.ts";
import { lazyPlain, lazyWithRetry } from "../../ui/load-with-retry.ts";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { useLeave, useLocation } from "../../ui/router/hooks.ts";
import { useIsRewound } from "../shell/live-indicator.tsx";

/** What the first screen does not need; with the code of tables it is larger than everything above it. */
const loadRest = () => import("./dashboard-rest.tsx");
const DashboardDevices = lazyWithRetry(loadRest, "DashboardDevices");
const DashboardLinks = lazyWithRetry(loadRest, "DashboardLinks");
const FirstRun = lazyWithRetry(loadRest, "FirstRun");
const PassedNote = lazyWithRetry(loadRest, "PassedNote");
const LostLine = lazyPlain(() => import("../../features/dashboards/view/after-tiles.ts"), "LostLine");
const Rewind = lazyPlain(() => import("../../features/dashboards/rewind/rewind.tsx"), "Rewind");
const Wall = lazyPlain(() => import("../../features/dashboards/view/wall/wall.tsx"), "Wall");

/** The live dashboard: unconfirmed alerts, channels, devices. */
const LiveDashboard = () => {
  const confirmAlert = useConfirmAlert();
  const confirmAll = useConfirmAll();
  const lostAt = useLostAt();
  return (
    <>
      <PageTitle
        aside={
          <>
            <AlertCount />
            <Suspense>
              <PassedNote isShort />
            </Suspense>
            <ConfirmAllButton onConfirmAll={confirmAll.ask} place="title" />
            <Suspense>
              <DashboardLinks />
            </Suspense>
          </>
        }
      >
        DASHBOARD
      </PageTitle>
      {lostAt !== null && (
        <Suspense>
          <LostLine at={lostAt} />
        </Suspense>
      )}
      <Suspense>
        <FirstRun />
      </Suspense>
      <AlertBanner onConfirm={confirmAlert.ask} onConfirmAll={confirmAll.ask} />
      <Dashboard />
      <BelowTiles>
        <Suspense>
          <DashboardDevices />
        </Suspense>
      </BelowTiles>
      {confirmAlert.dialog}
      {confirmAll.dialog}
    </>
  );
};

/** The dashboard: live, at the moment of the address, or with `?wall` on the whole screen. */
export const DashboardScreen = () => {
  const isRewound = useIsRewound();
  const isWall = useLocation(({ search }) => search.wall !== undefined);
  const leave = useLeave();
  if (!isRewound && !isWall) return <LiveDashboard />;
  return <Suspense>{isRewound ? <Rewind /> : <Wall onLeave={() => leave({ to: "/" })} />}</Suspense>;
};
