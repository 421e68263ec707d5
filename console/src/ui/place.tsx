import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";

/** Parts of the frame in which a page shows something of its own: in the bar, and below it across the window. */
export type PlaceName = "bar" | "below-bar";

const idOf = (name: PlaceName): string => `place-${name}`;

/** Where a page may show something outside of itself. Empty, it takes no room. */
export const Place = ({ name }: { name: PlaceName }): ReactNode => (
  <div id={idOf(name)} style={{ display: "contents" }} />
);

/** Shows its children in a place of the frame. */
export const InPlace = ({ name, children }: { name: PlaceName; children: ReactNode }): ReactNode => {
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => setElement(document.getElementById(idOf(name))), [name]);
  return element && createPortal(children, element);
};
