import { type ReactNode, useEffect } from "react";
import { Link } from "../../../ui/router/link.tsx";
import { Mark } from "../../../ui/status/mark.tsx";
import { documentTitle } from "../../../ui/title.ts";
import classes from "./entry-frame.module.css";

const left = ["Pressure", "Temperature", "Humidity", "Flow", "Frequency", "Noise"];
const right = ["Vibration", "Speed", "Torque", "Displacement", "Acceleration", "Gas concentration"];

const Windows = ({ names }: { names: readonly string[] }) => (
  <div className={classes.windows}>
    {names.map((name) => (
      <div key={name}>{name}</div>
    ))}
  </div>
);

/** The logo as an annunciator panel that names what the product monitors. */
const Panel = () => (
  <div className={classes.panel} aria-hidden="true">
    <div className={classes.crossbar}>
      <span>Quiet until it matters.</span>
    </div>
    <Windows names={left} />
    <div className={classes.stem} />
    <Windows names={right} />
  </div>
);

/**
 * The frame of the screens before sign-in: brand, form, and the panel beside them. The brand link loads the document, because only then does the
 * server redirect phones from most of these screens to their own site.
 */
export const EntryFrame = ({ title, children }: { title: string; children: ReactNode }) => {
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
  return (
    <div className={classes.screen}>
      <div className={classes.side}>
        <header>
          <Link to="/index" className={classes.brand} reloadDocument>
            <Mark size={32} />
            Telltale
          </Link>
        </header>
        <main className={classes.form}>{children}</main>
        <footer className={classes.foot}>
          <Link to="/agreement" search={{ type: "1" }}>
            Terms of use
          </Link>
          <Link to="/agreement" search={{ type: "2" }}>
            Privacy policy
          </Link>
        </footer>
      </div>
      <Panel />
    </div>
  );
};
