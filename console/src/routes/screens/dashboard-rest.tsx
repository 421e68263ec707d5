import { IconArrowsMaximize, IconArrowsMove, IconEye, IconHistory } from "@tabler/icons-react";
import { useState } from "react";
import { usePurchase } from "../../features/billing/orders/use-purchase.tsx";
import { BelowTiles } from "../../features/dashboards/view/dashboard.tsx";
import { TileOffers } from "../../features/dashboards/view/tile-offers.tsx";
import { DeviceTable } from "../../features/devices/list/device-table.tsx";
import { useLostAt } from "../../session/live/live.ts";
import { useSession } from "../../session/session.ts";
import { IconButton } from "../../ui/control/icon-button.tsx";
import { Link } from "../../ui/router/link.tsx";

export { PassedNote } from "../../features/alerts/passed-note.tsx";
export { FirstRun } from "../../features/devices/first-run/first-run.tsx";

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

/** What leads on from the dashboard, beside its title. */
export const DashboardLinks = () => (
  <>
    <WallLink />
    <RewindLink />
    <WatchlistLink />
    <ArrangeLink />
  </>
);

/** What is below the tiles: offers of new ones, and the devices with the purchase of those whose payment is due. */
export const DashboardDevices = () => {
  const purchase = usePurchase();
  const [isKnown, setKnown] = useState(false);
  return (
    <>
      <TileOffers onKnown={() => setKnown(true)} />
      <BelowTiles isWaiting={!isKnown}>
        <DeviceTable onPay={purchase.ask} />
      </BelowTiles>
      {purchase.dialog}
    </>
  );
};
