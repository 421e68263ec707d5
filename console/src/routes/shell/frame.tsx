import type { ReactNode } from "react";
import type { FailureProps } from "../../ui/router/router.ts";
import { Mark } from "../../ui/status/mark.tsx";
import classes from "./bar.module.css";
import { ScreenFailure } from "./failures.tsx";
import layout from "./shell.module.css";

/** The shell before the user is loaded: the bar, and empty space for the menu. */
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

/** Shown instead of everything when the user could not be loaded. */
export const FrameFailure = (props: FailureProps) => (
  <Frame>
    <ScreenFailure {...props} />
  </Frame>
);
