/** What tiles show besides their values, loaded after them. */

export { LostLine } from "../../../session/live/lost-line.tsx";
export { Traces } from "./sparks/traces.tsx";
export { TileWatch } from "./tile-watch.tsx";
