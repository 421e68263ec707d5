import { useState } from "react";
import { usePurchase } from "../../features/billing/orders/use-purchase.tsx";
import { BelowTiles } from "../../features/dashboards/view/dashboard.tsx";
import { TileOffers } from "../../features/dashboards/view/tile-offers.tsx";
import { DeviceTable } from "../../features/devices/list/device-table.tsx";

export { PassedNote } from "../../features/alerts/passed-note.tsx";
export { FirstRun } from "../../features/devices/first-run/first-run.tsx";

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
