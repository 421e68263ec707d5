import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Button } from "../control/button.tsx";
import { Link } from "../router/link.tsx";

export interface AddButtonProps {
  label: string;
  /** The page that adds; or what is done here. */
  to?: string;
  onClick?: () => void;
  variant?: "filled" | "default";
  disabled?: boolean;
}

/** The button in a page's head that adds to what the page lists. The shortcut for adding presses it. */
export const AddButton = ({ label, to, ...rest }: AddButtonProps): ReactNode => {
  const look = {
    ...rest,
    size: "xs",
    leftSection: <IconPlus size={16} aria-hidden />,
    "data-shortcut": "add",
  } as const;
  return to === undefined ? (
    <Button {...look}>{label}</Button>
  ) : (
    <Button component={Link} to={to} {...look}>
      {label}
    </Button>
  );
};
