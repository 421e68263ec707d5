import type { ReactNode } from "react";
import { readToken } from "../../../session/token.ts";
import { Link } from "../../../ui/router/link.tsx";
import { Mark } from "../../../ui/status/mark.tsx";
import classes from "./link-frame.module.css";

interface LinkFrameProps {
  /** Page of the console that shows the same. */
  to: string;
  isLit: boolean;
  children: ReactNode;
}

/** The frame of a page that a message's link opens: brand and the way into the console, without menu and counts. */
export const LinkFrame = ({ to, isLit, children }: LinkFrameProps) => {
  const isSignedIn = readToken() !== undefined;
  return (
    <div className={classes.screen}>
      <header className={classes.bar}>
        <Link to="/index" className={classes.brand}>
          <Mark size={26} isLit={isLit} />
          Telltale
        </Link>
        {isSignedIn ? (
          <Link to={to} className={classes.way}>
            Open the console
          </Link>
        ) : (
          <Link to="/login" state={{ from: to }} className={classes.way}>
            Sign in
          </Link>
        )}
      </header>
      {children}
    </div>
  );
};
