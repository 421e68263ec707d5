import type { ErrorComponentProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Mark } from "../../ui/status/mark.tsx";
import classes from "./bar.module.css";
import { ScreenFailure } from "./failures.tsx";
import layout from "./shell.module.css";

/** The shell before the user is known: the bar, and the menu's empty place. */
export const Frame = ({ children }: { children?: ReactNode }) => (
  <>
    <header className={classes.bar}>
      <span className={classes.brand}>
        <Mark size={26} />
        <span className={classes.word}>Telltale</span>
      </span>
    </header>
    <div className={layout.layout}>
      <div className={layout.noMenu} />
      <main className={layout.main}>{children}</main>
    </div>
  </>
);

/** Instead of everything, when the user could not be loaded. */
export const FrameFailure = (props: ErrorComponentProps) => (
  <Frame>
    <ScreenFailure {...props} />
  </Frame>
);
