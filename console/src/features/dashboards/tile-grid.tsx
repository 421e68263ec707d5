import type { Tile as TileRow } from "@telltale/contract/dashboards";
import skeleton from "./skeleton.module.css";
import { Tile } from "./tile.tsx";
import classes from "./tile-grid.module.css";

/** The key of a tile: groups of one device may begin with the same channel. */
const keyOf = (tile: TileRow): string => `${tile.kind}:${tile.dashboardGroupId ?? ""}:${tile.deviceChannelId}`;

interface TileGridProps {
  tiles: readonly TileRow[];
  /** Whether the channels of groups and modbus devices are still on their way. */
  isWaiting: boolean;
}

/** The dashboard's windows, four in a row. (spec 1 §9) */
export const TileGrid = ({ tiles, isWaiting }: TileGridProps) => (
  <section className={classes.grid} aria-label="Channels">
    {tiles.map((tile, index) => (
      <Tile key={keyOf(tile)} tile={tile} index={index} isWaiting={isWaiting} />
    ))}
  </section>
);

const placeholders = Array.from({ length: 8 }, (_, place) => place);

/** Windows without content, in the places of those that are on their way. */
export const TileSkeletons = () => (
  <section className={classes.grid} aria-label="Loading channels" aria-busy="true">
    {placeholders.map((place) => (
      <div key={place} className={classes.placeholder}>
        <div className={classes.placeholderHead}>
          <span className={`${skeleton.bar} ${classes.placeholderType}`} />
        </div>
        <span className={`${skeleton.bar} ${classes.placeholderName}`} />
        <span className={`${skeleton.bar} ${classes.placeholderValue}`} />
      </div>
    ))}
  </section>
);
