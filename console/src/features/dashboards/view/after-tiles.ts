/** What tiles show besides their values, loaded after them. */

export { LostLine } from "./lost-line.tsx";
export { Traces } from "./sparks/traces.tsx";
export { TileWatch } from "./tile-watch.tsx";
