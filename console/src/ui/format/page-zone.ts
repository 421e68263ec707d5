import type { Zone } from "@telltale/contract/text/wall-clock";
import { createContext } from "react";

/** The zone of all times on the page, because no page may show one event at two times; undefined: the browser's. */
export const PageZone = createContext<Zone | undefined>(undefined);
