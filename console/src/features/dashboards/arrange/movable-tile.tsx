import { IconGripVertical } from "@tabler/icons-react";
import type { PlacedTile } from "@telltale/contract/domains/dashboard/dashboards";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import type { PointerEvent } from "react";
import { ChannelIcon, channelLabel, MotorIcon } from "../../../domain/channel-icon.tsx";
import { type Arrangement, startsDrag } from "../../../ui/use-arrangement.ts";
import classes from "./arrange.module.css";

const typeLabel = ({ kind, icon }: PlacedTile): string => {
  if (kind === TileKind.group) return "Group";
  return kind === TileKind.modbus ? "Motor controller" : channelLabel(icon);
};

interface MovableTileProps {
  tile: PlacedTile;
  arrangement: Arrangement<PlacedTile>;
  /** Id of the sentence that explains how to move it. */
  hint: string;
}

/** A tile without its value. A mouse drags it anywhere, a finger by the grip, so that the page can still be scrolled. */
export const MovableTile = ({ tile, arrangement, hint }: MovableTileProps) => {
  const place = arrangement.placeOf(tile);
  const start = (event: PointerEvent) => startsDrag(event) && arrangement.startDrag(tile);
  return (
    <li data-item={tile.tileId} style={{ order: place }}>
      <button
        type="button"
        className={classes.tile}
        data-dragged={arrangement.dragged === tile || undefined}
        aria-describedby={hint}
        onPointerDown={start}
        onKeyDown={(event) => arrangement.onKeyDown(event, tile)}
      >
        <span className={classes.head}>
          {tile.kind === TileKind.modbus ? <MotorIcon /> : <ChannelIcon analogId={tile.icon} />}
          <span className={classes.type}>{typeLabel(tile)}</span>
          <span className={classes.grip} data-grip>
            <IconGripVertical size={18} aria-hidden />
          </span>
        </span>
        <b>{tile.name}</b>
        <small>{tile.deviceName}</small>
        <span className={classes.spoken}>
          place {place + 1} of {arrangement.items.length}
        </span>
      </button>
    </li>
  );
};
