import type { ReactNode } from "react";
import classes from "./head-button.module.css";

interface HeadButtonProps {
  children: ReactNode;
  onClick: () => void;
}

/** A small button in the head of a panel. */
export const HeadButton = ({ children, onClick }: HeadButtonProps): ReactNode => (
  <button type="button" className={classes.button} onClick={onClick}>
    {children}
  </button>
);
