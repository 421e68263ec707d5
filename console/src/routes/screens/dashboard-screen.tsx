import { IconArrowsMaximize, IconArrowsMove, IconEye, IconHistory } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { useConfirmAlert, useConfirmAll } from "../../features/alerts/use-confirm.tsx";
import { AlertBanner, AlertCount, ConfirmAllButton } from "../../features/dashboards/view/alert-banner.tsx";
import { BelowTiles, Dashboard } from "../../features/dashboards/view/dashboard.tsx";
import { useIsHeightUnknown } from "../../features/dashboards/view/use-tiles.ts";
import { useIsLost } from "../../session/live/live.ts";
import { useSession } from "../../session/session.ts";
import { IconButton } from "../../ui/control/icon-button.tsx";
import { lazyPlain } from "../../ui/load-with-retry.ts";
import { Turn, useIsTurn } from "../../ui/page/first-screen.ts";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { useLeave, useLocation } from "../../ui/router/hooks.ts";
import { Link } from "../../ui/router/link.tsx";
import { useIsRewound } from "../shell/live-indicator.tsx";

/** What the first screen does not need; with the code of tables it is larger than everything above it. */
const loadRest = () => import("./dashboard-rest.tsx");
const DashboardDevices = lazyPlain(loadRest, "DashboardDevices");
const FirstRun = lazyPlain(loadRest, "FirstRun");
const PassedNote = lazyPlain(loadRest, "PassedNote");
const LostLine = lazyPlain(() => import("../../features/dashboards/view/after-tiles.ts"), "LostLine");
const Rewind = lazyPlain(() => import("../../features/dashboards/rewind/rewind.tsx"), "Rewind");
const Wall = lazyPlain(() => import("../../features/dashboards/view/wall/wall.tsx"), "Wall");

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
  if (useIsLost())
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

/** What leads on from the dashboard, beside its title. */
const DashboardLinks = () => (
  <span data-icons>
    <WallLink />
    <RewindLink />
    <WatchlistLink />
    <ArrangeLink />
  </span>
);

/** Whether the rest may be loaded. Stays so: what is shown asks for tiles that could not be loaded again, and would go and come with each answer. */
const useIsSettled = (turn: Turn): boolean => {
  const isUnknown = useIsHeightUnknown();
  const isTurn = useIsTurn(turn);
  const [isSettled, setSettled] = useState(false);
  if (!isUnknown && isTurn && !isSettled) setSettled(true);
  return isSettled;
};

/** The live dashboard: unconfirmed alerts, channels, devices. */
const LiveDashboard = () => {
  const confirmAlert = useConfirmAlert();
  const confirmAll = useConfirmAll();
  const isLost = useIsLost();
  const hasNotes = useIsSettled(Turn.notes);
  const hasDevices = useIsSettled(Turn.below);
  return (
    <>
      <PageTitle
        aside={
          <>
            <Suspense>{hasNotes && <PassedNote isShort />}</Suspense>
            <AlertCount />
            <ConfirmAllButton onConfirmAll={confirmAll.ask} place="title" />
            <DashboardLinks />
          </>
        }
      >
        DASHBOARD
      </PageTitle>
      {isLost && (
        <Suspense>
          <LostLine />
        </Suspense>
      )}
      <Suspense>{hasNotes && <FirstRun />}</Suspense>
      <AlertBanner onConfirm={confirmAlert.ask} onConfirmAll={confirmAll.ask} />
      <Dashboard />
      <BelowTiles>
        <Suspense>{hasDevices && <DashboardDevices />}</Suspense>
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
