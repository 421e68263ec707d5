import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { IconButton } from "./control/icon-button.tsx";
import classes from "./operation-button.module.css";

interface OperationButtonProps {
  /** Accessible name with action and object: 'Delete Boiler house'. */
  label: string;
  icon: Icon;
  onClick: () => void;
}

/** A row operation of a list, as an icon button. */
export const OperationButton = ({ label, icon: ButtonIcon, onClick }: OperationButtonProps): ReactNode => (
  <IconButton className={classes.button} aria-label={label} title={label} onClick={onClick}>
    <ButtonIcon size={17} stroke={1.6} aria-hidden />
  </IconButton>
);

/** The operations of a row, side by side. */
export const Operations = ({ children }: { children: ReactNode }): ReactNode => (
  <span className={classes.operations}>{children}</span>
);
