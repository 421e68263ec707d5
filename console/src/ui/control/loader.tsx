import type { ReactNode } from "react";
import classes from "./loader.module.css";

interface LoaderProps {
  /** Pixels, or a length. */
  size: number | string;
  "aria-label"?: string;
  "aria-hidden"?: boolean;
}

/** A turning ring: something is being waited for. */
export const Loader = ({ size, ...aria }: LoaderProps): ReactNode => (
  <span
    {...(aria["aria-label"] ? { role: "img" } : {})}
    {...aria}
    className={classes.loader}
    style={{ "--loader-size": typeof size === "number" ? `${size}px` : size }}
  />
);
