import { IconArrowsMaximize, IconArrowsMove, IconEye, IconHistory } from "@tabler/icons-react";
import { Suspense } from "react";
import { PassedNote } from "../../features/alerts/passed-note.tsx";
import { useConfirmAlert, useConfirmAll } from "../../features/alerts/use-confirm.tsx";
import { usePurchase } from "../../features/billing/orders/use-purchase.tsx";
import { AlertBanner, AlertCount, ConfirmAllButton } from "../../features/dashboards/view/alert-banner.tsx";
import { BelowTiles, Dashboard } from "../../features/dashboards/view/dashboard.tsx";
import { useLostAt } from "../../session/live/live.ts";
import { useSession } from "../../session/session.ts";
import { IconButton } from "../../ui/control/icon-button.tsx";
import { lazyPlain, lazyWithRetry } from "../../ui/load-with-retry.ts";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { useLocation, useNavigate } from "../../ui/router/hooks.ts";
import { Link } from "../../ui/router/link.tsx";
import { useIsRewound } from "../shell/live-indicator.tsx";

/** Below the tiles, and with the table code larger than everything above it: loaded after the first screen. */
const DeviceTable = lazyWithRetry(() => import("../../features/devices/list/device-table.tsx"), "DeviceTable");

const FirstRun = lazyWithRetry(() => import("../../features/devices/first-run/first-run.tsx"), "FirstRun");
const LostLine = lazyPlain(() => import("../../features/dashboards/view/after-tiles.ts"), "LostLine");
const Rewind = lazyPlain(() => import("../../features/dashboards/rewind/rewind.tsx"), "Rewind");

/** Link to arranging the tiles, for accounts that may change dashboards. */
const ArrangeLink = () => {
  const { can } = useSession();
  if (!can("dashboards.write")) return null;
  return (
    <IconButton component={Link} to="/dragging" aria-label="Arrange tiles" title="Arrange tiles">
      <IconArrowsMove size={18} stroke={1.6} aria-hidden />
    </IconButton>
  );
};

/** Link to the user's watchlist. */
const WatchlistLink = () => (
  <IconButton component={Link} to="/personal" aria-label="Watchlist" title="Watchlist">
    <IconEye size={18} stroke={1.6} aria-hidden />
  </IconButton>
);

const Wall = lazyPlain(() => import("../../features/dashboards/view/wall/wall.tsx"), "Wall");

/** Link to the same dashboard on the whole screen. */
const WallLink = () => (
  <IconButton
    component={Link}
    to="/"
    search={{ wall: "" }}
    aria-label="Wall"
    title="Wall: on the whole screen"
    data-shortcut="wall"
  >
    <IconArrowsMaximize size={18} stroke={1.6} aria-hidden />
  </IconButton>
);

/** Link to the dashboard's past, which has to be asked for: without a connection it leads nowhere. */
const RewindLink = () => {
  const icon = <IconHistory size={18} stroke={1.6} aria-hidden />;
  const name = { "aria-label": "Rewind", title: "Rewind" };
  if (useLostAt() !== null)
    return (
      <IconButton {...name} disabled>
        {icon}
      </IconButton>
    );
  return (
    <IconButton component={Link} to="/" search={{ at: "now" }} {...name}>
      {icon}
    </IconButton>
  );
};

/** The live dashboard: unconfirmed alerts, channels, devices. */
const LiveDashboard = () => {
  const confirmAlert = useConfirmAlert();
  const confirmAll = useConfirmAll();
  const purchase = usePurchase();
  const lostAt = useLostAt();
  return (
    <>
      <PageTitle
        aside={
          <>
            <AlertCount />
            <PassedNote isShort />
            <ConfirmAllButton onConfirmAll={confirmAll.ask} place="title" />
            <WallLink />
            <RewindLink />
            <WatchlistLink />
            <ArrangeLink />
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
          <DeviceTable onPay={purchase.ask} />
        </Suspense>
      </BelowTiles>
      {confirmAlert.dialog}
      {confirmAll.dialog}
      {purchase.dialog}
    </>
  );
};

/** The dashboard: live, at the moment of the address, or with `?wall` on the whole screen. */
export const DashboardScreen = () => {
  const isRewound = useIsRewound();
  const isWall = useLocation(({ search }) => search.wall !== undefined);
  const navigate = useNavigate();
  if (!isRewound && !isWall) return <LiveDashboard />;
  return <Suspense>{isRewound ? <Rewind /> : <Wall onLeave={() => void navigate({ to: "/" })} />}</Suspense>;
};
