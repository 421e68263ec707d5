import { type TileOffer, tileOffers } from "@telltale/contract/domains/dashboard/tile-offers";
import { tileCalls } from "@telltale/contract/domains/dashboard/tiles";
import { LiveCommand } from "@telltale/contract/live";
import { counted } from "@telltale/contract/text/counted";
import { useEffectEvent, useLayoutEffect, useState } from "react";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useSession } from "../../../session/session.ts";
import { useAction, useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import classes from "./tile-offers.module.css";

/** Devices that the user of this browser does not want to see offered again. */
const key = "telltale-declined-tiles";
const declined = (): readonly string[] => (localStorage.getItem(key) ?? "").split(",");

/** So many are remembered: an offer ends by itself after a week. */
const remembered = 100;

const sentenceOf = ({ channels, deviceName }: TileOffer): string =>
  channels === null
    ? `${deviceName} is not shown`
    : `${counted(channels, "channel")} of ${deviceName} ${channels === 1 ? "is" : "are"} not shown`;

const calls = [tileCalls.tiles, tileCalls.unitPart, tileCalls.sparklines, tileOffers.list];

interface TileOffersProps {
  /** What is below moves no more: the offers are shown, or there are none. */
  onKnown: () => void;
}

/** New devices whose tiles were not added because the dashboard has many, for those who may add them. */
export const TileOffers = ({ onKnown }: TileOffersProps) => {
  const enabled = useSession().can("dashboards.write");
  const { data = [], isPending } = useCall(
    tileOffers.list,
    {},
    { enabled, meta: { quiet: true, isShownInPlace: true } },
  );
  const isKnown = !enabled || !isPending;
  const tell = useEffectEvent(onKnown);
  useLayoutEffect(() => {
    if (isKnown) tell();
  }, [isKnown]);
  const [known, setKnown] = useState(declined);
  const add = useAction(tileOffers.add, { invalidates: calls });
  useLiveRefetch([tileOffers.list], [LiveCommand.dashboardChange]);
  const decline = ({ deviceId }: TileOffer) => {
    const next = [String(deviceId), ...declined()].slice(0, remembered);
    localStorage.setItem(key, next.join());
    setKnown(next);
  };
  const offers = data.filter(({ deviceId }) => !known.includes(String(deviceId)));
  if (offers.length === 0) return null;
  return (
    <ul className={classes.offers} aria-label="New devices that are not shown">
      {offers.map((offer) => (
        <li key={offer.deviceId}>
          <span>{sentenceOf(offer)}</span>
          <Button
            variant="default"
            size="xs"
            aria-label={`Add ${offer.deviceName} to the dashboard`}
            loading={add.isPending && add.variables.deviceId === offer.deviceId}
            onClick={() => add.mutate({ deviceId: offer.deviceId })}
          >
            Add
          </Button>
          <Button
            variant="default"
            size="xs"
            aria-label={`Not now: ${offer.deviceName}`}
            onClick={() => decline(offer)}
          >
            Not now
          </Button>
        </li>
      ))}
    </ul>
  );
};
