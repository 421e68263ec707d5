import type { ElementType, ReactNode } from "react";
import { joined, type Polymorphic } from "./button.tsx";
import classes from "./icon-button.module.css";

interface IconButtonLook {
  /** In the accent's colour, and without one of its own below the pointer. */
  isAccent?: boolean;
  "aria-label": string;
  className?: string | undefined;
  /** The icon. */
  children: ReactNode;
}

/** A button with an icon and no text; `component={Link}` makes it a link. */
export const IconButton = <C extends ElementType = "button">(props: Polymorphic<C, IconButtonLook>): ReactNode => {
  const {
    component: Element = "button",
    isAccent,
    className,
    children,
    ...rest
  } = props as Polymorphic<"button", IconButtonLook>;
  return (
    <Element
      {...(Element === "button" && { type: "button" })}
      {...rest}
      className={joined("mantine-focus-auto mantine-active", classes.button, className)}
      data-accent={isAccent || undefined}
    >
      {children}
    </Element>
  );
};
